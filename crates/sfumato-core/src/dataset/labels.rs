//! The texts of a domain's codes: kept, or spelled from the keys when somebody asks, so that a
//! domain of many numbers holds no texts.

use std::borrow::Cow;

use crate::column::Dictionary;
use crate::dataset::ValueKind;

/// Where the texts of codes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labels {
    /// They are kept.
    Texts(Dictionary),
    /// They are the domain's keys in their plain form.
    Spelled {
        /// How many digits decimals have after the point; `None`: as many as they need.
        digits: Option<u8>,
    },
}

impl Labels {
    /// How many there are, for a domain of these keys.
    pub(super) fn len(&self, keys: &[i64]) -> usize {
        match self {
            Labels::Texts(texts) => texts.len(),
            Labels::Spelled { .. } => keys.len(),
        }
    }

    /// The text of a code below the length.
    #[inline]
    pub(super) fn get(&self, code: u32, kind: ValueKind, keys: &[i64]) -> Cow<'_, str> {
        match self {
            Labels::Texts(texts) => Cow::Borrowed(texts.get(code)),
            Labels::Spelled { digits } => Cow::Owned(kind.spell(keys[code as usize], *digits)),
        }
    }

    /// Bytes of memory held.
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
