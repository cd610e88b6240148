//! The records of a table for a search over cuts: distinct records, the cost of a class of them,
//! and whether it may be published.

use sfumato_core::FastMap;
use sfumato_core::dataset::Role;
use sfumato_core::group::{Summary, Tally};
use sfumato_core::traits::Task;

use super::choices::Choices;
use super::class::{Class, SplitsOutcome};
use super::items::Items;
use super::reach::{Reach, published};
use crate::algorithms::global::shared::groups::{Groups, renumber};

/// The distinct records of a table, with what is needed to evaluate them.
pub struct Records<'a> {
    /// The task.
    pub task: Task<'a>,
    /// The splits of its columns.
    pub choices: Choices<'a>,
    /// The number of each column's value in each distinct record.
    pub values: Vec<Vec<u32>>,
    /// How many rows each distinct record has.
    pub weight: Vec<u64>,
    /// The smallest number of people of a class that can be published.
    pub min_people: u64,
    /// Whether a class that fails also fails when it is split.
    pub absorbing: bool,
    /// The least cost of a record, besides its cells and outsiders, in a class of at least a given
    /// size.
    pub least_share: Vec<f64>,
    /// The targets of each distinct record with their counts, if outsiders have a price.
    targets: Vec<Vec<(u32, u64)>>,
    rows: Vec<u32>,
    starts: Vec<usize>,
    by_count: bool,
    tally: Tally<'a>,
    whole: Summary,
}

impl<'a> Records<'a> {
    /// The records of a task's table, with at most `max_suppressed` of them suppressed.
    pub fn new(task: &Task<'a>, max_suppressed: u64) -> Self {
        let task = Task { max_suppressed, ..*task };
        let choices = Choices::new(&task);
        let of_code: Vec<Vec<u32>> = choices
            .columns
            .iter()
            .map(|column| {
                let mut table = vec![0u32; column.column.domain.len() + 1];
                let numbered = column.codes.iter().enumerate();
                numbered.for_each(|(value, &code)| table[code as usize] = value as u32);
                table
            })
            .collect();
        let columns = choices.columns.iter().zip(&of_code);
        let groups = Groups::of_columns(
            task.table.n_rows,
            columns.clone().map(|(column, table)| {
                (&column.column.codes, table.as_slice(), column.codes.len())
            }),
        );
        let value = |(column, table): (&super::choices::ColumnChoices<'_>, &Vec<u32>)| {
            let of_row = |&row: &u32| table[column.column.codes.get(row as usize) as usize];
            groups.example.iter().map(of_row).collect()
        };
        let values: Vec<Vec<u32>> = columns.map(value).collect();
        let (rows, starts) = groups.rows_in_order();
        let requirements = task.requirements;
        let tally = task.tally();
        let whole = tally.of_range(0..task.table.n_rows);
        let mut records = Records {
            values,
            min_people: requirements.min_people(),
            absorbing: requirements.is_absorbing(),
            least_share: least_shares(&task),
            targets: Vec::new(),
            by_count: requirements.is_count_only() && task.table.subject.is_none(),
            weight: groups.rows,
            rows,
            starts,
            tally,
            whole,
            choices,
            task,
        };
        records.targets = records.count_targets();
        records
    }

    fn count_targets(&self) -> Vec<Vec<(u32, u64)>> {
        let Some(target) = self.task.table.of_role(Role::Target).next() else { return Vec::new() };
        if self.task.objective.outsider <= 0.0 {
            return Vec::new();
        }
        let counts = |point: usize| {
            let mut codes: Vec<u32> =
                self.rows_of(point).iter().map(|&row| target.codes.get(row as usize)).collect();
            codes.sort_unstable();
            codes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect()
        };
        (0..self.len()).map(counts).collect()
    }

    fn rows_of(&self, point: usize) -> &[u32] {
        &self.rows[self.starts[point]..self.starts[point + 1]]
    }

    /// The number of distinct records.
    pub fn len(&self) -> usize {
        self.weight.len()
    }
    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.weight.is_empty()
    }

    /// The price of the records of a class that don't have its most frequent target.
    pub fn outsiders(&self, points: &[u32]) -> f64 {
        if self.targets.is_empty() {
            return 0.0;
        }
        let mut counts: FastMap<u32, u64> = FastMap::default();
        for &(target, n) in points.iter().flat_map(|&point| &self.targets[point as usize]) {
            *counts.entry(target).or_default() += n;
        }
        let most = counts.values().max().copied().unwrap_or(0);
        self.task.objective.outsider * (counts.values().sum::<u64>() - most) as f64
    }

    /// The class of some distinct records.
    pub fn class(&self, points: Vec<u32>) -> Class {
        let rows: u64 = points.iter().map(|&point| self.weight[point as usize]).sum();
        let fixed = self.task.objective.class(rows) + self.outsiders(&points);
        if self.by_count {
            let small = rows < self.min_people;
            return Class { points, rows, fixed, small, holds: !small, summary: None };
        }
        let all: Vec<u32> =
            points.iter().flat_map(|&point| self.rows_of(point as usize)).copied().collect();
        let summary = self.tally.of_rows(&all);
        let small = summary.people < self.min_people;
        let holds = !small && self.task.requirements.holds(&summary, &self.whole);
        Class { points, rows, fixed, small, holds, summary: Some(summary) }
    }

    /// The outcome of classes, given the price of a record's cells in each. Classes that fail are
    /// suppressed, as in [`publish`](crate::algorithms::global::shared::publish).
    pub fn outcome<'c>(
        &self,
        classes: impl Iterator<Item = (&'c Class, f64)> + Clone,
    ) -> SplitsOutcome {
        let limit = self.task.max_suppressed;
        let mut kept: Vec<bool> = classes.clone().map(|(class, _)| class.holds).collect();
        let lost = |kept: &[bool]| -> u64 {
            classes
                .clone()
                .zip(kept)
                .filter(|(_, kept)| !**kept)
                .map(|((class, _), _)| class.rows)
                .sum()
        };
        if !self.by_count && lost(&kept) > 0 && lost(&kept) <= limit {
            // What is suppressed changes the release that classes are compared with.
            let mut changed = true;
            while changed {
                let mut release = Summary::default();
                for ((class, _), _) in classes.clone().zip(&kept).filter(|(_, kept)| **kept) {
                    class.summary.iter().for_each(|summary| release.merge(summary));
                }
                changed = false;
                for ((class, _), kept) in classes.clone().zip(&mut kept).filter(|(_, kept)| **kept)
                {
                    let holds = |summary: &Summary| self.task.requirements.holds(summary, &release);
                    if !class.summary.as_ref().is_some_and(holds) {
                        *kept = false;
                        changed = true;
                    }
                }
            }
        }
        let cost = |(class, cells): (&Class, f64), kept: bool| match kept {
            true => class.rows as f64 * cells + class.fixed,
            false => class.rows as f64 * self.task.objective.suppressed,
        };
        let total = classes.clone().zip(&kept).map(|(class, &kept)| cost(class, kept)).sum();
        self.finish(lost(&kept), kept.contains(&true), total)
    }

    fn finish(&self, lost: u64, any_kept: bool, cost: f64) -> SplitsOutcome {
        let excess = match any_kept {
            true => lost.saturating_sub(self.task.max_suppressed),
            // A release of nothing isn't one.
            false => lost,
        };
        SplitsOutcome { excess, cost }
    }

    /// What each column publishes under a set of splits.
    pub fn columns(&self, on: &Items) -> Vec<Reach> {
        let columns = self.choices.columns.iter().enumerate();
        columns.map(|(place, column)| published(place, column, on, self.task.objective)).collect()
    }

    /// The group of each distinct record, given what columns publish, and the number of groups.
    /// Groups are numbered in the order of their first records.
    pub fn partition(&self, columns: &[&Reach]) -> (Vec<u32>, usize) {
        let mut keys = vec![0u64; self.len()];
        let mut range = 1u64;
        for (values, reach) in self.values.iter().zip(columns) {
            let n = reach.ranges.len().max(1) as u64;
            if range > 1 << 32 {
                range = renumber(&mut keys, range).len() as u64;
            }
            keys.iter_mut().zip(values).for_each(|(key, &value)| {
                *key += range * u64::from(reach.of[value as usize]);
            });
            range = range.saturating_mul(n);
        }
        let n = renumber(&mut keys, range).len();
        (keys.into_iter().map(|key| key as u32).collect(), n)
    }

    /// The members of each group.
    pub fn members(&self, of_point: &[u32], n: usize) -> Vec<Vec<u32>> {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); n];
        of_point
            .iter()
            .enumerate()
            .for_each(|(point, &group)| members[group as usize].push(point as u32));
        members
    }

    /// The price of the cells of a distinct record.
    #[inline]
    pub fn cells(&self, columns: &[&Reach], point: u32) -> f64 {
        let cell = |(values, reach): (&Vec<u32>, &&Reach)| {
            reach.least[reach.of[values[point as usize] as usize] as usize]
        };
        self.task.objective.join().all(self.values.iter().zip(columns).map(cell))
    }

    /// The outcome of a set of splits, computed from scratch.
    pub fn evaluate(&self, on: &Items) -> SplitsOutcome {
        let columns = self.columns(on);
        let columns: Vec<&Reach> = columns.iter().collect();
        let (of_point, n) = self.partition(&columns);
        if !self.by_count || !self.targets.is_empty() {
            let classes: Vec<(Class, f64)> = self
                .members(&of_point, n)
                .into_iter()
                .map(|points| (self.cells(&columns, points[0]), points))
                .map(|(cells, points)| (self.class(points), cells))
                .collect();
            return self.outcome(classes.iter().map(|(class, cells)| (class, *cells)));
        }
        let mut rows = vec![0u64; n];
        let mut example = vec![0u32; n];
        for (point, (&group, weight)) in of_point.iter().zip(&self.weight).enumerate() {
            rows[group as usize] += weight;
            example[group as usize] = point as u32;
        }
        let (mut lost, mut cost) = (0, 0.0);
        for (&rows, &point) in rows.iter().zip(&example) {
            cost += if rows < self.min_people {
                lost += rows;
                rows as f64 * self.task.objective.suppressed
            } else {
                rows as f64 * self.cells(&columns, point) + self.task.objective.class(rows)
            };
        }
        self.finish(lost, lost < self.task.table.n_rows as u64, cost)
    }
}

/// For each size of a class, the least share of a record in the price of a class of at least that
/// size, so that no shape of the price needs to be assumed.
fn least_shares(task: &Task<'_>) -> Vec<f64> {
    let n = task.table.n_rows;
    let mut shares = vec![f64::INFINITY; n + 2];
    for rows in (1..=n).rev() {
        shares[rows] = shares[rows + 1].min(task.objective.class(rows as u64) / rows as f64);
    }
    shares[0] = shares[1];
    shares
}
