//! Guesses which words of a file mean that a value is missing.

use sfumato_core::column::RawColumn;
use sfumato_core::dataset::{ValueKind, Written};
use sfumato_io::is_missing_word;

use super::role::told;

/// Words that mean missing, and why.
pub(super) struct Words {
    /// The words as the file spells them, in the order in which columns have them.
    pub(super) words: Vec<String>,
    /// Where they are, in words.
    pub(super) reason: String,
    /// Whether a person must look: some stand in columns of texts, where they may mean something.
    pub(super) check: bool,
}

/// Words that rarely mean anything else, in lower case.
const PLAIN: [&str; 9] = ["?", "na", "n/a", "#n/a", "null", "(null)", "nan", "(blank)", "\\n"];

/// Guess which words mean missing: those that stand among numbers or dates, and those that rarely
/// mean anything else.
pub(super) fn guess(columns: &[RawColumn]) -> Option<Words> {
    let mut words: Vec<String> = Vec::new();
    let (mut among_numbers, mut among_texts) = (Vec::new(), Vec::new());
    let found = |column: &RawColumn| -> Vec<String> {
        told(column, &[]).filter(|text| is_missing_word(text)).map(String::from).collect()
    };
    let mut add = |found: Vec<String>| {
        for word in found {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    };
    for column in columns {
        let candidates = found(column);
        if candidates.is_empty() {
            continue;
        }
        let others = || told(column, &candidates);
        let is_of_texts = ValueKind::infer(others()) == ValueKind::Text
            && Written::guess(others()).is_none()
            || others().next().is_none();
        if !is_of_texts {
            among_numbers.push(column.name.clone());
            add(candidates);
            continue;
        }
        // NA among codes of two letters may be one of them.
        let are_codes = others().all(|text| text.len() == 2) && others().next().is_some();
        let plain: Vec<String> = candidates
            .into_iter()
            .filter(|word| PLAIN.iter().any(|known| word.eq_ignore_ascii_case(known)))
            .filter(|word| !(are_codes && word.len() == 2))
            .collect();
        if !plain.is_empty() {
            among_texts.push(column.name.clone());
            add(plain);
        }
    }
    if words.is_empty() {
        return None;
    }
    let spelled: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let mut places = Vec::new();
    if !among_numbers.is_empty() {
        places.push(format!("among the numbers or dates of {}", some(&among_numbers)));
    }
    if !among_texts.is_empty() {
        places.push(format!("in {}", some(&among_texts)));
    }
    let verb = if words.len() == 1 { "means" } else { "mean" };
    let stand = if words.len() == 1 { "it stands" } else { "they stand" };
    let reason = format!("{} {verb} missing: {stand} {}", spelled.join(", "), places.join(" and "));
    Some(Words { words, reason, check: !among_texts.is_empty() })
}

/// The first few of some names.
fn some(names: &[String]) -> String {
    match names.len() {
        0..=4 => names.join(", "),
        n => format!("{} and {} more columns", names[..3].join(", "), n - 3),
    }
}
