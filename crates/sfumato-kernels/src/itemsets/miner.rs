//! The levels of the count: single items, pairs, and larger combinations, each from the one before.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::combinations::{AskedCombinations, Combination, CountedCombinations, PartOf};
use sfumato_core::facts::Least;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::{Error, FastMap, Result};

use super::{Combinations, Limits, Listed, Mined};

pub(super) struct Miner<'a, C> {
    pub records: Sets<'a, C>,
    pub weights: Option<&'a [u32]>,
    pub private: Option<&'a Transactions>,
    pub asked: &'a AskedCombinations,
    pub listed: Listed,
    pub limits: Limits,
    pub work: AtomicU64,
}

/// The state of a level: what is known when it begins, and the totals of its work.
struct Level<'a> {
    /// The passing combinations of one item less: for all of their items but the last, the items
    /// that may be last.
    known: FastMap<&'a [u32], &'a [u32]>,
    /// Whether nobody asks for the passing combinations of this level.
    forgets_passing: bool,
    /// The number of combinations held so far.
    held: AtomicU64,
}

/// The counts for some combinations of one size.
#[derive(Default)]
struct LevelCounts {
    /// The smallest number of records of any combination. `None` if no combination occurs.
    least: Option<u64>,
    /// How many combinations are rare.
    rare: u64,
    /// The largest share of a private item, and how many combinations that aren't rare exceed what
    /// is allowed.
    share: Option<PartOf>,
    breaches: u64,
    /// The rarest failing combination, and of several the first.
    failing: Option<Combination>,
    /// Those that pass and those that fail, ascending.
    passes: Combinations,
    fails: Combinations,
}

/// How many records have each of some items, and which of these items were seen at all.
struct Counters {
    counts: Vec<u64>,
    met: Vec<u32>,
    /// For each item that was met, the private item that most of the records have, and how many.
    most: Vec<(u64, u32)>,
    /// The counts of the records with one private item, and the items met in them.
    of_private: (Vec<u64>, Vec<u32>),
    /// Private items with where a record that has it goes on.
    tagged: Vec<(u32, u32)>,
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
    /// The record of each part.
    records: Vec<u32>,
    /// For each place, where it is among `places` and in which part.
    occurs: Vec<Vec<(u32, u32)>>,
}

impl<C: Code> Miner<'_, C> {
    pub fn run(&self, n_items: usize) -> Result<Mined> {
        let lists = self.lists(n_items);
        let mut found = Mined {
            counted: CountedCombinations {
                support: Least { least: u64::MAX, violations: 0 },
                share: None,
                breaches: 0,
                failing: None,
            },
            failing: Vec::new(),
            passing: Vec::new(),
        };
        // The empty combination is contained in every record.
        let everybody = 0..self.records.len() as u32;
        let nothing = self.judge_lists([(&[][..], everybody)].into_iter());
        let goes_on = nothing.failing.is_none();
        found.add(nothing);
        if self.asked.size == 0 || !goes_on {
            return Ok(found);
        }
        let single: Vec<u32> = (0..n_items as u32).collect();
        let of_item = |item: &u32| lists[*item as usize].iter().copied();
        let lists_of = single.iter().map(|item| (std::slice::from_ref(item), of_item(item)));
        let mut level = self.judge_lists(lists_of);
        loop {
            let mut passes = std::mem::take(&mut level.passes);
            if self.listed.failing {
                found.failing.push(std::mem::take(&mut level.fails));
            }
            found.add(level);
            // One combination alone has nothing to be joined with.
            let goes_on = passes.size < self.asked.size && passes.len() > 1;
            level = match goes_on {
                true => self.level(&passes, &lists)?,
                false => LevelCounts::default(),
            };
            if self.listed.passing {
                passes.items.shrink_to_fit();
                found.passing.push(passes);
            }
            if !goes_on {
                return Ok(found);
            }
        }
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

    /// Judge combinations whose records are known. Those without records don't occur; the empty
    /// combination is judged all the same.
    fn judge_lists<'s>(
        &self,
        lists: impl Iterator<Item = (&'s [u32], impl Iterator<Item = u32>)>,
    ) -> LevelCounts {
        let mut found = LevelCounts::default();
        let mut of_private: FastMap<u32, u64> = FastMap::default();
        for (items, records) in lists {
            let mut support = 0;
            for record in records {
                let weight = self.weight(record as usize);
                support += weight;
                let private = self.private.map(|private| private.set(record as usize));
                private.into_iter().flatten().for_each(|item| {
                    *of_private.entry(item).or_default() += weight;
                });
            }
            let most = of_private.drain().map(|(item, n)| (n, std::cmp::Reverse(item))).max();
            let most = most.map(|(n, std::cmp::Reverse(item))| (item, n));
            if support > 0 || items.is_empty() {
                found.add(self, (items, None), support, most, false);
            }
        }
        found.passes.size = 1;
        found.fails.size = 1;
        found
    }

    /// All combinations of one item more whose smaller parts all pass.
    fn level(&self, passes: &Combinations, lists: &[Vec<u32>]) -> Result<LevelCounts> {
        let groups = groups(passes);
        let known = groups.iter().map(|(first, last)| (*first, &last[..])).collect();
        let size = passes.size + 1;
        let forgets_passing = size == self.asked.size && !self.listed.passing;
        let level = Level { known, forgets_passing, held: AtomicU64::new(0) };
        let found: Vec<LevelCounts> = match passes.size {
            1 => self.pairs(&passes.items, &level, lists)?,
            _ => {
                let extended = |(first, last): &(&[u32], Vec<u32>)| {
                    self.extend(first, &self.project(first, last, lists)?, &level)
                };
                let joinable = groups.par_iter().filter(|(_, last)| last.len() > 1);
                joinable.map(extended).collect::<Result<_>>()?
            }
        };
        let mut all = found.into_iter().fold(LevelCounts::default(), LevelCounts::with);
        all.passes.size = size;
        all.fails.size = size;
        Ok(all)
    }

    /// All pairs of passing items. Records are read in place, since a copy of all of them would be
    /// as large as the data.
    fn pairs(
        &self,
        items: &[u32],
        level: &Level<'_>,
        lists: &[Vec<u32>],
    ) -> Result<Vec<LevelCounts>> {
        let mut passes = vec![false; lists.len()];
        items.iter().for_each(|item| passes[*item as usize] = true);
        let of_item = |counters: &mut Counters, item: &u32| {
            let mut work = 0;
            let after = |record: u32| {
                let set = self.records.get(record as usize);
                &set[set.partition_point(|code| code.widen() <= *item)..]
            };
            let passing = |code: &C| Some(code.widen()).filter(|item| passes[*item as usize]);
            for record in &lists[*item as usize] {
                let weight = self.weight(*record as usize);
                let after = after(*record);
                work += after.len() as u64 + 1;
                after.iter().filter_map(passing).for_each(|other| counters.add(other, weight));
            }
            if let Some(private) = self.private {
                let of_item = lists[*item as usize].iter().map(|record| (*record, *record));
                work += counters.count_private(private, of_item, |record, add| {
                    let weight = self.weight(record as usize);
                    after(record).iter().filter_map(passing).for_each(|other| add(other, weight));
                });
            }
            self.spend(work, 2)?;
            counters.settle(self, &[*item], |other| other, level)
        };
        let counters = || Counters::new(lists.len(), self.private.is_some());
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
            records: Vec::new(),
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
                projected.add(of_set, *record, self.weight(*record as usize));
            }
        }
        // Places are held in 32 bits.
        match projected.places.len() > u32::MAX as usize {
            true => Err(self.too_many(first.len() + 2)),
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
            let occurs = &projected.occurs[place];
            let after = |(at, part): (u32, u32)| {
                &projected.places[at as usize + 1..projected.offsets[part as usize + 1]]
            };
            for (at, part) in occurs {
                let after = after((*at, *part));
                work += after.len() as u64 + 1;
                let weight = projected.weights[*part as usize];
                after.iter().for_each(|other| counters.add(*other, weight));
            }
            if let Some(private) = self.private {
                let record = |(_, part): &(u32, u32)| projected.records[*part as usize];
                let of_place = occurs.iter().zip(0..).map(|(at, which)| (record(at), which));
                work += counters.count_private(private, of_place, |which, add| {
                    let weight = projected.weights[occurs[which as usize].1 as usize];
                    after(occurs[which as usize]).iter().for_each(|other| add(*other, weight));
                });
            }
            self.spend(work, first.len() + 2)?;
            let items = [first, &[projected.last[place]]].concat();
            counters.settle(self, &items, |other| projected.last[other as usize], level)
        };
        let found: Vec<LevelCounts> = (0..n)
            .into_par_iter()
            .map_init(|| Counters::new(n, self.private.is_some()), of_place)
            .collect::<Result<_>>()?;
        Ok(found.into_iter().fold(LevelCounts::default(), LevelCounts::with))
    }

    /// Count work that was done. The total doesn't depend on which thread does which part, so
    /// neither does whether it is too much.
    fn spend(&self, work: u64, size: usize) -> Result<()> {
        match self.work.fetch_add(work, Ordering::Relaxed) + work > self.limits.work {
            true => Err(self.too_many(size)),
            false => Ok(()),
        }
    }

    fn too_many(&self, size: usize) -> Error {
        Error::resources(format!(
            "combinations of {size} items are too many to be counted: it stopped at the limit of \
             {} occurrences, or of {} combinations at once",
            self.limits.work, self.limits.held
        ))
        .hint("ask for combinations of fewer items, or look at a sample of the records")
    }
}

impl Counters {
    fn new(n: usize, has_private: bool) -> Self {
        let n_private = if has_private { n } else { 0 };
        Counters {
            counts: vec![0; n],
            met: Vec::new(),
            most: vec![(0, 0); n_private],
            of_private: (vec![0; n_private], Vec::new()),
            tagged: Vec::new(),
        }
    }

    fn add(&mut self, place: u32, weight: u64) {
        add_to(&mut self.counts, &mut self.met, place, weight);
    }

    /// Count what each private item occurs with, one private item after the other, so that the
    /// counters of a single one are enough. Records come with a number by which `visit` finds what
    /// follows in them. Returns how much work it was.
    fn count_private(
        &mut self,
        private: &Transactions,
        records: impl Iterator<Item = (u32, u32)>,
        visit: impl Fn(u32, &mut dyn FnMut(u32, u64)),
    ) -> u64 {
        self.tagged.clear();
        for (record, which) in records {
            let of_record = private.set(record as usize);
            self.tagged.extend(of_record.into_iter().map(|item| (item, which)));
        }
        self.tagged.sort_unstable();
        let mut work = 0;
        let (counts, met) = &mut self.of_private;
        for run in self.tagged.chunk_by(|a, b| a.0 == b.0) {
            for (_, which) in run {
                visit(*which, &mut |place, weight| {
                    work += 1;
                    add_to(counts, met, place, weight);
                });
            }
            for place in met.drain(..) {
                let n = std::mem::take(&mut counts[place as usize]);
                let most = &mut self.most[place as usize];
                if n > most.0 {
                    *most = (n, run[0].0);
                }
            }
        }
        work
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
            let most = self.most.get_mut(place as usize).map(std::mem::take);
            let item = item_at(place);
            let is_known = |list: &mut &[u32]| {
                let before = list.iter().take_while(|other| **other < item).count();
                *list = &list[before..];
                list.first() == Some(&item)
            };
            if known.iter_mut().all(is_known) {
                let most = most.filter(|(n, _)| *n > 0).map(|(n, item)| (item, n));
                found.add(miner, (items, Some(item)), support, most, level.forgets_passing);
            }
        }
        let held = (found.passes.len() + found.fails.len()) as u64;
        match level.held.fetch_add(held, Ordering::Relaxed) + held > miner.limits.held {
            true => Err(miner.too_many(items.len() + 1)),
            false => Ok(found),
        }
    }
}

fn add_to(counts: &mut [u64], met: &mut Vec<u32>, place: u32, weight: u64) {
    let count = &mut counts[place as usize];
    if *count == 0 {
        met.push(place);
    }
    *count += weight;
}

impl<'a> Level<'a> {
    /// The items that may come after some items without one of them, for each of them, so that the
    /// combination passes. The case without the last item needn't be included: combinations are
    /// made only from such items.
    fn known_after(&self, items: &[u32]) -> Vec<&'a [u32]> {
        let without = |at: usize| [&items[..at], &items[at + 1..]].concat();
        let after = |at: usize| self.known.get(&without(at)[..]).copied().unwrap_or_default();
        (0..items.len() - 1).map(after).collect()
    }
}

/// Combinations grouped by all of their items but the last, with the items that may be last.
fn groups(combinations: &Combinations) -> Vec<(&[u32], Vec<u32>)> {
    let mut groups: Vec<(&[u32], Vec<u32>)> = Vec::new();
    for (items, _) in combinations.iter() {
        let (last, first) = (items[items.len() - 1], &items[..items.len() - 1]);
        match groups.last_mut().filter(|group| group.0 == first) {
            Some(group) => group.1.push(last),
            None => groups.push((first, vec![last])),
        }
    }
    groups
}

impl Projected<'_> {
    /// Add the part of a record. A part of a single item is left out, since no larger combination
    /// is in it.
    fn add(&mut self, places: impl Iterator<Item = usize>, record: u32, weight: u64) {
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
        self.records.push(record);
    }
}

impl LevelCounts {
    fn add<C: Code>(
        &mut self,
        miner: &Miner<'_, C>,
        (first, last): (&[u32], Option<u32>),
        support: u64,
        private: Option<(u32, u64)>,
        forgets_passing: bool,
    ) {
        let asked = miner.asked;
        self.least = Some(self.least.map_or(support, |least| least.min(support)));
        let of_private = private.map(|(_, part)| PartOf { part, whole: support });
        let is_rare = support < asked.required;
        // A combination that too few records have fails already, whatever their private items.
        self.share = larger(self.share, of_private.filter(|_| !is_rare));
        let is_breach = private
            .is_some_and(|(_, n)| asked.most.is_some_and(|most| most.is_exceeded(n, support)));
        self.rare += u64::from(is_rare);
        self.breaches += u64::from(is_breach && !is_rare);
        let items = || first.iter().copied().chain(last);
        let fails = is_rare || is_breach;
        if fails && self.failing.as_ref().is_none_or(|failing| support < failing.support) {
            self.failing = Some(Combination { items: items().collect(), support, private });
        }
        let list = match fails {
            true if miner.listed.failing => &mut self.fails,
            false if !forgets_passing => &mut self.passes,
            _ => return,
        };
        // The empty combination isn't listed.
        if last.is_some() || !first.is_empty() {
            list.items.extend(items());
            list.supports.push(support);
        }
    }

    /// These counts and those of combinations that come after them.
    fn with(mut self, other: LevelCounts) -> LevelCounts {
        self.least = self.least.into_iter().chain(other.least).min();
        self.rare += other.rare;
        self.share = larger(self.share, other.share);
        self.breaches += other.breaches;
        let support = |failing: &Option<Combination>| {
            failing.as_ref().map_or(u64::MAX, |failing| failing.support)
        };
        if support(&other.failing) < support(&self.failing) {
            self.failing = other.failing;
        }
        append(&mut self.passes, other.passes);
        append(&mut self.fails, other.fails);
        self
    }
}

fn larger(a: Option<PartOf>, b: Option<PartOf>) -> Option<PartOf> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn append(all: &mut Combinations, more: Combinations) {
    match all.is_empty() {
        true => *all = more,
        false => {
            all.items.extend(more.items);
            all.supports.extend(more.supports);
        }
    }
}

impl Mined {
    fn add(&mut self, level: LevelCounts) {
        let counted = &mut self.counted;
        counted.support.least = counted.support.least.min(level.least.unwrap_or(u64::MAX));
        counted.support.violations += level.rare;
        counted.share = larger(counted.share, level.share);
        counted.breaches += level.breaches;
        if counted.failing.is_none() {
            counted.failing = level.failing;
        }
    }
}

fn has_all<C: Code>(set: &[C], items: &[u32]) -> bool {
    items.iter().all(|item| set.binary_search_by_key(item, |code| code.widen()).is_ok())
}
