//! Looking at one node: which groups may be published there, and what that costs.

use sfumato_core::column::Code;
use sfumato_core::dataset::{Column, Role};
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::traits::{Join, Scope, Task};
use sfumato_core::with_codes;

use super::frequencies::{Frequencies, Node, raise};
use super::ladder::Ladder;
use crate::table::global::shared::groups::Groups;
use crate::table::global::shared::publish::judge;
use crate::table::shared::mix::mix;

/// Groups without a number: too small to be asked about.
const NONE: u32 = u32::MAX;
/// Most counters of groups times codes; more are counted by rows.
const MOST_COUNTERS: usize = 1 << 26;

/// What a look at a node showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// How many rows may not be published.
    pub suppressed: u64,
    /// Whether that is allowed, and something is left.
    pub feasible: bool,
    /// What the release costs; infinite if there is none.
    pub cost: f64,
    /// What it would cost with nothing suppressed: a lower bound for this node and, where merging never helps, for all above.
    pub bound: f64,
    /// How many groups there are.
    pub groups: usize,
}

/// A table with the levels of its columns: whatever may be asked about a node.
pub struct Examiner<'a> {
    /// The task.
    pub task: &'a Task<'a>,
    /// The quasi columns.
    pub quasi: Vec<&'a Column>,
    /// Their levels.
    pub ladders: Vec<Ladder>,
    /// `sums[column][level]`: what all cells of a column cost at a level.
    pub sums: Vec<Vec<f64>>,
    /// The columns that are counted: sensitive ones that a model reads, by their place, then the target.
    sensitive: Vec<usize>,
    n_sensitive: usize,
    counts_target: bool,
    whole: Summary,
    min_rows: u64,
    /// Rows must be looked at: people have several, or promises are about parts of the columns.
    by_rows_of_table: bool,
    count_only: bool,
}

/// Room that is kept from node to node.
#[derive(Default)]
pub struct Scratch {
    keys: Vec<u64>,
    /// The place of each record's group in `counts`.
    slot: Vec<u32>,
    slots: Vec<u64>,
    counts: Vec<u32>,
    /// For each slot the number of its group among those asked about.
    number: Vec<u32>,
    /// Whether the group of a slot fails.
    fails: Vec<bool>,
}

impl<'a> Examiner<'a> {
    /// For a task whose quasi columns all have levels.
    pub fn new(task: &'a Task<'a>) -> Self {
        let quasi = task.table.quasi();
        let ladder = |(place, column): (usize, &&Column)| Ladder::new(column, place, task.objective);
        let ladders: Vec<Ladder> = quasi.iter().enumerate().map(ladder).collect();
        let sums = quasi.iter().zip(&ladders).map(|(column, ladder)| {
            let mut counts = vec![0u64; column.domain.len() + 1];
            column.codes.iter().for_each(|code| counts[code as usize] += 1);
            let sum = |level: &super::ladder::Level| {
                let cell = |(&value, &n): (&u32, &u64)| n as f64 * level.price[value as usize];
                level.of_code.iter().zip(&counts).filter(|(_, n)| **n > 0).map(cell).sum()
            };
            ladder.levels.iter().map(sum).collect()
        });
        let sums = sums.collect();
        let n_sensitive = task.table.sensitive().len();
        let needed = task.requirements.needed_histograms(n_sensitive);
        let count_only = task.requirements.is_count_only();
        Examiner {
            sums,
            sensitive: (0..n_sensitive).filter(|&place| needed[place] && !count_only).collect(),
            n_sensitive,
            counts_target: task.objective.outsider > 0.0,
            whole: task.whole(),
            min_rows: task.requirements.min_people(),
            by_rows_of_table: task.table.subject.is_some()
                || task.requirements.iter().any(|requirement| requirement.scope() != Scope::Class),
            count_only,
            task,
            quasi,
            ladders,
        }
    }

    /// The records of the table as they are.
    pub fn base(&self) -> Frequencies {
        let sensitive = self.task.table.sensitive();
        let mut counted: Vec<&Column> = self.sensitive.iter().map(|&place| sensitive[place]).collect();
        counted.extend(self.task.table.of_role(Role::Target).next().filter(|_| self.counts_target));
        Frequencies::of_table(&self.quasi, &self.ladders, self.task.table.n_rows, &counted)
    }

    /// The highest node.
    pub fn top(&self) -> Node {
        self.ladders.iter().map(|ladder| ladder.levels.len() as u8 - 1).collect()
    }

    /// Look at a node, from the frequencies of one below it.
    pub fn examine(&self, source: &Frequencies, node: &[u8], scratch: &mut Scratch) -> Outcome {
        scratch.group(self, source, node);
        if self.by_rows_of_table {
            return self.examine_rows(node, scratch);
        }
        match self.find_failing(source, scratch) {
            Some(()) => self.price(source, node, scratch),
            None => self.examine_rows(node, scratch),
        }
    }

    /// Mark the groups that may not be published. `None` if there are too many to count this way.
    fn find_failing(&self, source: &Frequencies, scratch: &mut Scratch) -> Option<()> {
        let Scratch { slot, counts, number, fails, .. } = scratch;
        fails.clear();
        fails.extend(counts.iter().map(|&rows| u64::from(rows) < self.min_rows));
        if self.count_only {
            return Some(());
        }
        number.clear();
        number.resize(counts.len(), NONE);
        let mut asked: Vec<u32> = Vec::new();
        for (place, &rows) in counts.iter().enumerate().filter(|(place, rows)| **rows > 0 && !fails[*place]) {
            number[place] = asked.len() as u32;
            asked.push(rows);
        }
        let mut histograms: Vec<Vec<Histogram>> =
            vec![vec![Histogram::default(); self.n_sensitive]; asked.len()];
        for (&place, pairs) in self.sensitive.iter().zip(&source.pairs) {
            if asked.len().saturating_mul(pairs.n_codes) > MOST_COUNTERS {
                return None;
            }
            let counted = count_pairs(pairs, asked.len(), |record| number[slot[record as usize] as usize]);
            for (group, counts) in counted.chunks(pairs.n_codes).enumerate() {
                let entries = counts.iter().zip(0u32..).map(|(&n, code)| (code, u64::from(n)));
                histograms[group][place] = Histogram::from_counts(entries);
            }
        }
        let summaries: Vec<Summary> = asked
            .iter()
            .zip(histograms)
            .map(|(&rows, histograms)| Summary::of_histograms(u64::from(rows), histograms))
            .collect();
        let slot_of: Vec<usize> = (0..number.len()).filter(|&place| number[place] != NONE).collect();
        // What is left out changes the release that groups are compared with, so look again until nothing changes. Beyond the limit it
        // doesn't matter any more.
        let mut release = self.whole.clone();
        loop {
            let mut changed = false;
            for (summary, &place) in summaries.iter().zip(&slot_of) {
                if !fails[place] && !self.task.requirements.holds(summary, &release) {
                    fails[place] = true;
                    changed = true;
                }
            }
            let lost = |(&rows, &fails): (&u32, &bool)| if fails { u64::from(rows) } else { 0 };
            let suppressed: u64 = counts.iter().zip(fails.iter()).map(lost).sum();
            let stands = summaries.iter().zip(&slot_of).any(|(_, &place)| !fails[place]);
            if suppressed == 0 || suppressed > self.task.max_suppressed || !stands {
                return Some(());
            }
            let kept = summaries.iter().zip(&slot_of).filter(|(_, place)| !fails[**place]);
            let reference = kept.fold(Summary::default(), |mut all, (summary, _)| {
                all.merge(summary);
                all
            });
            if !changed && reference == release {
                return Some(());
            }
            release = reference;
        }
    }

    /// What the groups cost, those that fail left out.
    fn price(&self, source: &Frequencies, node: &[u8], scratch: &Scratch) -> Outcome {
        let Scratch { slot, counts, fails, .. } = scratch;
        let objective = self.task.objective;
        let failing = |(&rows, &fails): (&u32, &bool)| if fails { u64::from(rows) } else { 0 };
        let suppressed: u64 = counts.iter().zip(fails).map(failing).sum();
        let groups = counts.iter().filter(|rows| **rows > 0).count();
        if !self.allows(suppressed) {
            let sum = objective.join() == Join::Sum && !objective.ignores_cells();
            let bound = if sum { self.cells(node) } else { f64::NEG_INFINITY };
            return self.outcome(suppressed, bound, 0.0, groups);
        }
        let (mut lost, mut all) = (0.0, 0.0);
        match objective.join() {
            _ if objective.ignores_cells() => {}
            Join::Sum => {
                all = self.cells(node);
                if suppressed > 0 {
                    let failing = |record: &u32| fails[slot[*record as usize] as usize];
                    let records: Vec<u32> = (0..slot.len() as u32).filter(failing).collect();
                    lost = self.prices(source, node, &records).iter().sum();
                }
            }
            Join::Product => {
                let records: Vec<u32> = (0..slot.len() as u32).collect();
                for (price, &place) in self.prices(source, node, &records).iter().zip(slot) {
                    all += price;
                    lost += if fails[place as usize] { *price } else { 0.0 };
                }
            }
        }
        if objective.ignores_cells() {
            let outsiders = self.outsiders(source, scratch);
            for (place, &rows) in counts.iter().enumerate().filter(|(_, rows)| **rows > 0) {
                let price = objective.class(u64::from(rows)) + objective.outsider * outsiders[place] as f64;
                all += price;
                lost += if fails[place] { price } else { 0.0 };
            }
        }
        self.outcome(suppressed, all, lost, groups)
    }

    /// What the cells of records cost at a node, for all rows of each.
    fn prices(&self, source: &Frequencies, node: &[u8], records: &[u32]) -> Vec<f64> {
        let mut prices: Vec<f64> =
            records.iter().map(|&record| f64::from(source.rows[record as usize])).collect();
        let join = self.task.objective.join();
        let mut sums = vec![0.0; if join == Join::Sum { records.len() } else { 0 }];
        for (column, ladder) in self.ladders.iter().enumerate() {
            let level = &ladder.levels[node[column] as usize];
            let up = raise(ladder, source.levels[column], node[column]);
            let price: Vec<f64> = up.iter().map(|&value| level.price[value as usize]).collect();
            with_codes!(&source.columns[column], codes => {
                let price = |record: &u32| price[codes[*record as usize].widen() as usize];
                match join {
                    Join::Sum => sums.iter_mut().zip(records).for_each(|(sum, record)| *sum += price(record)),
                    Join::Product => prices.iter_mut().zip(records).for_each(|(all, record)| *all *= price(record)),
                }
            });
        }
        if join == Join::Sum {
            prices.iter_mut().zip(sums).for_each(|(price, sum)| *price *= sum);
        }
        prices
    }

    /// Whether so many rows may be suppressed, and something is left.
    fn allows(&self, suppressed: u64) -> bool {
        let n_rows = self.task.table.n_rows as u64;
        suppressed <= self.task.max_suppressed && (suppressed < n_rows || n_rows == 0)
    }

    fn outcome(&self, suppressed: u64, all: f64, lost: f64, groups: usize) -> Outcome {
        let feasible = self.allows(suppressed);
        let cost = match (feasible, suppressed) {
            (false, _) => f64::INFINITY,
            (true, 0) => all,
            (true, n) => all - lost + n as f64 * self.task.objective.suppressed,
        };
        Outcome { suppressed, feasible, cost, bound: all, groups }
    }

    /// How many rows of each group don't have its most frequent target.
    fn outsiders(&self, source: &Frequencies, scratch: &Scratch) -> Vec<u64> {
        let mut outsiders = vec![0u64; scratch.counts.len()];
        if let Some(pairs) = source.pairs.last().filter(|_| self.counts_target) {
            let mut number = vec![NONE; scratch.counts.len()];
            let mut places = Vec::new();
            for place in (0..scratch.counts.len()).filter(|&place| scratch.counts[place] > 0) {
                number[place] = places.len() as u32;
                places.push(place);
            }
            let counted =
                count_pairs(pairs, places.len(), |record| number[scratch.slot[record as usize] as usize]);
            for (counts, &place) in counted.chunks(pairs.n_codes).zip(&places) {
                let most = counts.iter().max().copied().unwrap_or(0);
                outsiders[place] = u64::from(scratch.counts[place] - most);
            }
        }
        outsiders
    }

    /// What all cells cost at a node, where prices are added.
    pub fn cells(&self, node: &[u8]) -> f64 {
        self.sums.iter().zip(node).map(|(sums, &level)| sums[level as usize]).sum()
    }

    /// The same look by the rows of the table.
    fn examine_rows(&self, node: &[u8], scratch: &mut Scratch) -> Outcome {
        let level = |(ladder, &level): (&Ladder, &u8)| ladder.levels[level as usize].cut();
        let cuts: Vec<_> = self.ladders.iter().zip(node).map(level).collect();
        let groups = Groups::new(&self.quasi, &cuts, self.task.table.n_rows);
        let verdict = judge(self.task, &cuts, &groups);
        let objective = self.task.objective;
        let target = self.task.table.of_role(Role::Target).next().filter(|_| self.counts_target);
        let mut outsiders = vec![0u64; groups.len()];
        if let Some(target) = target {
            let mut pairs: Vec<(u32, u32)> = groups.of_row.iter().copied().zip(target.codes.iter()).collect();
            pairs.sort_unstable();
            outsiders.copy_from_slice(&groups.rows);
            for same in pairs.chunk_by(|a, b| a == b) {
                let group = same[0].0 as usize;
                outsiders[group] = outsiders[group].min(groups.rows[group] - same.len() as u64);
            }
        }
        let (mut all, mut lost) = (0.0, 0.0);
        for group in 0..groups.len() {
            let row = groups.example[group] as usize;
            let cells = self.quasi.iter().zip(&self.ladders).zip(node).map(|((column, ladder), &level)| {
                let level = &ladder.levels[level as usize];
                level.price[level.of_code[column.codes.get(row) as usize] as usize]
            });
            let rows = groups.rows[group];
            let price = rows as f64 * objective.join().all(cells)
                + objective.class(rows)
                + objective.outsider * outsiders[group] as f64;
            all += price;
            lost += if verdict.kept[group] { 0.0 } else { price };
        }
        scratch.fails.clear();
        self.outcome(verdict.suppressed, all, lost, groups.len())
    }

    /// The frequencies of the node that was looked at last, from the same source.
    pub fn roll_up(&self, source: &Frequencies, node: &[u8], scratch: &mut Scratch) -> Frequencies {
        let Scratch { slot, counts, number, .. } = scratch;
        number.clear();
        number.resize(counts.len(), NONE);
        let mut n_groups = 0;
        let group: Vec<u32> = slot
            .iter()
            .map(|&place| {
                let number = &mut number[place as usize];
                if *number == NONE {
                    *number = n_groups;
                    n_groups += 1;
                }
                *number
            })
            .collect();
        source.roll_up(&self.ladders, node, &group, n_groups as usize)
    }
}

/// `counts[group * n_codes + code]`, for the groups that have a number.
fn count_pairs(
    pairs: &super::frequencies::Pairs,
    n_groups: usize,
    group_of: impl Fn(u32) -> u32,
) -> Vec<u32> {
    let mut counts = vec![0u32; n_groups * pairs.n_codes];
    for ((&record, &code), &count) in pairs.record.iter().zip(&pairs.code).zip(&pairs.count) {
        let group = group_of(record);
        if group != NONE {
            counts[group as usize * pairs.n_codes + code as usize] += count;
        }
    }
    counts
}

impl Scratch {
    /// Group the records of a source at a node: the slot of each, and the rows of each slot.
    fn group(&mut self, examiner: &Examiner<'_>, source: &Frequencies, node: &[u8]) {
        let n = source.len();
        self.keys.clear();
        self.keys.resize(n, 0);
        let mut range = 1u64;
        for (column, ladder) in examiner.ladders.iter().enumerate() {
            let n_values = ladder.levels[node[column] as usize].values.len() as u64;
            if n_values <= 1 {
                continue;
            }
            if range.checked_mul(n_values).is_none() {
                range = self.shorten();
            }
            let up: Vec<u64> = raise(ladder, source.levels[column], node[column])
                .into_iter()
                .map(|value| u64::from(value) * range)
                .collect();
            with_codes!(&source.columns[column], codes => {
                self.keys.iter_mut().zip(codes).for_each(|(key, code)| *key += up[code.widen() as usize]);
            });
            range *= n_values;
        }
        self.counts.clear();
        self.slot.clear();
        if range <= (4 * n as u64).max(4096) {
            self.counts.resize(range as usize, 0);
            self.slot.extend(self.keys.iter().map(|&key| key as u32));
            self.slot.iter().zip(&source.rows).for_each(|(&slot, &rows)| self.counts[slot as usize] += rows);
            return;
        }
        let size = (2 * n).next_power_of_two();
        let shift = 64 - size.trailing_zeros();
        self.counts.resize(size, 0);
        self.slots.clear();
        self.slots.resize(size, 0);
        for (&key, &rows) in self.keys.iter().zip(&source.rows) {
            let mut place = (mix(key) >> shift) as usize;
            while self.counts[place] > 0 && self.slots[place] != key {
                place = (place + 1) & (size - 1);
            }
            self.slots[place] = key;
            self.counts[place] += rows;
            self.slot.push(place as u32);
        }
    }

    /// Number the keys so far from 0; gives how many different ones there are.
    fn shorten(&mut self) -> u64 {
        let mut numbers: sfumato_core::FastMap<u64, u64> = sfumato_core::FastMap::default();
        for key in &mut self.keys {
            let next = numbers.len() as u64;
            *key = *numbers.entry(*key).or_insert(next);
        }
        numbers.len() as u64
    }
}
