//! Mondrian as one would write it on a whiteboard: vectors of row numbers, sorting, and a full count of every group.
//! No suppression.

use sfumato_core::dataset::Column;
use sfumato_core::group::Summary;
use sfumato_core::recoding::Value;
use sfumato_core::traits::Task;

/// A class: its rows in ascending order, and its region.
pub type Class = (Vec<u32>, Vec<Value>);

/// An interval of codes, the last one included; missing is the code after the domain.
type Interval = (u32, u32);

/// A split: parts with their rows and their interval in the split column.
pub type Parts = Vec<(Vec<u32>, Interval)>;

pub struct Naive<'a> {
    pub task: &'a Task<'a>,
    pub quasi: Vec<&'a Column>,
    pub whole: Summary,
    pub relaxed: bool,
    pub tighten: bool,
}

impl<'a> Naive<'a> {
    pub fn new(task: &'a Task<'a>, relaxed: bool, tighten: bool) -> Self {
        Naive { task, quasi: task.table.quasi(), whole: task.whole(), relaxed, tighten }
    }

    /// The classes, or `None` if even the whole table can't be published or split.
    pub fn classes(&self) -> Option<Vec<Class>> {
        let rows: Vec<u32> = (0..self.task.table.n_rows as u32).collect();
        let everything = |column: &&Column| {
            let missing = column.domain.missing();
            match interval(column, &rows) {
                (min, max) if min == missing => (min, max),
                (_, max) if max == missing => (0, missing),
                _ => (0, missing - 1),
            }
        };
        let region = self.quasi.iter().map(everything).collect();
        let mut classes = Vec::new();
        self.grow(rows, region, &mut classes);
        classes.iter().all(|(rows, _)| self.holds(rows)).then_some(classes)
    }

    pub fn holds(&self, rows: &[u32]) -> bool {
        self.task.requirements.holds(&self.task.tally().of_rows(rows), &self.whole)
    }

    fn grow(&self, rows: Vec<u32>, region: Vec<Interval>, classes: &mut Vec<Class>) {
        let cells: Vec<Interval> = self.quasi.iter().map(|column| interval(column, &rows)).collect();
        let width = |i: usize| self.quasi[i].weight * value(self.quasi[i], cells[i]).ncp(self.quasi[i]);
        let mut order: Vec<usize> = (0..self.quasi.len()).filter(|&i| cells[i].0 < cells[i].1).collect();
        order.sort_by(|&a, &b| width(b).total_cmp(&width(a)).then(a.cmp(&b)));
        for column in order {
            for parts in self.splits(column, &rows, region[column]) {
                if parts.iter().all(|(rows, _)| self.holds(rows)) {
                    for (rows, interval) in parts {
                        let mut region = region.clone();
                        region[column] = interval;
                        self.grow(rows, region, classes);
                    }
                    return;
                }
            }
        }
        let intervals = if self.tighten { cells } else { region };
        let values =
            self.quasi.iter().zip(intervals).map(|(column, interval)| value(column, interval)).collect();
        classes.push((rows, values));
    }

    /// The splits of a column in the order in which they are tried.
    pub fn splits(&self, place: usize, rows: &[u32], region: Interval) -> Vec<Parts> {
        let column = self.quasi[place];
        let missing = column.domain.missing();
        let code = |row: u32| column.codes.get(row as usize);
        let part = |interval: Interval| -> (Vec<u32>, Interval) {
            (
                rows.iter().copied().filter(|&row| (interval.0..=interval.1).contains(&code(row))).collect(),
                interval,
            )
        };
        let (min, max) = interval(column, rows);
        if max == missing {
            return vec![vec![part((region.0, missing - 1)), part((missing, missing))]];
        }
        if let Some(tree) = &column.hierarchy {
            let children = tree.children(tree.smallest_cover(min, max + 1));
            let parts = children.map(|child| part((tree.lo(child), tree.hi(child) - 1)));
            return vec![parts.filter(|(rows, _)| !rows.is_empty()).collect()];
        }
        let mut codes: Vec<u32> = rows.iter().map(|&row| code(row)).collect();
        codes.sort_unstable();
        let half = rows.len() / 2;
        let median = codes[half];
        let below = codes.iter().filter(|&&c| c < median).count();
        let mut splits: Vec<Parts> = Vec::new();
        if self.relaxed && below < half {
            let mut left: Vec<u32> = rows.iter().copied().filter(|&row| code(row) < median).collect();
            left.extend(rows.iter().copied().filter(|&row| code(row) == median).take(half - below));
            left.sort_unstable();
            let right = rows.iter().copied().filter(|row| left.binary_search(row).is_err()).collect();
            splits.push(vec![(left, (region.0, median)), (right, (median, region.1))]);
        }
        let cut = |first: u32| vec![part((region.0, first.wrapping_sub(1))), part((first, region.1))];
        let mut cuts: Vec<Parts> = Vec::new();
        if median > min {
            cuts.push(cut(median));
        }
        if median < max {
            cuts.push(cut(median + 1));
        }
        cuts.sort_by_key(|parts| parts[0].0.len().abs_diff(parts[1].0.len()));
        splits.extend(cuts);
        splits
    }
}

/// The smallest and largest code of some rows.
pub fn interval(column: &Column, rows: &[u32]) -> Interval {
    let codes = || rows.iter().map(|&row| column.codes.get(row as usize));
    (codes().min().unwrap(), codes().max().unwrap())
}

/// What is published for an interval.
pub fn value(column: &Column, (min, max): Interval) -> Value {
    let missing = column.domain.missing();
    Value::covering(column, min, (max + 1).min(missing), max == missing)
}
