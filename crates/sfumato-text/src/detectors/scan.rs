//! A text with its words found once, for all detectors.

use crate::data::{Token, fold, tokens};

/// A text that detectors look through.
pub struct Scan<'a> {
    /// The text.
    pub text: &'a str,
    /// Its words.
    pub tokens: Vec<Token>,
    /// Its words without case and accents.
    pub words: Vec<String>,
}

impl<'a> Scan<'a> {
    /// Find the words of a text.
    pub fn new(text: &'a str) -> Self {
        let tokens = tokens(text);
        let words = tokens.iter().map(|token| fold(&text[token.start..token.end])).collect();
        Scan { text, tokens, words }
    }

    /// A word as it is written.
    pub fn written(&self, at: usize) -> &'a str {
        let token = self.tokens[at];
        &self.text[token.start..token.end]
    }

    /// What stands between a word and the next.
    pub fn gap(&self, at: usize) -> &'a str {
        match self.tokens.get(at + 1) {
            Some(next) => &self.text[self.tokens[at].end..next.start],
            None => &self.text[self.tokens[at].end..],
        }
    }

    /// How many words end at or before a byte.
    pub fn words_before(&self, byte: usize) -> usize {
        self.tokens.partition_point(|token| token.end <= byte)
    }

    /// Whether one of these words is among the last so many before a byte.
    pub fn is_after(&self, byte: usize, reach: usize, cues: &[&str]) -> bool {
        let end = self.words_before(byte);
        let near = &self.words[end.saturating_sub(reach)..end];
        near.iter().any(|word| cues.contains(&word.as_str()))
    }

    /// Whether one of these words is among the next so many after a byte.
    pub fn is_before(&self, byte: usize, reach: usize, cues: &[&str]) -> bool {
        let start = self.tokens.partition_point(|token| token.start < byte);
        self.words[start..].iter().take(reach).any(|word| cues.contains(&word.as_str()))
    }

    /// Whether a word begins with a capital letter.
    pub fn is_capital(&self, at: usize) -> bool {
        self.written(at).chars().next().is_some_and(char::is_uppercase)
    }

    /// Whether neither a letter nor a digit touches a part of the text.
    pub fn stands_alone(&self, start: usize, end: usize) -> bool {
        let before = self.text[..start].chars().next_back();
        let after = self.text[end..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    }
}

/// A number that may be written in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouped {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Its digits.
    pub digits: Vec<u8>,
    /// How many digits each group has.
    pub groups: Vec<usize>,
}

/// Every number in a text whose groups have one of these bytes between them, and nothing else.
/// Letters don't touch it.
pub fn grouped(text: &str, between: &[u8]) -> Vec<Grouped> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let mut one = Grouped { start: at, end: at, digits: Vec::new(), groups: vec![0] };
        loop {
            match bytes.get(at) {
                Some(digit) if digit.is_ascii_digit() => {
                    one.digits.push(digit - b'0');
                    *one.groups.last_mut().expect("there is a group from the first on") += 1;
                    at += 1;
                    one.end = at;
                }
                Some(other)
                    if between.contains(other)
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) =>
                {
                    one.groups.push(0);
                    at += 1;
                }
                _ => break,
            }
        }
        let before = text[..one.start].chars().next_back();
        let after = text[one.end..].chars().next();
        if !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric) {
            found.push(one);
        }
    }
    found
}
