//! The texts of one column of one block.

use std::sync::Arc;

use crate::intern::key::{hash_of, key_at};
use crate::intern::seed::Seed;
use crate::intern::shortcut::{self, Shortcut};
use crate::intern::table::Table;

/// One column of one block: codes local to the block, and where each distinct text was first seen.
/// The codes of the seed come first.
pub(crate) struct LocalColumn {
    /// One local code per row.
    pub(crate) codes: Vec<u32>,
    /// The hash of each distinct text that isn't in the seed.
    pub(crate) hashes: Vec<u64>,
    /// The local code of null, whose span has no meaning.
    pub(crate) null: Option<u32>,
    table: Table,
    seed: Option<Arc<Seed>>,
    base: u32,
}

impl LocalColumn {
    /// An empty column that expects `rows` rows and `distinct` distinct texts besides those of the
    /// seed.
    pub(crate) fn new(rows: usize, distinct: usize, seed: Option<Arc<Seed>>) -> Self {
        LocalColumn {
            codes: Vec::with_capacity(rows),
            hashes: Vec::with_capacity(distinct),
            null: None,
            table: Table::new(distinct),
            base: seed.as_ref().map_or(0, |seed| seed.codes),
            seed,
        }
    }

    /// The number of bytes of memory, but for the seed, which all blocks share.
    pub(crate) fn bytes(&self) -> u64 {
        let codes = self.codes.capacity() * size_of::<u32>();
        (codes + self.hashes.capacity() * size_of::<u64>() + self.table.bytes()) as u64
    }

    /// The code of the text `bytes[start..end]`.
    #[inline(always)]
    pub(crate) fn intern(&mut self, bytes: &[u8], start: usize, end: usize) -> u32 {
        self.intern_key::<false>(key_at::<false>(bytes, start, end), bytes, start, end)
    }

    /// Append the codes of many texts.
    #[inline(always)]
    pub(crate) fn extend(&mut self, bytes: &[u8], texts: impl Iterator<Item = (usize, usize)>) {
        let mut codes = std::mem::take(&mut self.codes);
        let seed = self.seed.clone();
        let (far, mixed, shortcut) = match &seed {
            Some(seed) => (seed.table.is_far(), seed.mixed, seed.shortcut.as_ref()),
            None => (self.table.is_far(), false, None),
        };
        match shortcut {
            Some(Shortcut::Digits(table)) => codes.extend(texts.map(|(start, end)| {
                let code = shortcut::digits_code(table, bytes, start, end);
                code.unwrap_or_else(|| self.intern_anew(bytes, start, end))
            })),
            Some(Shortcut::Pairs(table)) => codes.extend(texts.map(|(start, end)| {
                let code = shortcut::pair_code(table, bytes, start, end);
                code.unwrap_or_else(|| self.intern_anew(bytes, start, end))
            })),
            None if far => self.extend_from_afar(bytes, &mut codes, texts),
            None if mixed => codes.extend(texts.map(|(start, end)| {
                self.intern_key::<true>(key_at::<true>(bytes, start, end), bytes, start, end)
            })),
            None => codes.extend(texts.map(|(start, end)| self.intern(bytes, start, end))),
        }
        self.codes = codes;
    }

    /// The code of a text that the shortcut doesn't know.
    #[inline(never)]
    fn intern_anew(&mut self, bytes: &[u8], start: usize, end: usize) -> u32 {
        self.intern(bytes, start, end)
    }

    /// Append the codes of many texts, for tables that don't fit the caches: memory is waited for
    /// once per batch instead of once per text.
    #[inline(always)]
    fn extend_from_afar(
        &mut self,
        bytes: &[u8],
        codes: &mut Vec<u32>,
        mut texts: impl Iterator<Item = (usize, usize)>,
    ) {
        const BATCH: usize = 64;
        let mut spans = [(0, 0); BATCH];
        let mut keys = [0; BATCH];
        loop {
            let mut n = 0;
            for (span, key) in spans.iter_mut().zip(&mut keys) {
                let Some((start, end)) = texts.next() else { break };
                *span = (start, end);
                *key = key_at::<false>(bytes, start, end);
                n += 1;
            }
            if n == 0 {
                return;
            }
            match &self.seed {
                Some(seed) => seed.table.touch(&keys[..n]),
                None => self.table.touch(&keys[..n]),
            }
            let batch = spans[..n].iter().zip(&keys[..n]);
            codes.extend(
                batch.map(|(&(start, end), &key)| self.intern_key::<false>(key, bytes, start, end)),
            );
        }
    }

    #[inline(always)]
    fn intern_key<const MIXED: bool>(
        &mut self,
        key: u64,
        bytes: &[u8],
        start: usize,
        end: usize,
    ) -> u32 {
        if let Some(seed) = &self.seed
            && let Ok(code) = seed.table.find::<MIXED>(key, &seed.bytes, bytes, start, end)
        {
            return code;
        }
        match self.table.find::<MIXED>(key, bytes, bytes, start, end) {
            Ok(code) => code + self.base,
            Err(at) => self.insert(at, key, start, end),
        }
    }

    /// The code of null.
    pub(crate) fn intern_null(&mut self) -> u32 {
        if let Some(code) = self.null {
            return code;
        }
        let code = self.number(0, 0, 0);
        self.null = Some(code);
        code
    }

    /// Start and end in the block of each distinct text that isn't in the seed.
    pub(crate) fn spans(&self) -> &[(u32, u32)] {
        &self.table.spans
    }

    /// The number of codes of the seed, which are final.
    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    #[inline(never)]
    fn insert(&mut self, at: usize, key: u64, start: usize, end: usize) -> u32 {
        let code = self.number(start, end, hash_of(key));
        self.table.place(at, key, code - self.base);
        code
    }

    /// Give the next distinct text its number.
    fn number(&mut self, start: usize, end: usize, hash: u64) -> u32 {
        self.table.spans.push((start as u32, end as u32));
        self.hashes.push(hash);
        self.base + (self.hashes.len() - 1) as u32
    }

    /// Free the table, which takes more memory than what is still needed.
    pub(crate) fn finish(&mut self) {
        self.table.clear();
        self.seed = None;
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::column::Dictionary;

    use super::*;
    use crate::intern::Index;

    #[test]
    fn growing_keeps_every_text() {
        let texts: Vec<String> = (0..5000).map(|i| format!("{}-{i}", "x".repeat(i % 40))).collect();
        let all = texts.join("");
        let mut column = LocalColumn::new(0, 0, None);
        let mut index = Index::default();
        let mut dictionary = Dictionary::new();
        for round in 0..2 {
            let mut start = 0;
            for (i, text) in texts.iter().enumerate() {
                let code = column.intern(all.as_bytes(), start, start + text.len());
                start += text.len();
                assert_eq!(code as usize, i, "round {round}");
                let code =
                    index.intern(&mut dictionary, text.as_bytes(), column.hashes[i]).unwrap();
                assert_eq!(code as usize, i, "round {round}");
            }
        }
    }

    #[test]
    fn a_seed_saves_work_and_changes_nothing() {
        let dictionary: Dictionary =
            ["a", "", "middle text", "", "a long text of many bytes"].into_iter().collect();
        let seed = Arc::new(Seed::new(&dictionary, 5, Some(3)).unwrap());
        let mut column = LocalColumn::new(0, 0, Some(seed));
        let bytes = b"a long text of many bytes, middle text, new";
        assert_eq!(column.intern(bytes, 0, 1), 0);
        assert_eq!(column.intern(bytes, 0, 0), 1);
        assert_eq!(column.intern(bytes, 27, 38), 2);
        assert_eq!(column.intern(bytes, 0, 25), 4);
        assert_eq!(column.intern(bytes, 40, 43), 5);
        assert_eq!(column.intern_null(), 6);
        assert_eq!(column.intern(bytes, 40, 42), 7);
        assert_eq!(column.intern(bytes, 40, 43), 5);
        assert_eq!(column.spans(), [(40, 43), (0, 0), (40, 42)]);
    }

    #[test]
    fn many_texts_at_once() {
        let texts: Vec<String> =
            (0..20_000u32).map(|i| format!("{:x}", i.wrapping_mul(0x9E37_79B9))).collect();
        let mixed: Vec<String> =
            (0..2000).map(|i| "m".repeat(i * 7 % 20) + &(i % 9).to_string()).collect();
        for texts in [texts, mixed] {
            let all = texts.concat();
            let mut spans = Vec::new();
            for text in &texts {
                let start = spans.last().map_or(0, |&(_, end)| end);
                spans.push((start, start + text.len()));
            }
            let mut one_by_one = LocalColumn::new(0, 0, None);
            let expected: Vec<u32> =
                spans.iter().map(|&(a, b)| one_by_one.intern(all.as_bytes(), a, b)).collect();
            let dictionary: Dictionary =
                one_by_one.spans().iter().map(|&(a, b)| &all[a as usize..b as usize]).collect();
            for seeded in [0, 10, dictionary.len()] {
                let seed = Arc::new(Seed::new(&dictionary, seeded, None).unwrap());
                let mut column = LocalColumn::new(0, 0, Some(seed));
                column.extend(all.as_bytes(), spans.iter().copied());
                column.extend(all.as_bytes(), spans.iter().copied());
                assert_eq!(column.codes, [expected.clone(), expected.clone()].concat());
            }
        }
    }

    #[test]
    fn texts_with_zero_bytes_and_other_lengths_differ() {
        let bytes = b"\0\0\0\0";
        let mut column = LocalColumn::new(0, 0, None);
        assert_eq!(column.intern(bytes, 0, 0), 0);
        assert_eq!(column.intern(bytes, 0, 1), 1);
        assert_eq!(column.intern(bytes, 0, 2), 2);
        assert_eq!(column.intern(bytes, 2, 3), 1);
    }
}
