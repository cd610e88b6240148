//! Names of people: by a list of given names, and by the words around them.

use std::sync::LazyLock;

use sfumato_core::FastSet;
use sfumato_core::registry::Info;

use super::{Detector, Scan, Strength};
use crate::data::Span;

/// The detector `person`, an entry of the registry.
pub struct Person;

static INFO: Info = Info {
    name: "person",
    summary: "names of people: by given names, titles, and words that a name follows",
    doc: "\
Capitalized words that follow one another are a name if

- the first of them is a given name of a list of some fifteen hundred, and more than one word, or \
no common word of English;
- a title stands before them (Mr., Dr., Prof.), which isn't part of the name;
- words stand before them that a name follows: my name is, patient, signed by, dear.

A name that is written in small letters, or of which neither the first word is listed nor a hint \
stands beside it, isn't found. The tagger
that comes with the program, and one that is trained on your own documents, find more.
",
    ..Info::DEFAULT
};

static GIVEN: LazyLock<FastSet<&'static str>> =
    LazyLock::new(|| include_str!("lists/given_names.txt").split_whitespace().collect());
static AMBIGUOUS: LazyLock<FastSet<&'static str>> =
    LazyLock::new(|| include_str!("lists/not_names.txt").split_whitespace().collect());

const TITLES: [&str; 20] = [
    "mr",
    "mrs",
    "ms",
    "miss",
    "dr",
    "prof",
    "professor",
    "doctor",
    "sir",
    "madam",
    "lady",
    "lord",
    "nurse",
    "herr",
    "frau",
    "monsieur",
    "madame",
    "senor",
    "senora",
    "signor",
];
/// Words after which a name comes, one after the other.
const BEFORE: [&[&str]; 12] = [
    &["name", "is"],
    &["named"],
    &["dear"],
    &["signed", "by"],
    &["patient"],
    &["patient", "name"],
    &["i", "am"],
    &["called"],
    &["regards"],
    &["sincerely"],
    &["daughter"],
    &["son"],
];
/// Small words inside names.
const PARTICLES: [&str; 14] =
    ["van", "von", "de", "der", "den", "di", "da", "del", "la", "le", "bin", "al", "el", "dos"];

/// Whether a word, without case and accents, is a given name.
pub fn is_given(word: &str) -> bool {
    GIVEN.contains(word)
}

/// The last word of a run of capitalized words that begins here. Blanks, dots after single letters,
/// hyphens and apostrophes are between them.
fn run(scan: &Scan<'_>, first: usize) -> usize {
    let mut last = first;
    let mut at = first;
    while at + 1 < scan.tokens.len() && at < first + 5 {
        let is_initial = scan.written(at).chars().count() == 1;
        let gap = scan.gap(at);
        let is_near = matches!(gap, " " | "-" | "'" | "’") || (is_initial && gap == ". ");
        let is_small = PARTICLES.contains(&scan.words[at + 1].as_str()) && gap == " ";
        if !is_near || !(is_name(scan, at + 1) || is_small) {
            break;
        }
        at += 1;
        if !is_small || scan.is_capital(at) {
            last = at;
        }
    }
    last
}

/// Whether a word may be part of a name: a capital and letters.
fn is_name(scan: &Scan<'_>, at: usize) -> bool {
    let written = scan.written(at);
    scan.is_capital(at) && written.chars().all(char::is_alphabetic)
}

impl Detector for Person {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self) -> &'static [&'static str] {
        &["PERSON"]
    }
    fn strength(&self) -> Strength {
        Strength::Weak
    }
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>) {
        let mut at = 0;
        while at < scan.tokens.len() {
            if !is_name(scan, at) || TITLES.contains(&scan.words[at].as_str()) {
                at += 1;
                continue;
            }
            let last = run(scan, at);
            let word = scan.words[at].as_str();
            let is_sure = !AMBIGUOUS.contains(word);
            let is_listed = is_given(word) && (is_sure || last > at);
            if is_listed || is_titled(scan, at) || is_announced(scan, at) {
                let (start, end) = (scan.tokens[at].start, scan.tokens[last].end);
                found.push(Span::new(start, end, "PERSON"));
                at = last;
            }
            at += 1;
        }
    }
}

/// Whether a title stands before a word.
fn is_titled(scan: &Scan<'_>, at: usize) -> bool {
    at > 0
        && TITLES.contains(&scan.words[at - 1].as_str())
        && matches!(scan.gap(at - 1), " " | ". " | ".")
}

/// Whether words stand before a word that a name follows.
fn is_announced(scan: &Scan<'_>, at: usize) -> bool {
    let is_here = |words: &&[&str]| {
        let Some(first) = at.checked_sub(words.len()) else { return false };
        let gap = scan.gap(at - 1);
        words.iter().enumerate().all(|(n, word)| scan.words[first + n] == *word)
            && (gap.trim_matches([' ', ':', ',']).is_empty())
    };
    let is_common = AMBIGUOUS.contains(scan.words[at].as_str());
    !is_common && BEFORE.iter().any(is_here)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn names_and_other_words() {
        check(&Person, "[PERSON:Laura Carvalho] met Dr. [PERSON:Šušulić] and [PERSON:Emily].");
        check(&Person, "My name is [PERSON:Djevad Xu]. Patient: [PERSON:Ludwig van Beethoven]");
        check(&Person, "[PERSON:John F. Kennedy] in May, with Hope. [PERSON:Grace Kelly]");
        check(&Person, "The Patient was seen on Monday in Vienna.");
    }
}
