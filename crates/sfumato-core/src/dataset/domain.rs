//! The values a column can have, numbered so that the order of codes means something.

use crate::column::Dictionary;
use crate::dataset::ValueKind;

/// The domain of an encoded column: codes `0..len` in rank order (numbers, dates), in depth-first leaf order (a
/// hierarchy) or in text order (words). Missing has the code `len`, outside every range of codes.
#[derive(Debug, Clone)]
pub struct Domain {
    /// What the texts mean.
    pub kind: ValueKind,
    /// The text of each code.
    pub labels: Dictionary,
    /// The ordered key of each code; empty for words.
    pub keys: Vec<i64>,
}

impl Domain {
    /// A domain of words in the order given.
    pub fn of_texts<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Self {
        Domain { kind: ValueKind::Text, labels: texts.into_iter().collect(), keys: Vec::new() }
    }

    /// How many values, missing not counted.
    pub fn len(&self) -> usize {
        self.labels.len()
    }
    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }
    /// The code of a missing value.
    pub fn missing(&self) -> u32 {
        self.labels.len() as u32
    }
    /// The text of a code; empty for missing.
    pub fn label(&self, code: u32) -> &str {
        if code as usize >= self.len() { "" } else { self.labels.get(code) }
    }
    /// The number of a code, or `None` for words and missing.
    pub fn number(&self, code: u32) -> Option<f64> {
        self.keys.get(code as usize).map(|key| self.kind.number(*key))
    }
    /// The exact key of a code, or `None` for words and missing.
    pub fn key(&self, code: u32) -> Option<i64> {
        self.keys.get(code as usize).copied()
    }
}
