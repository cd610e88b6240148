//! The rows of a node in the order of one column: each code that occurs is a slot, and a cut lies
//! between two slots.
//!
//! Codes in a narrow range are counted in a table. Others are sorted once, by counting their high
//! bits first, so that the cost is near that of one pass.

use super::super::cells::Cells;

/// How many times as long as their rows tables may be.
const ROOMY: usize = 4;

/// The slots of one column at one node.
#[derive(Debug, Default)]
pub struct Slots {
    /// Whether slot i is the code `min + i`, empty slots included, and nothing is sorted.
    pub dense: bool,
    /// The smallest code.
    pub min: u32,
    /// The code of each slot, if sorted.
    codes: Vec<u32>,
    /// How many rows come before the end of each slot.
    pub ends: Vec<u32>,
    /// The places in the node in the order of their codes, if sorted.
    pub order: Vec<u32>,
    keys: Vec<u64>,
    spare: Vec<u64>,
    starts: Vec<u32>,
}

impl Slots {
    /// The number of slots.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The code of a slot.
    #[inline]
    pub fn code(&self, slot: usize) -> u32 {
        if self.dense { self.min + slot as u32 } else { self.codes[slot] }
    }

    /// How many rows come before a slot.
    #[inline]
    pub fn rows_before(&self, slot: usize) -> u32 {
        if slot == 0 { 0 } else { self.ends[slot - 1] }
    }

    /// Fill the slots of a column whose codes lie in `min..=max`. `width` is how many numbers are
    /// stored for each slot.
    pub fn fill(&mut self, cells: impl Cells, min: u32, max: u32, width: usize) {
        let n = cells.len();
        let span = (max - min) as usize + 1;
        self.min = min;
        self.dense = span.saturating_mul(width) <= (ROOMY * n).max(512);
        self.ends.clear();
        self.codes.clear();
        self.order.clear();
        if self.dense {
            self.ends.resize(span, 0);
            cells.codes().for_each(|code| self.ends[(code - min) as usize] += 1);
            let mut rows = 0;
            for end in &mut self.ends {
                rows += *end;
                *end = rows;
            }
            return;
        }
        self.keys.clear();
        self.keys.extend(
            (0u64..).zip(cells.codes()).map(|(place, code)| u64::from(code - min) << 32 | place),
        );
        self.sort(max - min);
        for (row, key) in self.keys.iter().enumerate() {
            let code = (key >> 32) as u32 + min;
            self.order.push(*key as u32);
            if self.codes.last() == Some(&code) {
                *self.ends.last_mut().expect("codes and ends have one length") = row as u32 + 1;
            } else {
                self.codes.push(code);
                self.ends.push(row as u32 + 1);
            }
        }
    }

    /// Sort the keys: into about as many buckets as there are keys, by counting, then each bucket.
    fn sort(&mut self, most: u32) {
        let n = self.keys.len();
        if n < 48 {
            return self.keys.sort_unstable();
        }
        let bits = u32::BITS - most.leading_zeros();
        let shift = 32 + bits.saturating_sub(n.ilog2() + 1);
        let n_buckets = (u64::from(most) << 32 >> shift) as usize + 1;
        self.starts.clear();
        self.starts.resize(n_buckets + 1, 0);
        self.keys.iter().for_each(|key| self.starts[(key >> shift) as usize + 1] += 1);
        for bucket in 0..n_buckets {
            self.starts[bucket + 1] += self.starts[bucket];
        }
        self.spare.clear();
        self.spare.resize(n, 0);
        for key in &self.keys {
            let next = &mut self.starts[(key >> shift) as usize];
            self.spare[*next as usize] = *key;
            *next += 1;
        }
        let mut start = 0;
        for bucket in 0..n_buckets {
            let end = self.starts[bucket] as usize;
            if end - start > 1 {
                self.spare[start..end].sort_unstable();
            }
            start = end;
        }
        std::mem::swap(&mut self.keys, &mut self.spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn slots_are_the_sorted_codes(
            codes in prop::collection::vec(any::<u32>(), 1..300), shift in 0u32..32,
                width in 1usize..4,
        ) {
            let codes: Vec<u32> = codes.iter().map(|code| code >> shift).collect();
            let (min, max) = (*codes.iter().min().unwrap(), *codes.iter().max().unwrap());
            let mut slots = Slots::default();
            slots.fill(codes.as_slice(), min, max, width);
            let mut sorted = codes.clone();
            sorted.sort_unstable();
            for slot in 0..slots.len() {
                let code = slots.code(slot);
                let below = sorted.partition_point(|c| *c < code);
                prop_assert_eq!(slots.rows_before(slot) as usize, below);
                prop_assert_eq!(slots.ends[slot] as usize, sorted.partition_point(|c| *c <= code));
            }
            prop_assert_eq!(slots.ends.last().copied(), Some(codes.len() as u32));
            if !slots.dense {
                let ordered: Vec<u32> =
                    slots.order.iter().map(|place| codes[*place as usize]).collect();
                prop_assert_eq!(ordered, sorted);
            }
        }
    }
}
