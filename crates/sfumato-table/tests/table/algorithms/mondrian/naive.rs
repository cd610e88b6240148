//! A naive implementation of Mondrian: vectors of row numbers, sorting, and a full count of every
//! group, without suppression.

use crate::algorithms::mondrian::{choice, guided};
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
    pub settings: Settings,
    /// Where the workload gains less per record, go on without it.
    pub min_gain: f64,
    /// Whether only what is more than chance is a gain.
    pub significant: bool,
}

/// The parameters.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub gain: bool,
    pub leftovers: Leftovers,
    pub quantiles: bool,
    pub relaxed: bool,
    pub tighten: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Leftovers {
    None,
    Keep,
    Lend,
}

impl Settings {
    /// The settings of the original Mondrian.
    pub const PLAIN: Settings = Settings {
        gain: false,
        leftovers: Leftovers::None,
        quantiles: false,
        relaxed: false,
        tighten: true,
    };

    /// How to ask for them.
    pub fn call(&self) -> String {
        let Settings { gain, leftovers, quantiles, relaxed, tighten } = self;
        let split = if *gain { "gain" } else { "widest" };
        let cuts = if *quantiles { "quantiles" } else { "median" };
        let leftovers = match leftovers {
            Leftovers::None => "none",
            Leftovers::Keep => "keep",
            Leftovers::Lend => "lend",
        };
        format!(
            "mondrian(split={split}, leftovers={leftovers}, cuts={cuts}, relaxed={relaxed}, \
                tighten={tighten})"
        )
    }
}

impl<'a> Naive<'a> {
    pub fn new(task: &'a Task<'a>, settings: Settings) -> Self {
        Naive {
            task,
            quasi: task.table.quasi(),
            whole: task.whole(),
            settings,
            min_gain: 0.0,
            significant: true,
        }
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
        self.grow(rows, region, true, &mut classes);
        classes.iter().all(|(rows, _)| self.holds(rows)).then_some(classes)
    }

    pub fn holds(&self, rows: &[u32]) -> bool {
        self.task.requirements.holds(&self.task.tally().of_rows(rows), &self.whole)
    }

    fn grow_parts(
        &self,
        column: usize,
        parts: Parts,
        region: &[Interval],
        guided: bool,
        classes: &mut Vec<Class>,
    ) {
        for (rows, interval) in parts {
            let mut region = region.to_vec();
            region[column] = interval;
            self.grow(rows, region, guided, classes);
        }
    }

    fn grow(
        &self,
        rows: Vec<u32>,
        region: Vec<Interval>,
        mut guided: bool,
        classes: &mut Vec<Class>,
    ) {
        if let Some(workload) = self.task.workload.filter(|_| guided) {
            match guided::split(self, workload, self.min_gain, &rows, &region) {
                guided::Answer::Split(column, parts) => {
                    return self.grow_parts(column, parts, &region, true, classes);
                }
                guided::Answer::Nothing { below_too } => guided = !below_too,
            }
        }
        let cells: Vec<Interval> =
            self.quasi.iter().map(|column| interval(column, &rows)).collect();
        let width =
            |i: usize| self.quasi[i].weight * value(self.quasi[i], cells[i]).ncp(self.quasi[i]);
        // Columns of one byte come first; sums of floats depend on the order.
        let mut live: Vec<usize> =
            (0..self.quasi.len()).filter(|&i| cells[i].0 < cells[i].1).collect();
        live.sort_by_key(|&i| self.quasi[i].codes.width() > 1);
        let mut scores: Vec<(f64, usize)> = live.iter().map(|&i| (width(i), i)).collect();
        if self.settings.gain && live.len() > 1 {
            scores = choice::scores(self, &rows, &live);
        }
        scores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, column) in scores {
            for mut parts in self.splits(column, &rows, region[column]) {
                let nested = self.quasi[column].hierarchy.is_some()
                    || cells[column].1 == self.quasi[column].domain.missing();
                if nested && self.settings.leftovers != Leftovers::None {
                    let parent = match &self.quasi[column].hierarchy {
                        Some(tree) if cells[column].1 < self.quasi[column].domain.missing() => {
                            let node = tree.smallest_cover(cells[column].0, cells[column].1 + 1);
                            (tree.lo(node), tree.hi(node) - 1)
                        }
                        _ => region[column],
                    };
                    parts = choice::keep_leftovers(self, &live, parts, parent);
                }
                if parts.len() > 1 && parts.iter().all(|(rows, _)| self.holds(rows)) {
                    return self.grow_parts(column, parts, &region, guided, classes);
                }
            }
        }
        let intervals = if self.settings.tighten { cells } else { region };
        let values = self
            .quasi
            .iter()
            .zip(intervals)
            .map(|(column, interval)| value(column, interval))
            .collect();
        classes.push((rows, values));
    }

    /// The splits of a column in the order in which they are tried.
    pub fn splits(&self, place: usize, rows: &[u32], region: Interval) -> Vec<Parts> {
        let column = self.quasi[place];
        let missing = column.domain.missing();
        let code = |row: u32| column.codes.get(row as usize);
        let part = |interval: Interval| -> (Vec<u32>, Interval) {
            (
                rows.iter()
                    .copied()
                    .filter(|&row| (interval.0..=interval.1).contains(&code(row)))
                    .collect(),
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
        if self.settings.relaxed && below < half {
            let mut left: Vec<u32> =
                rows.iter().copied().filter(|&row| code(row) < median).collect();
            left.extend(rows.iter().copied().filter(|&row| code(row) == median).take(half - below));
            left.sort_unstable();
            let right =
                rows.iter().copied().filter(|row| left.binary_search(row).is_err()).collect();
            splits.push(vec![(left, (region.0, median)), (right, (median, region.1))]);
        }
        let cut =
            |first: u32| vec![part((region.0, first.wrapping_sub(1))), part((first, region.1))];
        let mut cuts: Vec<Parts> = Vec::new();
        if median > min {
            cuts.push(cut(median));
        }
        if median < max {
            cuts.push(cut(median + 1));
        }
        cuts.sort_by_key(|parts| parts[0].0.len().abs_diff(parts[1].0.len()));
        splits.extend(cuts);
        if self.settings.quantiles {
            let mut tried = vec![median, median + 1];
            for rank in [3, 5, 2, 6].map(|eighths| rows.len() * eighths / 8) {
                let count = |first: u32| codes.iter().filter(|&&c| c < first).count();
                let (below, above) = (codes[rank], codes[rank] + 1);
                let nearer = if rank - count(below) <= count(above) - rank { below } else { above };
                if nearer > min && nearer <= max && !tried.contains(&nearer) {
                    tried.push(nearer);
                    splits.push(cut(nearer));
                }
            }
        }
        splits
    }
}

/// The smallest and largest code of some rows.
pub fn interval(column: &Column, rows: &[u32]) -> Interval {
    let codes = || rows.iter().map(|&row| column.codes.get(row as usize));
    (codes().min().unwrap(), codes().max().unwrap())
}

/// The published value of an interval.
pub fn value(column: &Column, (min, max): Interval) -> Value {
    let missing = column.domain.missing();
    Value::covering(column, min, (max + 1).min(missing), max == missing)
}
