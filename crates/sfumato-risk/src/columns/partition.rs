//! Rows that agree on some columns, column by column: a partition is refined by one column more.
//! Rows that agree with nobody else leave it, since no further column changes that.

use sfumato_core::column::{Code, Codes};
use sfumato_core::with_codes;

/// Groups of at least two rows that agree on some columns.
#[derive(Debug, Clone)]
pub struct Partition {
    /// The rows, group by group.
    rows: Vec<u32>,
    /// Where each group ends.
    ends: Vec<u32>,
}

/// How a partition falls apart by one column more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Apart {
    /// How many groups there are, those of one row included.
    pub groups: u64,
    /// How many rows are alone.
    pub alone: u64,
    /// How many pairs of rows still agree.
    pub pairs: u64,
}

/// Counters that are used again and again. One is needed for each thread.
#[derive(Debug, Default)]
pub struct Counters {
    counts: Vec<u32>,
    seen: Vec<u32>,
    sorted: Vec<(u32, u32)>,
}

/// Groups up to this size are sorted rather than counted.
const FEW: usize = 24;

impl Partition {
    /// All of some rows in one group.
    pub fn of(rows: Vec<u32>) -> Self {
        let ends = if rows.len() < 2 { Vec::new() } else { vec![rows.len() as u32] };
        let rows = if rows.len() < 2 { Vec::new() } else { rows };
        Partition { rows, ends }
    }

    /// The groups.
    pub fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let start = |at: usize| if at == 0 { 0 } else { self.ends[at - 1] as usize };
        self.ends.iter().enumerate().map(move |(at, end)| &self.rows[start(at)..*end as usize])
    }

    /// How many groups of at least two rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether everybody is alone.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many rows have somebody who agrees with them.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// The partition by one column more. Rows that become alone are told one by one.
    pub fn refine(
        &self,
        codes: &Codes,
        counters: &mut Counters,
        mut alone: impl FnMut(u32),
    ) -> Partition {
        let mut refined = Partition { rows: Vec::with_capacity(self.rows.len()), ends: Vec::new() };
        with_codes!(codes, codes => {
            let code = |row: u32| codes[row as usize].widen();
            for group in self.groups() {
                refined.split(group, code, counters, &mut alone);
            }
        });
        refined
    }

    fn split(
        &mut self,
        group: &[u32],
        code: impl Fn(u32) -> u32,
        counters: &mut Counters,
        alone: &mut impl FnMut(u32),
    ) {
        if group.len() <= FEW {
            let sorted = &mut counters.sorted;
            sorted.clear();
            sorted.extend(group.iter().map(|row| (code(*row), *row)));
            sorted.sort_unstable();
            for run in sorted.chunk_by(|a, b| a.0 == b.0) {
                match run {
                    [(_, row)] => alone(*row),
                    _ => {
                        self.rows.extend(run.iter().map(|(_, row)| *row));
                        self.ends.push(self.rows.len() as u32);
                    }
                }
            }
            return;
        }
        counters.count(group, &code);
        // Counts become places: where the rows of a code go, or that they leave.
        let start = self.rows.len() as u32;
        let mut next = start;
        for code in &counters.seen {
            let count = &mut counters.counts[*code as usize];
            if *count == 1 {
                *count = u32::MAX;
                continue;
            }
            let size = std::mem::replace(count, next);
            next += size;
            self.ends.push(next);
        }
        self.rows.resize(next as usize, 0);
        for row in group {
            let place = &mut counters.counts[code(*row) as usize];
            if *place == u32::MAX {
                alone(*row);
            } else {
                self.rows[*place as usize] = *row;
                *place += 1;
            }
        }
        counters.clear();
    }

    /// How the partition would fall apart by one column more, without making it.
    pub fn apart(&self, codes: &Codes, counters: &mut Counters) -> Apart {
        let mut apart = Apart::default();
        with_codes!(codes, codes => {
            let code = |row: u32| codes[row as usize].widen();
            for group in self.groups() {
                apart.add(group, code, counters);
            }
        });
        apart
    }
}

impl Apart {
    fn add(&mut self, group: &[u32], code: impl Fn(u32) -> u32, counters: &mut Counters) {
        match group {
            [a, b] if code(*a) == code(*b) => {
                self.groups += 1;
                self.pairs += 1;
            }
            [_, _] => {
                self.groups += 2;
                self.alone += 2;
            }
            _ => {
                counters.count(group, &code);
                self.groups += counters.seen.len() as u64;
                for code in &counters.seen {
                    let count = u64::from(counters.counts[*code as usize]);
                    self.alone += u64::from(count == 1);
                    self.pairs += count * (count - 1) / 2;
                }
                counters.clear();
            }
        }
    }
}

impl Counters {
    /// Count the codes of a group, and note which there are.
    fn count(&mut self, group: &[u32], code: &impl Fn(u32) -> u32) {
        self.seen.clear();
        for row in group {
            let code = code(*row);
            if code as usize >= self.counts.len() {
                self.counts.resize(code as usize + 1, 0);
            }
            let count = &mut self.counts[code as usize];
            if *count == 0 {
                self.seen.push(code);
            }
            *count += 1;
        }
    }

    fn clear(&mut self) {
        self.seen.iter().for_each(|code| self.counts[*code as usize] = 0);
        self.seen.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{alike, columns, rows};
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn refining_and_counting_give_what_agrees(rows in rows(4), times in 1usize..4) {
            // Rows again and again make groups that are counted rather than sorted.
            let rows: Vec<Vec<u8>> =
                rows.iter().cycle().take(rows.len() * times).cloned().collect();
            // One row is alone before any column is looked at.
            prop_assume!(rows.len() > 1);
            let columns = columns(&rows);
            let mut counters = Counters::default();
            let mut partition = Partition::of((0..rows.len() as u32).collect());
            let mut left = Vec::new();
            for (at, column) in columns.iter().enumerate() {
                let mask = (1u32 << (at + 1)) - 1;
                let already = left.len() as u64;
                let apart = partition.apart(column, &mut counters);
                let refined = partition.refine(column, &mut counters, |row| left.push(row));
                let sizes: Vec<usize> =
                    (0..rows.len()).map(|row| alike(&rows, row, mask)).collect();
                let alone = sizes.iter().filter(|size| **size == 1).count();
                prop_assert_eq!(left.len(), alone);
                prop_assert_eq!(apart.alone + already, alone as u64);
                let pairs: usize = sizes.iter().map(|size| size - 1).sum();
                prop_assert_eq!(apart.pairs, pairs as u64 / 2);
                for group in refined.groups() {
                    for row in group {
                        prop_assert_eq!(sizes[*row as usize], group.len());
                    }
                }
                prop_assert_eq!(refined.n_rows() + left.len(), rows.len());
                prop_assert_eq!(refined.len() as u64 + apart.alone, apart.groups);
                partition = refined;
            }
        }
    }
}
