//! Looks for any combination that too few records have: depth first, and ends with the first one.
//!
//! Whoever only has to know whether there is one, over and over with other records, is served
//! faster than by counting all levels.

/// Records as sets of items, in memory that is used again.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Where each record begins among the items, and where the last one ends.
    offsets: Vec<usize>,
    items: Vec<u32>,
    weights: Vec<u64>,
}

impl Rows {
    /// Forget all records.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        self.items.clear();
        self.weights.clear();
    }
    /// Add a record, whose items must ascend, and how many records it stands for.
    pub fn push(&mut self, items: impl Iterator<Item = u32>, weight: u64) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.items.extend(items);
        self.offsets.push(self.items.len());
        self.weights.push(weight);
    }
    /// The number of records.
    pub fn len(&self) -> usize {
        self.weights.len()
    }
    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }
    /// The items of a record, and how many records it stands for.
    pub fn get(&self, row: usize) -> (&[u32], u64) {
        (&self.items[self.offsets[row]..self.offsets[row + 1]], self.weights[row])
    }
}

/// The search, with the memory that it uses again.
#[derive(Debug)]
pub struct RareSearch {
    counts: Vec<u64>,
    /// The records of the combination so far, restricted to later items: one for each depth.
    projected: Vec<Rows>,
    /// The items that were visited so far.
    work: u64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rarity {
    /// A combination that some records have, and fewer than required.
    Rare(Vec<u32>),
    /// There is none.
    None,
    /// There was more to visit than allowed.
    GaveUp,
}

impl RareSearch {
    /// A search among items below a number.
    pub fn new(n_items: usize) -> Self {
        RareSearch { counts: vec![0; n_items], projected: Vec::new(), work: 0 }
    }

    /// The number of items that were visited by all searches so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Count work that was done beside the search.
    pub fn spend(&mut self, work: u64) {
        self.work += work;
    }

    /// Look for a combination of at most `size` items that a record has, and fewer than `required`
    /// have. The empty combination counts where there are records. Gives up when more than `most`
    /// items were visited by all searches together.
    pub fn find(&mut self, rows: &Rows, size: usize, required: u64, most: u64) -> Rarity {
        let n: u64 = rows.weights.iter().sum();
        if rows.is_empty() || size == 0 || n < required {
            let is_rare = !rows.is_empty() && n < required;
            return if is_rare { Rarity::Rare(Vec::new()) } else { Rarity::None };
        }
        self.below(rows, size, required, most, 0)
    }

    fn below(
        &mut self,
        rows: &Rows,
        size: usize,
        required: u64,
        most: u64,
        depth: usize,
    ) -> Rarity {
        self.work += rows.items.len() as u64;
        if self.work > most {
            return Rarity::GaveUp;
        }
        let mut met: Vec<u32> = Vec::new();
        for row in 0..rows.len() {
            let (items, weight) = rows.get(row);
            for item in items {
                let count = &mut self.counts[*item as usize];
                if *count == 0 {
                    met.push(*item);
                }
                *count += weight;
            }
        }
        met.sort_unstable();
        let rare = met.iter().copied().find(|item| self.counts[*item as usize] < required);
        met.iter().for_each(|item| self.counts[*item as usize] = 0);
        if let Some(item) = rare {
            return Rarity::Rare(vec![item]);
        }
        if size == 1 {
            return Rarity::None;
        }
        if self.projected.len() <= depth {
            self.projected.push(Rows::default());
        }
        let occurs = Occurrences::of(rows, &met);
        for (place, item) in met.iter().enumerate() {
            let mut projected = std::mem::take(&mut self.projected[depth]);
            projected.clear();
            for (row, at) in occurs.of_place(place) {
                let (items, weight) = rows.get(*row as usize);
                let after = &items[*at as usize + 1..];
                if !after.is_empty() {
                    projected.push(after.iter().copied(), weight);
                }
            }
            let found = match projected.is_empty() {
                true => Rarity::None,
                false => self.below(&projected, size - 1, required, most, depth + 1),
            };
            self.projected[depth] = projected;
            match found {
                Rarity::None => {}
                Rarity::Rare(mut items) => {
                    items.insert(0, *item);
                    return Rarity::Rare(items);
                }
                Rarity::GaveUp => return Rarity::GaveUp,
            }
        }
        Rarity::None
    }
}

/// Where each of some items occurs.
struct Occurrences {
    /// Where the occurrences of each begin, and where those of the last end.
    offsets: Vec<usize>,
    /// Record, and place in it.
    places: Vec<(u32, u32)>,
}

impl Occurrences {
    fn of(rows: &Rows, met: &[u32]) -> Self {
        let mut all: Vec<(u32, u32, u32)> = Vec::with_capacity(rows.items.len());
        for row in 0..rows.len() {
            let (items, _) = rows.get(row);
            all.extend(items.iter().zip(0..).map(|(item, at)| (*item, row as u32, at)));
        }
        all.sort_unstable();
        let begin = |item: &u32| all.partition_point(|(other, _, _)| other < item);
        let offsets = met.iter().map(begin).chain([all.len()]).collect();
        Occurrences { offsets, places: all.into_iter().map(|(_, row, at)| (row, at)).collect() }
    }

    fn of_place(&self, place: usize) -> &[(u32, u32)] {
        &self.places[self.offsets[place]..self.offsets[place + 1]]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sfumato_core::transactions::Transactions;

    use super::*;
    use crate::itemsets::{Limits, least_support};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn it_finds_one_exactly_where_there_is_one(
            lists in prop::collection::vec((prop::collection::btree_set(0u32..8, 0..6), 1u32..4),
                0..20),
            size in 0usize..5,
            required in 0u64..6,
        ) {
            let mut rows = Rows::default();
            lists.iter().for_each(|(set, n)| rows.push(set.iter().copied(), u64::from(*n)));
            let mut search = RareSearch::new(8);
            let found = search.find(&rows, size, required, u64::MAX);
            let sets = lists.iter().map(|(set, _)| set.iter().copied().collect());
            let sets = Transactions::from_sets(8, sets);
            let weights: Vec<u32> = lists.iter().map(|(_, n)| *n).collect();
            let counted =
                least_support(&sets, Some(&weights), size, required, Limits::default()).unwrap();
            match &found {
                Rarity::Rare(items) => {
                    prop_assert!(items.len() <= size);
                    let has = |set: &&(std::collections::BTreeSet<u32>, u32)|
                        items.iter().all(|item| set.0.contains(item));
                    let n: u64 = lists.iter().filter(has).map(|(_, n)| u64::from(*n)).sum();
                    prop_assert!(n > 0 && n < required);
                }
                _ => prop_assert!(lists.is_empty() || counted.violations == 0),
            }
            // Whoever gives up says so, and what was found before is forgotten.
            let limited = search.find(&rows, size, required, search.work());
            prop_assert!(limited == found || limited == Rarity::GaveUp);
            prop_assert_eq!(search.find(&rows, size, required, u64::MAX), found);
        }
    }
}
