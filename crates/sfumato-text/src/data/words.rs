//! Words and terms: which terms of a list occur in a text.
//!
//! A term is a sequence of words. Case, accents and what stands between words make no difference,
//! because they make none to whoever reads a document. The mark `[REDACTED]` is no word, and no
//! term reaches across one.

use sfumato_core::FastMap;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A word of a text, by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Whether it is a mark in the place of something else.
    pub is_mark: bool,
}

/// What stands in the place of a term that is taken out.
pub const REDACTED: &str = "[REDACTED]";

/// The words of a text: letters and digits without anything between them.
pub fn tokens(text: &str) -> Vec<Token> {
    let is_word = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_word(c) && at < text.len()) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                found.push(Token { start: first, end: at, is_mark: is_mark(text, first, at) });
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Whether a word is that of the mark.
fn is_mark(text: &str, start: usize, end: usize) -> bool {
    start > 0 && text.get(start - 1..end + 1) == Some(REDACTED)
}

/// A word without case and accents.
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// A term that was found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// The number of the term.
    pub term: u32,
}

/// A list of terms, to be found in texts.
#[derive(Debug, Clone, Default)]
pub struct TermIndex {
    words: FastMap<String, u32>,
    terms: Vec<Vec<u32>>,
    numbers: FastMap<Vec<u32>, u32>,
    /// The terms that begin with a word.
    beginning: Vec<Vec<u32>>,
}

impl TermIndex {
    /// The number of a term, which is new if the list didn't have it. None if there is no word in
    /// it.
    pub fn add(&mut self, text: &str) -> Option<u32> {
        let mut words = Vec::new();
        for token in tokens(text) {
            let next = self.words.len() as u32;
            let word = fold(&text[token.start..token.end]);
            words.push(*self.words.entry(word).or_insert(next));
        }
        let first = *words.first()? as usize;
        let next = self.terms.len() as u32;
        let number = *self.numbers.entry(words.clone()).or_insert(next);
        if number == next {
            self.terms.push(words);
            self.beginning.resize_with(self.words.len().max(self.beginning.len()), Vec::new);
            self.beginning[first].push(number);
        }
        Some(number)
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Every occurrence of every term, in order.
    pub fn find(&self, text: &str) -> Vec<Found> {
        let tokens = tokens(text);
        let words: Vec<String> =
            tokens.iter().map(|token| fold(&text[token.start..token.end])).collect();
        self.find_words(&tokens, &words)
    }

    /// Every occurrence of every term in a text whose words were found and folded already.
    pub fn find_words(&self, tokens: &[Token], words: &[String]) -> Vec<Found> {
        let word = |(token, word): (&Token, &String)| match token.is_mark {
            true => None,
            false => self.words.get(word).copied(),
        };
        let words: Vec<Option<u32>> = tokens.iter().zip(words).map(word).collect();
        let mut found = Vec::new();
        for (at, first) in words.iter().enumerate() {
            let Some(first) = first else { continue };
            for term in self.beginning.get(*first as usize).into_iter().flatten() {
                let sought = &self.terms[*term as usize];
                let Some(here) = words.get(at..at + sought.len()) else { continue };
                if here.iter().zip(sought).all(|(word, sought)| *word == Some(*sought)) {
                    let (start, end) = (tokens[at].start, tokens[at + sought.len() - 1].end);
                    found.push(Found { start, end, term: *term });
                }
            }
        }
        found.sort();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_whatever_their_case_and_accents() {
        let mut index = TermIndex::default();
        assert_eq!(index.add("New-York"), Some(0));
        assert_eq!(index.add("new  york"), Some(0));
        assert_eq!(index.add("York"), Some(1));
        assert_eq!(index.add("Šušulić"), Some(2));
        assert_eq!((index.add("--"), index.len()), (None, 3));
        let found = |text: &str| -> Vec<(u32, String)> {
            let all = index.find(text).into_iter();
            all.map(|one| (one.term, text[one.start..one.end].to_string())).collect()
        };
        assert_eq!(found("in NEW YORK"), [(0, "NEW YORK".into()), (1, "YORK".into())]);
        assert_eq!(found("susulic!"), [(2, "susulic".into())]);
        assert_eq!(found("S\u{30c}us\u{30c}ulic\u{301}").len(), 1);
        assert_eq!(found("Yorkshire"), []);
        // No term reaches across a mark, and a mark is no term.
        assert_eq!(found("new [REDACTED] york"), [(1, "york".into())]);
        assert_eq!(found("[YORK]"), [(1, "YORK".into())]);
        assert_eq!(found("[York]"), [(1, "York".into())]);
    }
}
