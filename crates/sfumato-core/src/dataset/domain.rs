//! The values a column can have, numbered so that the order of codes means something.

use std::borrow::Cow;

use crate::column::Dictionary;
use crate::dataset::{Labels, ValueKind};

/// The domain of an encoded column: codes `0..len` in rank order (numbers, dates), in depth-first
/// leaf order (a hierarchy) or in text order (words). Missing has the code `len`, outside every
/// range of codes.
#[derive(Debug, Clone)]
pub struct Domain {
    /// The type of the values: what their texts mean.
    pub kind: ValueKind,
    /// The text of each code, or how to format it.
    pub labels: Labels,
    /// The ordered key of each code. Empty for words.
    pub keys: Vec<i64>,
}

impl Domain {
    /// A domain of words in the order given.
    pub fn of_texts<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Self {
        Domain { kind: ValueKind::Text, labels: texts.into_iter().collect(), keys: Vec::new() }
    }

    /// The number of values. Missing isn't counted.
    pub fn len(&self) -> usize {
        self.labels.len(&self.keys)
    }
    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The code of a missing value.
    pub fn missing(&self) -> u32 {
        self.len() as u32
    }
    /// The text of a code. Empty for missing.
    pub fn label(&self, code: u32) -> Cow<'_, str> {
        if code as usize >= self.len() {
            return Cow::Borrowed("");
        }
        self.labels.get(code, self.kind, &self.keys)
    }
    /// All texts in the order of codes.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> + Clone + '_ {
        (0..self.len()).map(|code| self.labels.get(code as u32, self.kind, &self.keys))
    }
    /// Whether texts are formatted from keys instead of being stored.
    pub fn is_spelled(&self) -> bool {
        matches!(self.labels, Labels::Spelled { .. })
    }
    /// The code of a text. This is fast if texts are formatted from sorted keys; otherwise every
    /// text is compared.
    pub fn find(&self, text: &str) -> Option<u32> {
        let code = match self.is_spelled() && self.keys.is_sorted() {
            true => self.keys.binary_search(&self.kind.parse(text)?).ok()?,
            false => self.labels().position(|label| label == text)?,
        };
        // Another spelling of the same number isn't this text.
        (self.label(code as u32) == text).then_some(code as u32)
    }
    /// All texts as a dictionary.
    pub fn texts(&self) -> Cow<'_, Dictionary> {
        match &self.labels {
            Labels::Texts(texts) => Cow::Borrowed(texts),
            Labels::Spelled { .. } => Cow::Owned(self.labels().collect()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelled_texts_are_those_that_were_kept() {
        let kind = ValueKind::Decimal { scale: 2 };
        let keys = vec![-150, 0, 25, 300];
        let spelled =
            Domain { kind, labels: Labels::Spelled { digits: Some(2) }, keys: keys.clone() };
        let labels = ["-1.50", "0.00", "0.25", "3.00"];
        let kept = Domain { kind, labels: labels.into_iter().collect(), keys };
        assert_eq!(spelled.texts(), kept.texts());
        assert!(spelled.labels().eq(kept.labels()));
        assert_eq!((spelled.len(), spelled.missing(), spelled.labels.bytes()), (4, 4, 0));
        for domain in [&spelled, &kept] {
            assert_eq!(domain.find("0.25"), Some(2));
            assert_eq!([domain.find("3"), domain.find("x"), domain.find("0.26")], [None; 3]);
            assert_eq!(domain.label(4), "");
        }
    }
}
