//! The texts of a domain's codes: stored, or formatted from the keys on demand, so that a domain of
//! many numbers stores no texts.

use std::borrow::Cow;

use crate::column::Dictionary;
use crate::dataset::ValueKind;

/// Where the texts of codes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labels {
    /// The texts are stored.
    Texts(Dictionary),
    /// The texts are the plain forms of the domain's keys.
    Spelled {
        /// How many digits decimals have after the point. `None`: as many as they need.
        digits: Option<u8>,
    },
}

impl Labels {
    /// The number of texts, for a domain of these keys.
    pub(super) fn len(&self, keys: &[i64]) -> usize {
        match self {
            Labels::Texts(texts) => texts.len(),
            Labels::Spelled { .. } => keys.len(),
        }
    }

    /// The text of a code, which must be below the length.
    #[inline]
    pub(super) fn get(&self, code: u32, kind: ValueKind, keys: &[i64]) -> Cow<'_, str> {
        match self {
            Labels::Texts(texts) => Cow::Borrowed(texts.get(code)),
            Labels::Spelled { digits } => Cow::Owned(kind.spell(keys[code as usize], *digits)),
        }
    }

    /// The number of bytes in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Labels::Texts(texts) => texts.bytes(),
            Labels::Spelled { .. } => 0,
        }
    }
}

impl From<Dictionary> for Labels {
    fn from(texts: Dictionary) -> Self {
        Labels::Texts(texts)
    }
}

impl<S: AsRef<str>> FromIterator<S> for Labels {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Self {
        Labels::Texts(texts.into_iter().collect())
    }
}
