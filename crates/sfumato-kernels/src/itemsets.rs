//! How often combinations of items occur together: a level-wise count that stops where a smaller
//! part is rare already.
//!
//! A combination occurs at most as often as any part of it. So a level looks only at combinations
//! whose parts of one item less are all frequent enough; those that are rare are the smallest rare
//! ones, and whatever contains one of them is rare as well and isn't looked at. Combinations with
//! the same first items are looked at together, in the records that have these, so that every
//! occurrence of a combination is met once.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::facts::Least;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::{Error, FastMap, Result, with_sets};

/// The limits at which counting gives up. Giving up is an error and never an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of occurrences of combinations that may be counted, at all levels
    /// together.
    pub work: u64,
    /// The largest number of frequent combinations of one size that may be in memory at once.
    pub held: u64,
}

impl Default for Limits {
    /// Limits of some minutes on one core, and about a gigabyte.
    fn default() -> Self {
        Limits { work: 10_000_000_000, held: 50_000_000 }
    }
}

/// Of all combinations of at most `size` items that any record has, including the empty one: the
/// smallest number of records that have one, and how many of the smallest combinations have fewer
/// than `required`. If there are such, combinations that contain them aren't counted, and may be
/// rarer.
///
/// `weights` says how many records each set stands for, `None` that each is one.
pub fn least_support(
    sets: &Transactions,
    weights: Option<&[u32]>,
    size: usize,
    required: u64,
    limits: Limits,
) -> Result<Least> {
    with_sets!(sets, records => {
        let miner = Miner { records, weights, required, limits, work: AtomicU64::new(0) };
        miner.run(sets.n_items(), size)
    })
}

struct Miner<'a, C> {
    records: Sets<'a, C>,
    weights: Option<&'a [u32]>,
    required: u64,
    limits: Limits,
    work: AtomicU64,
}

/// Combinations of one size, ascending, one after the other. The items of each ascend.
struct Frequent {
    size: usize,
    items: Vec<u32>,
}

/// The state of a level: what is known when it begins, and the totals of its work.
struct Level<'a> {
    /// The frequent combinations of one item less: for all of their items but the last, the items
    /// that may be last.
    known: FastMap<&'a [u32], &'a [u32]>,
    /// Whether this is the last level, so that its frequent combinations aren't needed.
    is_last: bool,
    /// The number of frequent combinations found so far.
    held: AtomicU64,
}

/// The counts for some combinations of one size.
#[derive(Default)]
struct LevelCounts {
    /// The smallest number of records of any combination. `None` if no combination occurs.
    least: Option<u64>,
    /// How many combinations are rare.
    rare: u64,
    /// The frequent combinations, ascending.
    frequent: Vec<u32>,
}

/// How many records have each of some items, and which of these items were seen at all.
struct Counters {
    counts: Vec<u64>,
    met: Vec<u32>,
}

/// The records that contain the first items of some combinations, restricted to the items that may
/// follow.
struct Projected<'a> {
    /// The items that may come after the first items, ascending.
    last: &'a [u32],
    /// Where each record's part begins among `places`, and where the last one ends.
    offsets: Vec<usize>,
    /// The places in `last` of the items that each record has, ascending.
    places: Vec<u32>,
    /// How many records each part stands for.
    weights: Vec<u64>,
    /// For each place, where it is among `places` and in which part.
    occurs: Vec<Vec<(u32, u32)>>,
}

impl<C: Code> Miner<'_, C> {
    fn run(&self, n_items: usize, size: usize) -> Result<Least> {
        let n: u64 = (0..self.records.len()).map(|record| self.weight(record)).sum();
        // The empty combination is contained in every record.
        if n < self.required {
            return Ok(Least { least: n, violations: 1 });
        }
        let mut found = Least { least: n, violations: 0 };
        if size == 0 {
            return Ok(found);
        }
        let lists = self.lists(n_items);
        let mut frequent = Frequent { size: 1, items: Vec::new() };
        for (item, records) in lists.iter().enumerate().filter(|(_, records)| !records.is_empty()) {
            let support = records.iter().map(|record| self.weight(*record as usize)).sum();
            found.least = found.least.min(support);
            match support < self.required {
                true => found.violations += 1,
                false => frequent.items.push(item as u32),
            }
        }
        // One combination alone has nothing to be joined with.
        while frequent.size < size && frequent.items.len() > frequent.size {
            let level = self.level(&frequent, &lists, frequent.size + 1 == size)?;
            found.least = found.least.min(level.least.unwrap_or(u64::MAX));
            found.violations += level.rare;
            frequent = Frequent { size: frequent.size + 1, items: level.frequent };
        }
        Ok(found)
    }

    fn weight(&self, record: usize) -> u64 {
        self.weights.map_or(1, |weights| u64::from(weights[record]))
    }

    /// The records of each item.
    fn lists(&self, n_items: usize) -> Vec<Vec<u32>> {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); n_items];
        for (record, set) in self.records.iter().enumerate() {
            set.iter().for_each(|code| lists[code.widen() as usize].push(record as u32));
        }
        lists
    }

    /// All combinations of one item more whose smaller parts are all frequent.
    fn level(&self, frequent: &Frequent, lists: &[Vec<u32>], is_last: bool) -> Result<LevelCounts> {
        let groups = frequent.groups();
        let known = groups.iter().map(|(first, last)| (*first, &last[..])).collect();
        let level = Level { known, is_last, held: AtomicU64::new(0) };
        let found: Vec<LevelCounts> = match frequent.size {
            1 => self.pairs(&frequent.items, &level, lists)?,
            _ => {
                let extended = |(first, last): &(&[u32], Vec<u32>)| {
                    self.extend(first, &self.project(first, last, lists)?, &level)
                };
                let joinable = groups.par_iter().filter(|(_, last)| last.len() > 1);
                joinable.map(extended).collect::<Result<_>>()?
            }
        };
        Ok(found.into_iter().fold(LevelCounts::default(), LevelCounts::with))
    }

    /// All pairs of frequent items. Records are read in place, since a copy of all of them would be
    /// as large as the data.
    fn pairs(
        &self,
        items: &[u32],
        level: &Level<'_>,
        lists: &[Vec<u32>],
    ) -> Result<Vec<LevelCounts>> {
        let mut is_frequent = vec![false; lists.len()];
        items.iter().for_each(|item| is_frequent[*item as usize] = true);
        let of_item = |counters: &mut Counters, item: &u32| {
            let mut work = 0;
            for record in &lists[*item as usize] {
                let set = self.records.get(*record as usize);
                let after = &set[set.partition_point(|code| code.widen() <= *item)..];
                let weight = self.weight(*record as usize);
                work += after.len() as u64 + 1;
                for other in after.iter().map(|code| code.widen()) {
                    if is_frequent[other as usize] {
                        counters.add(other, weight);
                    }
                }
            }
            self.spend(work, 2)?;
            counters.settle(self, &[*item], |other| other, level)
        };
        let counters = || Counters::new(lists.len());
        items.par_iter().map_init(counters, of_item).collect()
    }

    /// The records that have some items, restricted to other items.
    fn project<'l>(
        &self,
        first: &[u32],
        last: &'l [u32],
        lists: &[Vec<u32>],
    ) -> Result<Projected<'l>> {
        let mut projected = Projected {
            last,
            offsets: vec![0],
            places: Vec::new(),
            weights: Vec::new(),
            occurs: vec![Vec::new(); last.len()],
        };
        // A record that has all of some items has the rarest of them.
        let rarest = first.iter().map(|item| &lists[*item as usize]).min_by_key(|list| list.len());
        let records = rarest.map_or(&[][..], |list| &list[..]);
        self.spend(records.len() as u64, first.len() + 2)?;
        for record in records {
            let set = self.records.get(*record as usize);
            if has_all(set, first) {
                let of_set = set.iter().filter_map(|code| last.binary_search(&code.widen()).ok());
                projected.add(of_set, self.weight(*record as usize));
            }
        }
        // Places are held in 32 bits.
        match projected.places.len() > u32::MAX as usize {
            true => Err(too_many(first.len() + 2)),
            false => Ok(projected),
        }
    }

    /// All pairs of last items after some first ones.
    fn extend(
        &self,
        first: &[u32],
        projected: &Projected<'_>,
        level: &Level<'_>,
    ) -> Result<LevelCounts> {
        let n = projected.last.len();
        let of_place = |counters: &mut Counters, place: usize| -> Result<LevelCounts> {
            let mut work = 0;
            for (at, part) in &projected.occurs[place] {
                let end = projected.offsets[*part as usize + 1];
                let after = &projected.places[*at as usize + 1..end];
                work += after.len() as u64 + 1;
                after
                    .iter()
                    .for_each(|other| counters.add(*other, projected.weights[*part as usize]));
            }
            self.spend(work, first.len() + 2)?;
            let items = [first, &[projected.last[place]]].concat();
            counters.settle(self, &items, |other| projected.last[other as usize], level)
        };
        let found: Vec<LevelCounts> = (0..n)
            .into_par_iter()
            .map_init(|| Counters::new(n), of_place)
            .collect::<Result<_>>()?;
        Ok(found.into_iter().fold(LevelCounts::default(), LevelCounts::with))
    }

    /// Count work that was done. The total doesn't depend on which thread does which part, so
    /// neither does whether it is too much.
    fn spend(&self, work: u64, size: usize) -> Result<()> {
        match self.work.fetch_add(work, Ordering::Relaxed) + work > self.limits.work {
            true => Err(too_many(size)),
            false => Ok(()),
        }
    }
}

impl Counters {
    fn new(n: usize) -> Self {
        Counters { counts: vec![0; n], met: Vec::new() }
    }

    fn add(&mut self, place: u32, weight: u64) {
        let count = &mut self.counts[place as usize];
        if *count == 0 {
            self.met.push(place);
        }
        *count += weight;
    }

    /// Judge the combinations of some items with each of those that were seen, and reset the
    /// counters.
    fn settle<C: Code>(
        &mut self,
        miner: &Miner<'_, C>,
        items: &[u32],
        item_at: impl Fn(u32) -> u32,
        level: &Level<'_>,
    ) -> Result<LevelCounts> {
        // Both ascend, so that what is met and what is known are gone through side by side.
        self.met.sort_unstable();
        let mut known = level.known_after(items);
        let mut found = LevelCounts::default();
        for place in self.met.drain(..) {
            let support = std::mem::take(&mut self.counts[place as usize]);
            let item = item_at(place);
            let is_known = |list: &mut &[u32]| {
                let before = list.iter().take_while(|other| **other < item).count();
                *list = &list[before..];
                list.first() == Some(&item)
            };
            if known.iter_mut().all(is_known) {
                found.add((items, item), support, miner.required, level.is_last);
            }
        }
        let held = (found.frequent.len() / (items.len() + 1)) as u64;
        match level.held.fetch_add(held, Ordering::Relaxed) + held > miner.limits.held {
            true => Err(too_many(items.len() + 1)),
            false => Ok(found),
        }
    }
}

impl<'a> Level<'a> {
    /// The items that may come after some items without one of them, for each of them, so that the
    /// combination is frequent. The case without the last item needn't be included: combinations
    /// are made only from such items.
    fn known_after(&self, items: &[u32]) -> Vec<&'a [u32]> {
        let without = |at: usize| [&items[..at], &items[at + 1..]].concat();
        let after = |at: usize| self.known.get(&without(at)[..]).copied().unwrap_or_default();
        (0..items.len() - 1).map(after).collect()
    }
}

impl Frequent {
    /// Combinations grouped by all of their items but the last, with the items that may be last.
    fn groups(&self) -> Vec<(&[u32], Vec<u32>)> {
        let mut groups: Vec<(&[u32], Vec<u32>)> = Vec::new();
        for items in self.items.chunks_exact(self.size) {
            let (last, first) = (items[self.size - 1], &items[..self.size - 1]);
            match groups.last_mut().filter(|group| group.0 == first) {
                Some(group) => group.1.push(last),
                None => groups.push((first, vec![last])),
            }
        }
        groups
    }
}

impl Projected<'_> {
    /// Add the part of a record. A part of a single item is left out, since no larger combination
    /// is in it.
    fn add(&mut self, places: impl Iterator<Item = usize>, weight: u64) {
        let (before, part) = (self.places.len(), self.weights.len() as u32);
        self.places.extend(places.map(|place| place as u32));
        if self.places.len() - before < 2 {
            self.places.truncate(before);
            return;
        }
        for (at, place) in self.places.iter().enumerate().skip(before) {
            self.occurs[*place as usize].push((at as u32, part));
        }
        self.offsets.push(self.places.len());
        self.weights.push(weight);
    }
}

impl LevelCounts {
    fn add(&mut self, (items, last): (&[u32], u32), support: u64, required: u64, is_last: bool) {
        self.least = Some(self.least.map_or(support, |least| least.min(support)));
        match support < required {
            true => self.rare += 1,
            // Nobody asks for those of the last level.
            false if is_last => {}
            false => self.frequent.extend(items.iter().copied().chain([last])),
        }
    }

    fn with(mut self, other: LevelCounts) -> LevelCounts {
        self.least = self.least.into_iter().chain(other.least).min();
        self.rare += other.rare;
        match self.frequent.is_empty() {
            true => self.frequent = other.frequent,
            false => self.frequent.extend(other.frequent),
        }
        self
    }
}

fn has_all<C: Code>(set: &[C], items: &[u32]) -> bool {
    items.iter().all(|item| set.binary_search_by_key(item, |code| code.widen()).is_ok())
}

fn too_many(size: usize) -> Error {
    Error::resources(format!("combinations of {size} items are too many to be counted"))
        .hint("ask for combinations of fewer items, or look at a sample of the records")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use sfumato_core::ErrorKind;

    use super::*;

    /// Every combination of at most `size` items that a record has, with the number of records that
    /// have it.
    fn all_combinations(lists: &[(Vec<u32>, u32)], size: usize) -> BTreeMap<Vec<u32>, u64> {
        let mut counted: BTreeMap<Vec<u32>, u64> = BTreeMap::from([(Vec::new(), 0)]);
        for (list, weight) in lists {
            let mut items = list.clone();
            items.sort_unstable();
            items.dedup();
            for bits in 0..1u32 << items.len() {
                if bits.count_ones() as usize <= size {
                    let has = |at: &usize| bits >> at & 1 == 1;
                    let combination = (0..items.len()).filter(has).map(|at| items[at]).collect();
                    *counted.entry(combination).or_default() += u64::from(*weight);
                }
            }
        }
        counted
    }

    /// The result by definition.
    fn by_definition(lists: &[(Vec<u32>, u32)], size: usize, required: u64) -> Least {
        let counted = all_combinations(lists, size);
        let without = |items: &[u32], at: usize| [&items[..at], &items[at + 1..]].concat();
        let looked_at: Vec<u64> = counted
            .iter()
            .filter(|(items, _)| {
                (0..items.len()).all(|at| counted[&without(items, at)] >= required)
            })
            .map(|(_, support)| *support)
            .collect();
        Least {
            least: looked_at.iter().copied().min().unwrap_or(0),
            violations: looked_at.iter().filter(|support| **support < required).count() as u64,
        }
    }

    fn count(
        lists: &[(Vec<u32>, u32)],
        size: usize,
        required: u64,
        limits: Limits,
    ) -> Result<Least> {
        let sets = Transactions::from_sets(8, lists.iter().map(|(list, _)| list.clone()));
        let weights: Vec<u32> = lists.iter().map(|(_, weight)| *weight).collect();
        least_support(&sets, Some(&weights), size, required, limits)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn it_is_what_the_definition_says(
            lists in prop::collection::vec((prop::collection::vec(0u32..8, 0..8), 1u32..4), 0..25),
            size in 0usize..6,
            required in 0u64..7,
        ) {
            let expected = by_definition(&lists, size, required);
            prop_assert_eq!(count(&lists, size, required, Limits::default()).unwrap(), expected);
            // A count that gives up returns an error, and never a wrong answer. The limit on held
            // combinations changes no answer either.
            for work in [0, 1, 5, 30] {
                match count(&lists, size, required, Limits { work, held: 1000 }) {
                    Ok(found) => prop_assert_eq!(found, expected),
                    Err(error) => prop_assert_eq!(error.kind, ErrorKind::Resources),
                }
            }
            match count(&lists, size, required, Limits { held: 2, ..Limits::default() }) {
                Ok(found) => prop_assert_eq!(found, expected),
                Err(error) => prop_assert_eq!(error.kind, ErrorKind::Resources),
            }
            // That all combinations are frequent is known of every one of them.
            if expected.violations == 0 {
                let all = all_combinations(&lists, size);
                prop_assert_eq!(Some(&expected.least), all.values().min());
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        // A simple generator: 600 records of about 9 of 40 items, small numbers oftener.
        let mut state = 7u64;
        let mut next = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let sets: Vec<Vec<u32>> = (0..600)
            .map(|_| (0..12).map(|_| (next(40) * next(40) / 40) as u32).collect())
            .collect();
        let sets = Transactions::from_sets(40, sets);
        let on = |threads: usize, limits: Limits| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| least_support(&sets, None, 4, 3, limits))
        };
        let alone = on(1, Limits::default()).unwrap();
        assert!(alone.violations > 0 && alone.least > 0);
        assert_eq!(on(3, Limits::default()).unwrap(), alone);
        // The least work that is enough is the same, too.
        let is_enough =
            |threads: usize, work: u64| on(threads, Limits { work, ..Limits::default() }).is_ok();
        let (mut not, mut enough) = (0, 1 << 30);
        while not + 1 < enough {
            let middle = u64::midpoint(not, enough);
            *(if is_enough(1, middle) { &mut enough } else { &mut not }) = middle;
        }
        assert!(is_enough(3, enough) && !is_enough(3, enough - 1));
    }

    #[test]
    fn the_printed_examples_are_counted() {
        // a1, a2, b1, b2 of the taxonomy: {a1, a2, b1, b2} fails in a1 b1 and a1 a2; {A, b1, b2}
        // holds.
        let count = |records: &[&[u32]], size: usize, required: u64| {
            let sets = Transactions::from_sets(4, records.iter().map(|set| set.to_vec()));
            let found = least_support(&sets, None, size, required, Limits::default()).unwrap();
            (found.least, found.violations)
        };
        assert_eq!(count(&[&[0, 2, 3], &[1, 2], &[1, 2, 3], &[0, 1, 3]], 2, 2), (1, 2));
        let generalized: [&[u32]; 4] = [&[0, 2, 3], &[0, 2], &[0, 2, 3], &[0, 3]];
        assert_eq!([2, 3, 9].map(|size| count(&generalized, size, 2)), [(2, 0); 3]);
        assert_eq!(count(&[&[0, 2], &[1, 2], &[1, 2], &[0, 1, 2]], 2, 2), (1, 1));
        // 2^2-anonymous and not 2^3, nor is any set there twice.
        let local: [&[u32]; 4] = [&[0, 2], &[1, 2, 3], &[0, 1, 3], &[0, 1, 2, 3]];
        assert_eq!([2, 3].map(|size| count(&local, size, 2)), [(2, 0), (1, 2)]);
        // A fifth like the fourth, and it is 2^m for every m.
        let five: [&[u32]; 5] = [local[0], local[1], local[2], local[3], local[3]];
        assert_eq!(
            [2, 3, 4, 5].map(|size| count(&five, size, 2)),
            [(3, 0), (2, 0), (2, 0), (2, 0)]
        );
    }
}
