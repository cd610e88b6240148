//! A hash table from texts to codes that owns no text.
//!
//! Keys are stored in buckets of four that are compared without branches, since a mispredicted
//! branch would wait for memory.

use crate::intern::key::{HASHED, MIDDLE, hash_of, middle};

/// The number of slots in a bucket.
const WAYS: usize = 4;

#[derive(Clone, Copy, Default)]
struct Bucket {
    keys: [u64; WAYS],
    codes: [u32; WAYS],
}

/// Keys and codes, and where the text of each code is.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    shift: u32,
    /// The start and the end of the text of each code.
    pub(super) spans: Vec<(u32, u32)>,
    used: usize,
}

impl Table {
    pub(super) fn new(distinct: usize) -> Self {
        let bits = (distinct.max(32) * 2 / WAYS).next_power_of_two().trailing_zeros();
        let buckets = vec![Bucket::default(); 1 << bits];
        Table { buckets, shift: 64 - bits, spans: Vec::with_capacity(distinct), used: 0 }
    }

    /// The number of bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
            + self.spans.capacity() * size_of::<(u32, u32)>()
    }

    /// The code of a text, or the bucket for it. The table's own texts are in `own`.
    #[inline(always)]
    pub(super) fn find<const MIXED: bool>(
        &self,
        key: u64,
        own: &[u8],
        text: &[u8],
        start: usize,
        end: usize,
    ) -> Result<u32, usize> {
        let mask = self.buckets.len() - 1;
        let mut at = (hash_of(key) >> self.shift) as usize & mask;
        loop {
            let bucket = &self.buckets[at];
            let mut hits = 0u32;
            for way in 0..WAYS {
                hits |= u32::from(bucket.keys[way] == key) << way;
            }
            if hits != 0 {
                let code = bucket.codes[hits.trailing_zeros() as usize % WAYS];
                // Comparing short texts too is cheaper than a wrong guess at whether this one is
                // short.
                if (!MIXED && key < HASHED) || self.same(code, own, text, start, end) {
                    return Ok(code);
                }
                // Equal hashes of different texts are possible but never seen: the slow way settles
                // them.
                return self.settle(key, own, text, start, end);
            }
            if bucket.keys[WAYS - 1] == 0 {
                return Err(at);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline(always)]
    fn same(&self, code: u32, own: &[u8], text: &[u8], start: usize, end: usize) -> bool {
        let (own_start, own_end) = self.spans[code as usize];
        let (own_start, own_end) = (own_start as usize, own_end as usize);
        if own_end - own_start != end - start {
            return false;
        }
        if end - start <= MIDDLE {
            return middle(own, own_start, own_end) == middle(text, start, end);
        }
        own[own_start..own_end] == text[start..end]
    }

    /// Find a text whose key is also the key of another text, by comparing every slot.
    #[cold]
    #[inline(never)]
    fn settle(
        &self,
        key: u64,
        own: &[u8],
        text: &[u8],
        start: usize,
        end: usize,
    ) -> Result<u32, usize> {
        let mask = self.buckets.len() - 1;
        let mut at = (hash_of(key) >> self.shift) as usize & mask;
        loop {
            let bucket = self.buckets[at];
            for way in 0..WAYS {
                if bucket.keys[way] == 0 {
                    return Err(at);
                }
                if bucket.keys[way] == key && self.same(bucket.codes[way], own, text, start, end) {
                    return Ok(bucket.codes[way]);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Load the buckets of some keys at once, which is faster than waiting for each when it is
    /// searched.
    pub(super) fn touch(&self, keys: &[u64]) {
        let mask = self.buckets.len() - 1;
        let touch = |key: &u64| self.buckets[(hash_of(*key) >> self.shift) as usize & mask].keys[0];
        std::hint::black_box(keys.iter().map(touch).fold(0, u64::wrapping_add));
    }

    /// Whether the table is too large for the nearest caches.
    pub(super) fn is_far(&self) -> bool {
        self.buckets.len() * size_of::<Bucket>() > 1 << 18
    }

    /// Put a key into the first free slot from bucket `at` on.
    pub(super) fn place(&mut self, at: usize, key: u64, code: u32) {
        self.put(at, key, code);
        self.used += 1;
        if self.used * 3 > self.buckets.len() * WAYS * 2 {
            self.grow();
        }
    }

    fn put(&mut self, mut at: usize, key: u64, code: u32) {
        let mask = self.buckets.len() - 1;
        loop {
            let bucket = &mut self.buckets[at];
            if let Some(way) = bucket.keys.iter().position(|&k| k == 0) {
                bucket.keys[way] = key;
                bucket.codes[way] = code;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let bits = self.buckets.len().trailing_zeros() + 2;
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::default(); 1 << bits]);
        self.shift = 64 - bits;
        for bucket in old {
            for way in (0..WAYS).filter(|&way| bucket.keys[way] != 0) {
                let at = (hash_of(bucket.keys[way]) >> self.shift) as usize;
                self.put(at, bucket.keys[way], bucket.codes[way]);
            }
        }
    }

    /// The bucket where the search for a key begins.
    pub(super) fn home(&self, key: u64) -> usize {
        (hash_of(key) >> self.shift) as usize & (self.buckets.len() - 1)
    }

    /// Remove the keys and keep the texts.
    pub(super) fn clear(&mut self) {
        self.buckets = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_of_different_texts() {
        // No two texts with one key are at hand, so the key is forced.
        let bytes = b"first text.second text.";
        let mut table = Table::new(0);
        for (code, (start, end)) in [(0, 10), (11, 22)].into_iter().enumerate() {
            let key = HASHED | 5;
            let at = table.find::<false>(key, bytes, bytes, start, end).unwrap_err();
            table.spans.push((start as u32, end as u32));
            table.place(at, key, code as u32);
            assert_eq!(table.find::<true>(key, bytes, bytes, start, end), Ok(code as u32));
        }
        assert_eq!(table.find::<false>(HASHED | 5, bytes, bytes, 0, 10), Ok(0));
        assert!(table.find::<false>(HASHED | 5, bytes, bytes, 0, 9).is_err());
    }
}
