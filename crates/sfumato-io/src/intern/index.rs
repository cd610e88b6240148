//! The index of the distinct texts of one column of the whole file.

use sfumato_core::column::Dictionary;
use sfumato_core::{Error, Result};

/// The number of every text of a [`Dictionary`], found by hash.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// The upper half of the hash, and the code plus one (0 if the slot is empty).
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl Index {
    /// The code of a text. A new text is appended to the dictionary. `text` must be UTF-8.
    #[inline]
    pub(crate) fn intern(
        &mut self,
        dictionary: &mut Dictionary,
        text: &[u8],
        hash: u64,
    ) -> Result<u32> {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let tag = (hash >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = self.home(tag);
        loop {
            let (slot_tag, code) = self.slots[at];
            if code == 0 {
                let text =
                    std::str::from_utf8(text).map_err(|_| Error::internal("a text isn't UTF-8"))?;
                let new = push(dictionary, text)?;
                self.slots[at] = (tag, new + 1);
                self.used += 1;
                return Ok(new);
            }
            if slot_tag == tag && dictionary.get_bytes(code - 1) == text {
                return Ok(code - 1);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn home(&self, tag: u32) -> usize {
        (u64::from(tag) >> (32 - self.slots.len().trailing_zeros().min(32))) as usize
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); size]);
        for slot in old.into_iter().filter(|s| s.1 != 0) {
            let mut at = self.home(slot.0);
            while self.slots[at].1 != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
        }
    }
}

/// Append a text to a dictionary, or return an error if it is full.
pub(crate) fn push(dictionary: &mut Dictionary, text: &str) -> Result<u32> {
    if dictionary.len() >= u32::MAX as usize - 1 {
        return Err(Error::resources("a column has more than four billion distinct values"));
    }
    Ok(dictionary.push(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intern::{LocalColumn, hash_text};

    #[test]
    fn codes_in_order_first_seen() {
        let bytes = b"a||ab|a|a long text of many bytes|a long text of many bytez|a long text of \
            many bytes|";
        let mut column = LocalColumn::new(8, 1, None);
        let mut index = Index::default();
        let mut dictionary = Dictionary::new();
        let mut start = 0;
        let mut global = Vec::new();
        for end in memchr::memchr_iter(b'|', bytes) {
            let code = column.intern(bytes, start, end);
            column.codes.push(code);
            let text = &bytes[start..end];
            global.push(index.intern(&mut dictionary, text, hash_text(text)).unwrap());
            start = end + 1;
        }
        assert_eq!(column.codes, [0, 1, 2, 0, 3, 4, 3]);
        assert_eq!(global, column.codes);
        assert_eq!(dictionary.get(2), "ab");
        assert_eq!(column.intern_null(), 5);
        assert_eq!(column.intern_null(), 5);
    }
}
