//! Finds the record of a key.

use hashbrown::HashTable;
use sfumato_core::column::Dictionary;
use sfumato_core::{Error, Result};

use sfumato_engine::hash::hash_text;

/// The keys of all records: texts, or else the numbers from 1 on.
pub enum Keys {
    /// Keys that are texts.
    Texts {
        /// The texts, by record.
        texts: Dictionary,
        /// The records by the hash of their text.
        index: HashTable<u32>,
    },
    /// Keys that are the numbers of records. This is the number of records.
    Numbers(usize),
}

impl Keys {
    /// The keys of `n_records` records. A key that two records have is an error, since it would be
    /// unclear whose set to serve.
    pub fn new(texts: Option<Dictionary>, n_records: usize, path: &str) -> Result<Self> {
        let Some(texts) = texts else { return Ok(Keys::Numbers(n_records)) };
        let mut index: HashTable<u32> = HashTable::with_capacity(texts.len());
        for record in 0..texts.len() as u32 {
            let (hash, text) = (hash_text(texts.get(record)), texts.get(record));
            if index.find(hash, |other| texts.get(*other) == text).is_some() {
                return Err(Error::input(format!(
                    "record {} has a key that an earlier one has",
                    record + 1
                ))
                .in_file(path));
            }
            index.insert_unique(hash, record, |other| hash_text(texts.get(*other)));
        }
        Ok(Keys::Texts { texts, index })
    }

    /// The record of a key.
    pub fn find(&self, key: &str) -> Option<usize> {
        match self {
            Keys::Texts { texts, index } => index
                .find(hash_text(key), |record| texts.get(*record) == key)
                .map(|record| *record as usize),
            Keys::Numbers(n) => {
                let number: usize = key.parse().ok().filter(|number| (1..=*n).contains(number))?;
                Some(number - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_and_others_are_not() {
        let keys = Keys::new(Some(["ann", "bob", ""].into_iter().collect()), 3, "f").unwrap();
        assert_eq!(
            ["ann", "bob", "", "cid"].map(|key| keys.find(key)),
            [Some(0), Some(1), Some(2), None]
        );
        let numbers = Keys::new(None, 3, "f").unwrap();
        assert_eq!(
            ["1", "3", "0", "4", "x", "+1"].map(|key| numbers.find(key)),
            [Some(0), Some(2), None, None, None, Some(0)]
        );
        assert!(Keys::new(Some(["a", "a"].into_iter().collect()), 2, "f").is_err());
    }
}
