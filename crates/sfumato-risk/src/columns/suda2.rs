//! Minimal sample uniques and the scores of SUDA: which records a few columns make unique.
//!
//! A record's minimal sample unique is a set of columns on which it agrees with nobody while on
//! every smaller set of them it agrees with somebody. Records with many and small ones are special:
//! whoever knows a little singles them out.

use sfumato_core::column::Codes;
use sfumato_core::{Error, FastMap, Result};

use super::partition::{Counters, Partition};

/// The largest number of columns: a set of them is the bits of a number.
pub const MOST_COLUMNS: usize = 30;

/// What was found.
#[derive(Debug, Clone)]
pub struct Suda {
    /// How many columns there are.
    pub n_columns: usize,
    /// The largest set of columns that was looked at.
    pub largest: usize,
    /// How many minimal sample uniques there are of each size, from 1 on.
    pub by_size: Vec<u64>,
    /// The records that have some, by row, with their sets as bits.
    pub records: Vec<Special>,
}

/// A record that some columns make unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Special {
    /// The row.
    pub row: u32,
    /// Its minimal sample uniques: sets of columns as bits, ascending.
    pub sets: Vec<u32>,
}

/// Find all minimal sample uniques of up to `largest` columns.
pub fn find(columns: &[Codes], largest: usize) -> Result<Suda> {
    let n_columns = columns.len();
    if n_columns > MOST_COLUMNS {
        return Err(Error::unsupported(format!(
            "minimal sample uniques are looked for among at most {MOST_COLUMNS} columns, not \
             {n_columns}"
        ))
        .hint("name fewer columns with --qi"));
    }
    let largest = largest.min(n_columns);
    let n_rows = columns.first().map_or(0, Codes::len);
    let mut walk =
        Walk { columns, largest, sets: vec![Vec::new(); n_rows], counters: Counters::default() };
    let rows = few_of_each(columns, n_rows);
    if rows.len() == 1 {
        // One record is unique whatever is known: each column alone says so.
        let all = (0..n_columns).map(|column| 1u32 << column).collect();
        if largest > 0 {
            walk.sets[rows[0] as usize] = all;
        }
    } else {
        let everybody = Partition::of(rows);
        walk.below(&everybody, 0, n_columns, 0);
    }
    let mut by_size = vec![0; largest];
    let mut records = Vec::new();
    for (row, sets) in walk.sets.into_iter().enumerate().filter(|(_, sets)| !sets.is_empty()) {
        sets.iter().for_each(|set| by_size[set.count_ones() as usize - 1] += 1);
        records.push(Special { row: row as u32, sets });
    }
    Ok(Suda { n_columns, largest, by_size, records })
}

/// At most two rows of those that agree on all columns: more of them make nobody unique who isn't,
/// and none of them is.
fn few_of_each(columns: &[Codes], n_rows: usize) -> Vec<u32> {
    let mut seen: FastMap<Vec<u32>, u8> = FastMap::default();
    let is_few = |row: &u32| {
        let key = columns.iter().map(|column| column.get(*row as usize)).collect();
        let count = seen.entry(key).or_insert(0);
        *count = count.saturating_add(1);
        *count <= 2
    };
    (0..n_rows as u32).filter(is_few).collect()
}

struct Walk<'a> {
    columns: &'a [Codes],
    largest: usize,
    /// The minimal sample uniques of each row.
    sets: Vec<Vec<u32>>,
    counters: Counters,
}

impl Walk<'_> {
    /// Add each column below `lowest` to a set. Sets are visited in the order of their numbers, so
    /// that all parts of a set come before it, and whoever is unique on one of them is known to be.
    fn below(&mut self, partition: &Partition, set: u32, lowest: usize, size: usize) {
        if partition.is_empty() || size == self.largest {
            return;
        }
        for column in 0..lowest {
            let larger = set | 1 << column;
            let sets = &mut self.sets;
            let refined = partition.refine(&self.columns[column], &mut self.counters, |row| {
                let known = &mut sets[row as usize];
                if !known.iter().any(|smaller| smaller & larger == *smaller) {
                    known.push(larger);
                }
            });
            self.below(&refined, larger, column, size + 1);
        }
    }
}

impl Suda {
    /// The weight of a minimal sample unique: the smaller, the more sets of columns it spoils.
    pub fn weight(&self, set: u32) -> f64 {
        let size = set.count_ones() as usize;
        let last = self.largest.min(self.n_columns.saturating_sub(1));
        (size..=last).map(|i| (self.n_columns - i) as f64).product()
    }

    /// The score of a record: the weights of its minimal sample uniques together.
    pub fn score(&self, record: &Special) -> f64 {
        record.sets.iter().map(|set| self.weight(*set)).sum()
    }

    /// Which share of all scores comes from sets with each column.
    pub fn of_columns(&self) -> Vec<f64> {
        let mut of_columns = vec![0.0; self.n_columns];
        let mut all = 0.0;
        for set in self.records.iter().flat_map(|record| &record.sets) {
            let weight = self.weight(*set);
            all += weight;
            let has = |column: &usize| set >> column & 1 == 1;
            (0..self.n_columns).filter(has).for_each(|column| of_columns[column] += weight);
        }
        of_columns.iter().map(|part| if all > 0.0 { part / all } else { 0.0 }).collect()
    }

    /// The values that carry most of the scores: column, code, share of all scores. At most `most`,
    /// the worst first.
    pub fn of_values(&self, columns: &[Codes], most: usize) -> Vec<(usize, u32, f64)> {
        let mut of_values: FastMap<(usize, u32), f64> = FastMap::default();
        let mut all = 0.0;
        for record in &self.records {
            for set in &record.sets {
                let weight = self.weight(*set);
                all += weight;
                let has = |column: &usize| set >> column & 1 == 1;
                for column in (0..self.n_columns).filter(has) {
                    let code = columns[column].get(record.row as usize);
                    *of_values.entry((column, code)).or_insert(0.0) += weight;
                }
            }
        }
        let mut values: Vec<(usize, u32, f64)> = of_values
            .into_iter()
            .map(|((column, code), part)| (column, code, part / all))
            .collect();
        values.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        values.truncate(most);
        values
    }

    /// The records with the highest scores, the worst first.
    pub fn worst(&self, most: usize) -> Vec<(&Special, f64)> {
        let mut all: Vec<(&Special, f64)> =
            self.records.iter().map(|record| (record, self.score(record))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.row.cmp(&b.0.row)));
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{alike, columns, rows};
    use super::*;

    /// The sets by their definition.
    fn naive(rows: &[Vec<u8>], row: usize, largest: usize) -> Vec<u32> {
        let n = rows[0].len();
        let is_unique = |set: u32| alike(rows, row, set) == 1;
        let is_minimal = |set: &u32| {
            let smaller = (0..n).filter(|at| set >> at & 1 == 1).map(|at| set & !(1 << at));
            is_unique(*set)
                && smaller.into_iter().all(|smaller| smaller == 0 || !is_unique(smaller))
        };
        (1u32..1 << n)
            .filter(|set| set.count_ones() as usize <= largest)
            .filter(is_minimal)
            .collect()
    }

    #[test]
    fn the_example_of_a_widow_of_sixteen() {
        // Age and marital status single out one; everybody else needs all three columns or nothing.
        let rows = [
            vec![0, 1, 0], // 16, widowed
            vec![0, 0, 0],
            vec![0, 0, 0],
            vec![1, 1, 0],
            vec![1, 1, 0],
            vec![1, 0, 0],
            vec![1, 0, 0],
        ];
        let suda = find(&columns(&rows), 2).unwrap();
        assert_eq!(suda.records, [Special { row: 0, sets: vec![0b11] }]);
        assert_eq!(suda.by_size, [0, 1]);
        // Two of three columns: the product from 2 to 2 of 3 - i is 1.
        assert_eq!(suda.score(&suda.records[0]), 1.0);
        assert_eq!(suda.of_columns(), [1.0, 1.0, 0.0]);
        assert_eq!(suda.of_values(&columns(&rows), 9), [(0, 0, 1.0), (1, 1, 1.0)]);
    }

    #[test]
    fn one_record_and_none() {
        assert_eq!(find(&columns(&[vec![0, 0]]), 2).unwrap().records[0].sets, [1, 2]);
        assert!(find(&[], 3).unwrap().records.is_empty());
        let many: Vec<Codes> = (0..31).map(|_| Codes::U8(vec![0])).collect();
        assert!(find(&many, 2).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn all_minimal_sets_are_found(rows in rows(5), largest in 1usize..6) {
            let suda = find(&columns(&rows), largest).unwrap();
            let mut expected = Vec::new();
            for row in 0..rows.len() {
                let sets = naive(&rows, row, largest);
                if !sets.is_empty() {
                    expected.push(Special { row: row as u32, sets });
                }
            }
            prop_assert_eq!(&suda.records, &expected);
            let total: u64 = suda.by_size.iter().sum();
            prop_assert_eq!(total as usize, expected.iter().map(|e| e.sets.len()).sum::<usize>());
            let worst = suda.worst(usize::MAX);
            prop_assert!(worst.is_sorted_by(|a, b| a.1 >= b.1));
        }
    }
}
