//! The frequency set of one quasi column at one node: how often each word occurs (AV), and how
//! often with each code of a companion (AVC with classes, AVS with sensitive values).

use sfumato_core::FastMap;

use super::above::Words;

/// The number of bytes of an entry of a hash map, including its free places.
const SPARSE_BYTES: u64 = 40;
/// The number of bytes of an entry after counting.
const ENTRY_BYTES: u64 = 16;
/// The size up to which tables may be dense, whatever the number of rows.
const SMALL_TABLE: u64 = 1 << 12;

/// Counts during a pass over the tuples.
#[derive(Debug)]
pub enum Counting {
    /// One number per word and code.
    Dense {
        /// The first word.
        first: u64,
        /// How many codes a word holds.
        width: u32,
        /// The numbers.
        counts: Vec<u32>,
    },
    /// A hash map of what occurs.
    Sparse(FastMap<(u64, u32), u32>),
}

/// The number of cells of a dense table, if that is smaller than a hash map.
fn dense(region: Words, rows: u64, width: u32) -> Option<u64> {
    let cells = region.size().checked_mul(u64::from(width))?;
    (cells <= SMALL_TABLE.max(rows.saturating_mul(4))).then_some(cells)
}

/// The largest number of bytes that counting will take, if `words` words can occur.
pub fn bytes(region: Words, words: u64, rows: u64, width: u32) -> u64 {
    let entries = words.saturating_mul(u64::from(width)).min(rows);
    match dense(region, rows, width) {
        Some(cells) => cells * 4 + entries.min(cells).saturating_mul(ENTRY_BYTES),
        None => entries.saturating_mul(SPARSE_BYTES),
    }
}

impl Counting {
    /// Counts for words of a region at a node of `rows` rows.
    pub fn new(region: Words, rows: u64, width: u32) -> Self {
        match dense(region, rows, width) {
            Some(cells) => {
                Counting::Dense { first: region.min, width, counts: vec![0; cells as usize] }
            }
            None => Counting::Sparse(FastMap::default()),
        }
    }

    /// Count a word with a code.
    #[inline]
    pub fn add(&mut self, word: u64, code: u32) {
        match self {
            Counting::Dense { first, width, counts } => {
                counts[(word - *first) as usize * *width as usize + code as usize] += 1;
            }
            Counting::Sparse(counts) => *counts.entry((word, code)).or_default() += 1,
        }
    }

    /// What was counted, by word and code.
    fn finish(self) -> Vec<(u64, u32, u32)> {
        match self {
            Counting::Dense { first, width, counts } => {
                let width = u64::from(width);
                let entry = |(i, n): (u64, u32)| {
                    (n > 0).then(|| (first + i / width, (i % width) as u32, n))
                };
                (0..).zip(counts).filter_map(entry).collect()
            }
            Counting::Sparse(counts) => {
                let mut counts: Vec<(u64, u32, u32)> =
                    counts.into_iter().map(|((word, code), n)| (word, code, n)).collect();
                counts.sort_unstable();
                counts
            }
        }
    }
}

/// The finished set.
#[derive(Debug, Clone, Default)]
pub struct Frequencies {
    /// The words that occur, ascending.
    pub words: Vec<u64>,
    /// The number of rows up to and including each word.
    pub ends: Vec<u32>,
    joint: Vec<Joint>,
}

/// Counts by word and code of one companion.
#[derive(Debug, Clone, Default)]
struct Joint {
    /// Where the entries of each word begin, and the end.
    starts: Vec<usize>,
    entries: Vec<(u32, u32)>,
}

impl Frequencies {
    /// Make the set from counts: one per companion, or just one of words.
    pub fn new(countings: Vec<Counting>, n_companions: usize) -> Self {
        let mut set = Frequencies::default();
        for (i, counting) in countings.into_iter().enumerate() {
            let counted = counting.finish();
            if i == 0 {
                for &(word, _, n) in &counted {
                    if set.words.last() != Some(&word) {
                        set.words.push(word);
                        set.ends.push(set.ends.last().copied().unwrap_or(0));
                    }
                    *set.ends.last_mut().expect("a word has an end") += n;
                }
            }
            if i < n_companions {
                let mut starts = Vec::with_capacity(set.words.len() + 1);
                let mut last = None;
                for (place, (word, ..)) in counted.iter().enumerate() {
                    if last.replace(*word) != Some(*word) {
                        starts.push(place);
                    }
                }
                starts.push(counted.len());
                set.joint.push(Joint {
                    starts,
                    entries: counted.into_iter().map(|(_, code, n)| (code, n)).collect(),
                });
            }
        }
        set
    }

    /// The number of rows before a word, by its place.
    #[inline]
    pub fn rows_before(&self, place: usize) -> usize {
        if place == 0 { 0 } else { self.ends[place - 1] as usize }
    }

    /// The interval of the words.
    pub fn cells(&self) -> Words {
        Words {
            min: self.words.first().copied().unwrap_or_default(),
            max: self.words.last().copied().unwrap_or_default(),
        }
    }

    /// The word with a rank, counted from 0, with the numbers of rows below it and with it.
    pub fn at_rank(&self, rank: usize) -> (u64, usize, usize) {
        let place =
            self.ends.partition_point(|end| *end as usize <= rank).min(self.words.len() - 1);
        let below = self.rows_before(place);
        (self.words[place], below, self.ends[place] as usize - below)
    }

    /// The places of the words in an interval.
    pub fn places(&self, interval: Words) -> std::ops::Range<usize> {
        let start = self.words.partition_point(|word| *word < interval.min);
        start..self.words.partition_point(|word| *word <= interval.max).max(start)
    }

    /// The number of rows in an interval.
    pub fn rows_in(&self, interval: Words) -> usize {
        let places = self.places(interval);
        self.rows_before(places.end) - self.rows_before(places.start)
    }

    /// The codes of a companion with their counts, of the words at some places.
    pub fn with(&self, companion: usize, places: std::ops::Range<usize>) -> &[(u32, u32)] {
        let joint = &self.joint[companion];
        &joint.entries[joint.starts[places.start]..joint.starts[places.end]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn counts_are_those_of_the_rows(
            rows in prop::collection::vec((0u64..60, 0u32..3), 1..80), wide: bool,
                rank in 0usize..80, ends in (0u64..60, 0u64..60),
        ) {
            let factor = if wide { 1 << 50 } else { 1 };
            let rows: Vec<(u64, u32)> =
                rows.into_iter().map(|(word, code)| (7 + word * factor, code)).collect();
            let region = Words { min: 7, max: 7 + 60 * factor };
            let mut counting = Counting::new(region, rows.len() as u64, 3);
            prop_assert_eq!(matches!(counting, Counting::Sparse(_)), wide);
            rows.iter().for_each(|(word, code)| counting.add(*word, *code));
            let set = Frequencies::new(vec![counting], 1);
            let mut sorted: Vec<u64> = rows.iter().map(|row| row.0).collect();
            sorted.sort_unstable();
            let rank = rank % rows.len();
            let word = sorted[rank];
            let below = sorted.iter().filter(|w| **w < word).count();
            let equal = sorted.iter().filter(|w| **w == word).count();
            prop_assert_eq!(set.at_rank(rank), (word, below, equal));
            prop_assert_eq!(set.cells(), Words { min: sorted[0], max: sorted[rows.len() - 1] });
            let interval = Words { min: 7 + ends.0.min(ends.1) * factor, max: 7
                + ends.0.max(ends.1) * factor };
            let inside = |word: &u64| interval.contains(*word);
            prop_assert_eq!(set.rows_in(interval), sorted.iter().filter(|w| inside(w)).count());
            for code in 0..3 {
                let counted: u32 = set.with(0, set.places(interval)).iter().filter(|e| e.0 == code)
                    .map(|e| e.1).sum();
                prop_assert_eq!(counted as usize,
                    rows.iter().filter(|(w, c)| inside(w) && *c == code).count());
            }
        }
    }
}
