//! The walk: at each node of the lattice, from cheap to expensive, the remaining records are
//! grouped, and every group that may be published becomes a class.
//!
//! Most visits find nothing. So a batch of visits is tried in parallel first, all with the same
//! records, and only those that found a large enough group are really made, one after the other. A
//! batch has the same size whatever the number of threads, so the classes are the same.

use rayon::prelude::*;
use sfumato_core::traits::Join;
use sfumato_core::{FastSet, Result};

use super::lattice::{Lattice, Visit, Visits};
use super::part::Parts;
use super::records::Records;
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::mix::mix;
use crate::algorithms::shared::progress::Progress;

/// The number of counters per record of a sketch, and the smallest k for which a sketch helps: with
/// a smaller k, chance alone would fill a counter.
const SKETCH_ROOM: usize = 8;
const SKETCH_FROM: u64 = 4;
/// The largest number of nodes that a walk in a hurry skips after a batch in which fewer than one
/// record in `WORTHWHILE` was placed.
const MOST_SKIPPED: usize = 64;
const WORTHWHILE: usize = 400;
/// The number of visits in a batch, and in a batch whose groups are judged at the same time, in
/// which visits that share records conflict.
const BATCH: usize = 48;
const SMALL_BATCH: usize = 4;

/// The result of the walk.
pub struct Walked {
    /// Classes as lists of records.
    pub classes: Vec<Vec<u32>>,
    /// Records that weren't placed by any visit.
    pub left: Vec<u32>,
    /// How many nodes were examined.
    pub visits: u64,
    /// Whether the budget was spent before the lattice was finished.
    pub cut_short: bool,
}

/// An additional condition on groups, besides the requirements. `None` admits all.
pub type Admission<'a> = Option<&'a (dyn Fn(&[u32]) -> bool + Sync)>;

/// A walk over a lattice.
pub struct Walk<'a> {
    /// The records.
    pub records: &'a Records,
    /// Their lattice.
    pub lattice: &'a Lattice<'a>,
    /// The requirements.
    pub judge: &'a Judge<'a>,
    /// An additional condition on groups.
    pub admit: Admission<'a>,
    /// Finds a part of a group if the whole fails. Records are single rows then.
    pub parts: Option<&'a Parts<'a>>,
    /// Whether nodes are skipped where little is found.
    pub hurry: bool,
}

impl Walk<'_> {
    /// Walk until no record is left, the lattice ends or the budget of records to examine is spent.
    pub fn run(
        &self,
        visits: &mut Visits<'_>,
        start: Vec<u32>,
        budget: &mut u64,
        progress: &mut Progress<'_>,
    ) -> Result<Walked> {
        let Walk { records, lattice, judge, admit, parts, .. } = *self;
        let min_rows = parts.map_or(judge.min_rows, |parts| {
            parts.least().min(judge.min_rows.max(1) * 64).max(judge.min_rows)
        }) as u64;
        let mut walked = Walked { classes: Vec::new(), left: start, visits: 0, cut_short: false };
        let mut counter = Counter::default();
        let mut done = 0;
        let mut failed: FastSet<u64> = FastSet::default();
        let mut gone = vec![false; records.len()];
        let batch_size = if judge.by_rows() { BATCH } else { SMALL_BATCH };
        let mut stride = 1;
        loop {
            let batch: Vec<Visit> = visits.by_ref().step_by(stride).take(batch_size).collect();
            if batch.is_empty() || walked.left.is_empty() {
                return Ok(walked);
            }
            let work = (batch.len() * walked.left.len()) as u64;
            // What is left then is finished by others.
            if work > *budget || progress.enough() {
                walked.cut_short = true;
                return Ok(walked);
            }
            progress.reach(done.min(self.judge.whole().rows as usize))?;
            *budget -= work;
            walked.visits += batch.len() as u64;
            let left = &walked.left;
            let before_batch = left.len();
            if judge.by_rows() && admit.is_none() {
                let promising: Vec<bool> = batch
                    .par_iter()
                    .map_init(Counter::default, |counter, visit| {
                        counter.count(records, lattice, visit, left, min_rows)
                    })
                    .collect();
                for (visit, _) in batch.iter().zip(promising).filter(|(_, promising)| *promising) {
                    if !counter.count(records, lattice, visit, &walked.left, min_rows) {
                        continue;
                    }
                    *budget = budget.saturating_sub(walked.left.len() as u64);
                    let groups = counter.large_groups(records, &walked.left, min_rows);
                    groups.iter().flatten().for_each(|&record| gone[record as usize] = true);
                    walked.left.retain(|&record| !gone[record as usize]);
                    walked.classes.extend(groups);
                }
            } else {
                // Judging groups is the work here, so all of a batch are judged in parallel; of
                // those that share records the first leaves.
                let judged: Vec<Vec<(u64, Option<Vec<u32>>)>> = batch
                    .par_iter()
                    .map_init(Counter::default, |counter, visit| {
                        if !counter.count(records, lattice, visit, left, min_rows) {
                            return Vec::new();
                        }
                        let groups = counter.large_groups(records, left, min_rows).into_iter();
                        // Nodes often give the same group again; what failed once fails again.
                        let new = groups
                            .map(|group| (content(&group), group))
                            .filter(|(c, _)| !failed.contains(c));
                        new.map(|(content, group)| (content, self.leaving(group))).collect()
                    })
                    .collect();
                for (content, class) in judged.into_iter().flatten() {
                    match class {
                        None => {
                            failed.insert(content);
                        }
                        Some(class) if class.iter().all(|&record| !gone[record as usize]) => {
                            class.iter().for_each(|&record| gone[record as usize] = true);
                            walked.classes.push(class);
                        }
                        Some(_) => {}
                    }
                }
                walked.left.retain(|&record| !gone[record as usize]);
            }
            let placed = before_batch - walked.left.len();
            done += placed;
            if self.hurry {
                stride = if placed * WORTHWHILE > before_batch {
                    1
                } else {
                    (stride * 2).min(MOST_SKIPPED)
                };
            }
        }
    }

    /// The part of a group that may be published: all of it, or a part.
    fn leaving(&self, group: Vec<u32>) -> Option<Vec<u32>> {
        let rows = self.records.rows_of(&group);
        if self.judge.holds(&rows) && self.admit.is_none_or(|admit| admit(&rows)) {
            return Some(group);
        }
        let part = self.parts?.largest(&rows)?;
        Some(part.into_iter().map(|row| self.records.of_row[row as usize]).collect())
    }
}

/// A hash of a set of records.
fn content(group: &[u32]) -> u64 {
    group.iter().fold(0u64, |sum, &record| sum.wrapping_add(mix(u64::from(record))))
}

/// Counts groups at a node. It is kept from visit to visit for its buffers.
#[derive(Default)]
pub struct Counter {
    /// The group of each counted record; 0 for those above the cap.
    keys: Vec<u64>,
    /// Rows per hash of a group. Different groups may share a counter.
    sketch: Vec<u8>,
    /// A table with open addressing. A slot of an earlier visit is empty.
    slots: Vec<Slot>,
    mask: usize,
    shift: u32,
    visit: u32,
    /// For each slot the number of its group among the large ones.
    group: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    rows: u32,
    visit: u32,
}

impl Counter {
    /// Count the groups of records at a node. Returns whether one has at least `min_rows` rows.
    pub fn count(
        &mut self,
        records: &Records,
        lattice: &Lattice<'_>,
        visit: &Visit,
        left: &[u32],
        min_rows: u64,
    ) -> bool {
        self.keys.clear();
        // Most visits find nothing, and counters without keys show that cheaply: no group is larger
        // than its counter.
        let sketched = min_rows >= SKETCH_FROM;
        let buckets = (left.len() * SKETCH_ROOM).next_power_of_two().max(64);
        let shift = 64 - buckets.trailing_zeros();
        self.sketch.clear();
        self.sketch.resize(if sketched { buckets } else { 0 }, 0);
        let tables = lattice.packed.tables(&visit.levels);
        let cap = visit.cap + 1e-12;
        let mut most = 0u8;
        for &record in left {
            let parts = lattice
                .packed
                .codes(record)
                .iter()
                .zip(&tables)
                .map(|(&code, table)| table[code as usize]);
            let (sum, price) = match lattice.join {
                Join::Sum => parts.fold((0u64, 0.0), |(sum, all), (key, price)| {
                    (sum.wrapping_add(key), all + price)
                }),
                Join::Product => parts.fold((0u64, 1.0), |(sum, all), (key, price)| {
                    (sum.wrapping_add(key), all * price)
                }),
            };
            if price > cap {
                self.keys.push(0);
                continue;
            }
            let key = sum | 1;
            self.keys.push(key);
            if sketched {
                let counter = &mut self.sketch[(key >> shift) as usize];
                *counter = counter.saturating_add(records.weight[record as usize].min(255) as u8);
                most = most.max(*counter);
            }
        }
        if sketched && u64::from(most) < min_rows.min(255) {
            return false;
        }
        self.count_exactly(records, left) >= min_rows
    }

    /// Count the keys of the last visit exactly. Returns the size of the largest group.
    fn count_exactly(&mut self, records: &Records, left: &[u32]) -> u64 {
        let size = (left.len() * 2).next_power_of_two().max(4);
        self.shift = 64 - size.trailing_zeros();
        self.mask = size - 1;
        if self.slots.len() < size || self.visit == u32::MAX {
            self.slots.clear();
            self.slots.resize(size, Slot::default());
            self.visit = 0;
        }
        self.visit += 1;
        let visit = self.visit;
        let mut most = 0u32;
        for (index, &record) in left.iter().enumerate() {
            let key = self.keys[index];
            if key == 0 {
                continue;
            }
            let place = self.place(key);
            let slot = &mut self.slots[place];
            let rows =
                if slot.visit == visit { slot.rows } else { 0 } + records.weight[record as usize];
            *slot = Slot { key, rows, visit };
            most = most.max(rows);
        }
        u64::from(most)
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mut place = (key >> self.shift) as usize & self.mask;
        while self.slots[place].visit == self.visit && self.slots[place].key != key {
            place = (place + 1) & self.mask;
        }
        place
    }

    /// The groups with at least the given number of rows, in the order of their first records.
    pub fn large_groups(
        &mut self,
        records: &Records,
        left: &[u32],
        min_rows: u64,
    ) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        self.group.clear();
        self.group.resize(self.mask + 1, 0);
        for (index, &record) in left.iter().enumerate() {
            let key = self.keys[index];
            if key == 0 {
                continue;
            }
            let place = self.place(key);
            if u64::from(self.slots[place].rows) < min_rows {
                continue;
            }
            match self.group[place] {
                0 => {
                    groups.push(vec![record]);
                    self.group[place] = groups.len() as u32;
                }
                group => groups[group as usize - 1].push(record),
            }
        }
        debug_assert!(
            groups.iter().all(|g| g
                .iter()
                .map(|&r| u64::from(records.weight[r as usize]))
                .sum::<u64>()
                >= min_rows)
        );
        groups
    }
}
