//! Groups items by some of their columns and counts the groups: the inner loop of every check.
//!
//! Many sets of columns are processed together. Sets that differ only in their last column share
//! the numbering of the others.

use sfumato_core::FastMap;

/// Items with a number in each column and a weight.
pub struct Items<'a> {
    /// An additional first key of the items, such as their part, and the number of its values.
    pub first: Option<(&'a [u32], usize)>,
    /// `columns[column][item]`; empty for columns that aren't needed.
    pub columns: &'a [Vec<u32>],
    /// The number of values of each column.
    pub n_values: &'a [usize],
    /// The weight of each item, at least 1.
    pub rows: &'a [u32],
}

/// The groups that some columns make, by number.
pub struct Prefix {
    keys: Vec<u32>,
    n: usize,
}

impl Items<'_> {
    /// The number of items.
    fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a table of `cells` cells is worth its memory.
    fn is_dense(&self, cells: usize) -> bool {
        cells <= (8 * self.len()).max(1 << 12)
    }

    /// Number the groups that agree on some columns.
    pub fn prefix(&self, columns: &[usize]) -> Prefix {
        let mut prefix = match self.first {
            Some((first, n)) => Prefix { keys: first.to_vec(), n: n.max(1) },
            None => Prefix { keys: vec![0; self.len()], n: 1 },
        };
        for &column in columns {
            let n = self.n_values[column].max(1);
            if prefix.n.saturating_mul(n) > u32::MAX as usize {
                prefix.renumber();
            }
            prefix.join(&self.columns[column], n);
            if !self.is_dense(prefix.n) {
                prefix.renumber();
            }
        }
        prefix
    }

    /// The least weight of a group that agrees on a prefix and one more column. `None` if there are
    /// no items.
    pub fn least(&self, prefix: &Prefix, last: Option<usize>) -> Option<u32> {
        let (values, n): (Option<&[u32]>, usize) = match last {
            Some(last) => (Some(&self.columns[last]), self.n_values[last].max(1)),
            None => (None, 1),
        };
        let cells = prefix.n.saturating_mul(n);
        let least = |counts: &mut dyn Iterator<Item = u32>| counts.filter(|&count| count > 0).min();
        if !self.is_dense(cells) {
            let mut counts: FastMap<u64, u32> = FastMap::default();
            for (item, &rows) in self.rows.iter().enumerate() {
                let value = values.map_or(0, |values| values[item]);
                *counts
                    .entry(u64::from(prefix.keys[item]) * n as u64 + u64::from(value))
                    .or_default() += rows;
            }
            return least(&mut counts.values().copied());
        }
        let mut counts = vec![0u32; cells];
        match values {
            Some(values) => {
                for ((&key, &value), &rows) in prefix.keys.iter().zip(values).zip(self.rows) {
                    counts[key as usize * n + value as usize] += rows;
                }
            }
            None => prefix
                .keys
                .iter()
                .zip(self.rows)
                .for_each(|(&key, &rows)| counts[key as usize] += rows),
        }
        least(&mut counts.iter().copied())
    }
}

impl Prefix {
    /// The group of each item.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }
    /// A bound that all numbers of groups are below.
    pub fn n(&self) -> usize {
        self.n
    }

    fn join(&mut self, values: &[u32], n: usize) {
        let old = self.n as u32;
        self.keys.iter_mut().zip(values).for_each(|(key, &value)| *key += old.wrapping_mul(value));
        self.n = self.n.saturating_mul(n);
    }

    /// Number the groups without gaps, in the order of their first items.
    pub fn renumber(&mut self) {
        let mut numbers: FastMap<u32, u32> = FastMap::default();
        for key in &mut self.keys {
            let next = numbers.len() as u32;
            *key = *numbers.entry(*key).or_insert(next);
        }
        self.n = numbers.len().max(1);
    }
}

/// Sets of columns, sorted so that those with the same columns but the last stand together.
pub fn by_prefix<T>(sets: &mut [(Vec<usize>, T)]) {
    sets.sort_by(|(a, _), (b, _)| {
        a.split_last().map(|(x, y)| (y, x)).cmp(&b.split_last().map(|(x, y)| (y, x)))
    });
}

/// Whether two sets have the same columns except the last.
pub fn same_prefix<T>(a: &(Vec<usize>, T), b: &(Vec<usize>, T)) -> bool {
    match (a.0.split_last(), b.0.split_last()) {
        (Some((_, a)), Some((_, b))) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_least_group_is_that_of_plain_counting(
            rows in prop::collection::vec((0u32..3, 0u32..5, 0u32..4000, 0u32..4000, 1u32..4),
                1..60),
            order in 0usize..6,
        ) {
            let column =
                |f: fn(&(u32, u32, u32, u32, u32)) -> u32| rows.iter().map(f).collect::<Vec<u32>>();
            let first = column(|r| r.0);
            let columns = vec![column(|r| r.1), column(|r| r.2), column(|r| r.3)];
            let weights = column(|r| r.4);
            let items = Items { first: Some((&first, 3)), columns: &columns,
                n_values: &[5, 4000, 4000], rows: &weights };
            let order = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][order];
            for length in 0..=3 {
                let set = &order[..length];
                let mut plain: FastMap<Vec<u32>, u32> = FastMap::default();
                for item in 0..rows.len() {
                    let key = set.iter().map(|&c| columns[c][item]).chain([first[item]]).collect();
                    *plain.entry(key).or_default() += weights[item];
                }
                let (last, rest) = match set.split_last() {
                    Some((last, rest)) => (Some(*last), rest),
                    None => (None, set),
                };
                prop_assert_eq!(items.least(&items.prefix(rest), last),
                    plain.values().copied().min());
            }
        }
    }
}
