//! Groups of classes that agree on some columns, for many subsets of columns.
//!
//! Summaries merge, but merging them pair by pair for each of hundreds of subsets costs more than
//! everything else in a check. Here the counts of all classes are laid out once; a subset then
//! costs one pass over the classes to number their groups (the columns that it shares with the
//! subset before are numbered already) and one to add up.

use std::borrow::Cow;

use super::counts::{Counts, Lists};
use crate::FastMap;
use crate::group::{ClassTable, Histogram, Summary};

/// The largest number of possible group numbers, per class, up to which groups are numbered without
/// hashing.
const DENSE_PER_CLASS: u64 = 4;
/// Tables up to this size are dense, however few classes there are.
const DENSE: u64 = 1 << 14;
/// The largest number of cells up to which the histograms of all groups of a subset are counted
/// side by side.
const MOST_CELLS: usize = 1 << 20;

/// The classes of a release, laid out to be grouped by any columns.
pub struct Projections<'a> {
    keys: Vec<Cow<'a, [u32]>>,
    n_values: Vec<u64>,
    n_classes: usize,
    most_dense: u64,
    n_sensitive: usize,
    rows: Vec<u64>,
    /// The number of people in each class. These add up unless there is a subject column; then
    /// `subjects` has the people themselves, since one may be in several classes.
    people: Vec<u64>,
    people_are_rows: bool,
    subjects: Option<Lists>,
    /// Whether some class has no rows, so that a group without rows may still exist.
    some_are_empty: bool,
    /// The histograms that were asked for.
    histograms: Vec<(usize, Counts)>,
}

/// The subjects of each class as small numbers. Subjects of a table are small numbers already;
/// those of a large file may be any 64-bit numbers.
fn dense_subjects<'a>(lists: impl Iterator<Item = &'a [u64]> + Clone) -> Lists {
    let n: usize = lists.clone().map(<[u64]>::len).sum();
    let most = lists.clone().flatten().max().copied().unwrap_or(0);
    if most < u64::from(u32::MAX).min(4 * n as u64 + 1024) {
        return Lists::new(lists.map(|list| list.iter().map(|subject| *subject as u32)));
    }
    let mut numbers: FastMap<u64, u32> = FastMap::default();
    let mut number = |subject: &u64| {
        let next = numbers.len() as u32;
        *numbers.entry(*subject).or_insert(next)
    };
    Lists::new(lists.map(|list| list.iter().map(&mut number).collect::<Vec<u32>>().into_iter()))
}

impl<'a> Projections<'a> {
    /// Lay out the classes with some of their histograms.
    pub fn new(classes: &'a ClassTable, histograms: &[usize]) -> Self {
        let n_classes = classes.summaries.len();
        let most_dense = (DENSE_PER_CLASS * n_classes as u64).clamp(DENSE, u64::from(u32::MAX));
        let keys: Vec<Cow<'a, [u32]>> =
            classes.keys.iter().map(|keys| small_numbers(keys, most_dense)).collect();
        let n_values = keys
            .iter()
            .map(|keys| keys.iter().max().map_or(1, |most| u64::from(*most) + 1))
            .collect();
        let summaries = &classes.summaries;
        let subjects = summaries.iter().any(|summary| summary.subjects().is_some());
        let counted = |column: usize| (column, Counts::new(summaries, column));
        Projections {
            keys,
            n_values,
            n_classes,
            most_dense,
            n_sensitive: summaries
                .iter()
                .map(|summary| summary.histograms.len())
                .max()
                .unwrap_or(0),
            rows: summaries.iter().map(|summary| summary.rows).collect(),
            people: summaries.iter().map(|summary| summary.people).collect(),
            people_are_rows: !subjects
                && summaries.iter().all(|summary| summary.people == summary.rows),
            some_are_empty: summaries.iter().any(|summary| summary.rows == 0),
            subjects: subjects.then(|| {
                let subjects =
                    summaries.iter().map(|summary| summary.subjects().unwrap_or_default());
                dense_subjects(subjects)
            }),
            histograms: histograms
                .iter()
                .copied()
                .map(counted)
                .filter(|(_, counts)| !counts.is_empty())
                .collect(),
        }
    }

    /// Start a walk over subsets of columns.
    pub fn walk(&self) -> Walk<'_> {
        let empty = Summary::of_histograms(0, vec![Histogram::default(); self.n_sensitive]);
        Walk {
            of: self,
            start: vec![0; self.n_classes],
            levels: Vec::new(),
            depth: 0,
            members: Vec::new(),
            rows: Vec::new(),
            people: Vec::new(),
            cells: Vec::new(),
            order: Vec::new(),
            stamps: Stamps::default(),
            summary: empty,
        }
    }
}

/// The same numbers if all are small, or else renumbered from 0.
fn small_numbers(keys: &[u32], most: u64) -> Cow<'_, [u32]> {
    if keys.iter().all(|&key| u64::from(key) < most) {
        return Cow::Borrowed(keys);
    }
    let mut numbers: FastMap<u32, u32> = FastMap::default();
    let number = |key: &u32| {
        let next = numbers.len() as u32;
        *numbers.entry(*key).or_insert(next)
    };
    Cow::Owned(keys.iter().map(number).collect())
}

/// The number of each class's group after one more column.
struct Level {
    column: usize,
    of_class: Vec<u32>,
    /// A bound that all numbers are below.
    range: usize,
}

/// Visits one subset of columns after the other. Each worker has a walk of its own.
pub struct Walk<'a> {
    of: &'a Projections<'a>,
    start: Vec<u32>,
    levels: Vec<Level>,
    depth: usize,
    members: Vec<u32>,
    rows: Vec<u64>,
    people: Vec<u64>,
    cells: Vec<u32>,
    order: Vec<u32>,
    stamps: Stamps,
    summary: Summary,
}

impl Walk<'_> {
    /// Visit each group of classes that agree on some columns, with its number and its summary.
    pub fn visit(&mut self, columns: &[usize], look: &mut dyn FnMut(u32, &Summary)) {
        self.number(columns);
        let (of_class, range) = match self.depth.checked_sub(1) {
            None => (&self.start, 1),
            Some(last) => (&self.levels[last].of_class, self.levels[last].range),
        };
        let of = self.of;
        refill(&mut self.rows, range);
        of_class.iter().zip(&of.rows).for_each(|(group, rows)| self.rows[*group as usize] += rows);
        if !of.people_are_rows && of.subjects.is_none() {
            refill(&mut self.people, range);
            of_class
                .iter()
                .zip(&of.people)
                .for_each(|(group, people)| self.people[*group as usize] += people);
        }
        let width: usize = of.histograms.iter().map(|(_, counts)| counts.width()).sum();
        let has_rows =
            of.subjects.is_none() && of.histograms.iter().all(|(_, counts)| counts.has_rows());
        if !of.some_are_empty && has_rows && width.saturating_mul(range) <= MOST_CELLS {
            self.visit_side_by_side(range, width, look);
        } else {
            self.visit_one_by_one(range, look);
        }
    }

    /// The number of each class's group at the last visit.
    pub fn group_of_class(&self) -> &[u32] {
        self.depth.checked_sub(1).map_or(&self.start, |last| &self.levels[last].of_class)
    }

    /// Number the groups. The columns that this subset shares with the start of the last one
    /// needn't be numbered again.
    fn number(&mut self, columns: &[usize]) {
        let same = self.levels[..self.depth]
            .iter()
            .zip(columns)
            .take_while(|(level, column)| level.column == **column);
        let same = same.count();
        for (depth, &column) in columns.iter().enumerate().skip(same) {
            if self.levels.len() == depth {
                self.levels.push(Level { column, of_class: Vec::new(), range: 0 });
            }
            let (before, level) = self.levels.split_at_mut(depth);
            let (prefix, range) =
                before.last().map_or((&self.start, 1), |last| (&last.of_class, last.range as u64));
            let level = &mut level[0];
            let keys = &self.of.keys[column];
            level.column = column;
            level.of_class.clear();
            match range
                .checked_mul(self.of.n_values[column])
                .filter(|product| *product <= self.of.most_dense)
            {
                Some(product) => {
                    // Numbers of the product's digits: no class is looked up anywhere.
                    let step = range as u32;
                    level.of_class.extend(
                        prefix.iter().zip(keys.iter()).map(|(prefix, key)| prefix + step * key),
                    );
                    level.range = product as usize;
                }
                None => {
                    let mut numbers: FastMap<u64, u32> = FastMap::default();
                    level.of_class.extend(prefix.iter().zip(keys.iter()).map(|(prefix, key)| {
                        let next = numbers.len() as u32;
                        *numbers.entry(u64::from(*prefix) << 32 | u64::from(*key)).or_insert(next)
                    }));
                    level.range = numbers.len();
                }
            }
        }
        self.depth = columns.len();
    }

    /// Count all histograms of all groups in one table, reading the classes in their order.
    fn visit_side_by_side(
        &mut self,
        range: usize,
        width: usize,
        look: &mut dyn FnMut(u32, &Summary),
    ) {
        let of = self.of;
        refill(&mut self.cells, range * width);
        let of_class =
            self.depth.checked_sub(1).map_or(&self.start, |last| &self.levels[last].of_class);
        let mut tables = self.cells.as_mut_slice();
        for (_, counts) in &of.histograms {
            let (table, rest) = tables.split_at_mut(range * counts.width());
            counts.add_rows(of_class, table);
            tables = rest;
        }
        for group in (0..range).filter(|group| self.rows[*group] > 0) {
            let mut first = 0;
            for (column, counts) in &of.histograms {
                let found = &self.cells[first + group * counts.width()..];
                let codes = counts.codes().iter().zip(found);
                self.summary.histograms[*column]
                    .refill(codes.map(|(code, n)| (*code, u64::from(*n))));
                first += range * counts.width();
            }
            self.summary.rows = self.rows[group];
            self.summary.people =
                if of.people_are_rows { self.rows[group] } else { self.people[group] };
            look(group as u32, &self.summary);
        }
    }

    /// Count one group at a time: for many values, and for people who may be in several classes of
    /// a group.
    fn visit_one_by_one(&mut self, range: usize, look: &mut dyn FnMut(u32, &Summary)) {
        let of = self.of;
        let of_class =
            self.depth.checked_sub(1).map_or(&self.start, |last| &self.levels[last].of_class);
        refill(&mut self.members, range);
        of_class.iter().for_each(|group| self.members[*group as usize] += 1);
        // Classes by their group: where each group begins, then every class to its place.
        let mut next = Vec::with_capacity(range);
        let mut sum = 0;
        for members in &self.members {
            next.push(sum);
            sum += *members as usize;
        }
        refill(&mut self.order, of_class.len());
        for (class, group) in of_class.iter().enumerate() {
            let place = &mut next[*group as usize];
            self.order[*place] = class as u32;
            *place += 1;
        }
        for group in (0..range).filter(|group| self.members[*group] > 0) {
            let members = &self.order[next[group] - self.members[group] as usize..next[group]];
            for (column, counts) in &of.histograms {
                let found = self.stamps.count(counts, members);
                self.summary.histograms[*column].refill(found);
            }
            self.summary.rows = self.rows[group];
            self.summary.people = match &of.subjects {
                None if of.people_are_rows => self.rows[group],
                None => self.people[group],
                Some(subjects) => self.stamps.distinct(subjects, members),
            };
            look(group as u32, &self.summary);
        }
    }
}

/// Which items were already seen in the current group.
#[derive(Default)]
struct Stamps {
    /// The last group in which an item was seen.
    seen: Vec<u64>,
    now: u64,
    counts: Vec<u64>,
    touched: Vec<u32>,
    found: Vec<(u32, u64)>,
}

impl Stamps {
    fn begin(&mut self, n_items: usize) {
        if self.seen.len() < n_items {
            self.seen.resize(n_items, 0);
        }
        // Items of several lists share the stamps, and each count has its own number.
        self.now += 1;
    }

    fn is_new(&mut self, item: u32) -> bool {
        let last = &mut self.seen[item as usize];
        let is_new = *last != self.now;
        *last = self.now;
        is_new
    }

    /// The number of different items in the lists of some classes.
    fn distinct(&mut self, lists: &Lists, classes: &[u32]) -> u64 {
        self.begin(lists.n_items());
        let mut n = 0;
        for class in classes {
            for item in lists.of_class(*class as usize) {
                n += u64::from(self.is_new(*item));
            }
        }
        n
    }

    /// The summed counts of some classes, by code.
    fn count(&mut self, counts: &Counts, classes: &[u32]) -> impl Iterator<Item = (u32, u64)> + '_ {
        if self.counts.len() < counts.codes().len() {
            self.counts.resize(counts.codes().len(), 0);
        }
        self.touched.clear();
        if let Some((pairs, place_of)) = counts.people() {
            self.begin(pairs.n_items());
            for class in classes {
                for pair in pairs.of_class(*class as usize) {
                    if self.is_new(*pair) {
                        self.add(place_of[*pair as usize], 1);
                    }
                }
            }
        } else {
            for class in classes {
                counts.of_class(*class as usize).for_each(|(place, count)| self.add(place, count));
            }
        }
        self.touched.sort_unstable();
        self.found.clear();
        for place in &self.touched {
            self.found.push((
                counts.codes()[*place as usize],
                std::mem::take(&mut self.counts[*place as usize]),
            ));
        }
        self.found.iter().copied()
    }

    fn add(&mut self, place: u32, count: u64) {
        let sum = &mut self.counts[place as usize];
        if *sum == 0 {
            self.touched.push(place);
        }
        *sum += count;
    }
}

fn refill<T: Copy + Default>(list: &mut Vec<T>, n: usize) {
    list.clear();
    list.resize(n, T::default());
}
