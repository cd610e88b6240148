//! Anatomize (Xiao and Tao): groups of l records with l different sensitive values, taken at random
//! from the most frequent remaining values.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sfumato_core::dataset::Column;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::{Buckets, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, Result};

use super::sensitive;
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::infeasible::infeasible;
use crate::algorithms::shared::progress::Progress;
use sfumato_kernels::seeded::Seeded;

/// The algorithm `anatomize`, an entry of the registry.
pub struct Anatomize;

static INFO: Info = Info {
    name: "anatomize",
    summary: "makes groups of l records with l different sensitive values; quasi values are \
        published as they are",
    papers: &[Paper {
        authors: "X. Xiao, Y. Tao",
        title: "Anatomy: simple and effective privacy preservation",
        venue: "VLDB",
        year: 2006,
    }],
    params: &[
        ParamSpec::optional(
            "l",
            ParamKind::Integer { min: 2, max: i64::MAX },
            "how many records with different values make a group; without it the least that the \
                models allow",
        ),
        sensitive::ON,
    ],
    doc: include_str!("anatomize.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        makes_buckets: true,
        ignores: &["max_suppression", "metric"],
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Anatomize {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let column = sensitive::column(INFO.name, params, task.table)?;
        let n = task.table.n_rows;
        if n == 0 {
            return Ok(Box::new(Buckets::new(Vec::new())));
        }
        let given = params.optional_integer("l").map(|l| l as usize);
        let first = given.unwrap_or_else(|| (task.requirements.min_people() as usize).max(2));
        let values = Values::new(column, task.seed);
        let largest = values.largest_l();
        if first > largest {
            return Err(values.too_frequent(first, &column.name));
        }
        let judge = Judge::new(task);
        let mut progress = Progress::begin(task);
        for l in tries(first, given.map_or(largest, |_| first)) {
            if let Some(groups) = values.groups(l, &judge, task.seed, &mut progress)? {
                let findings = vec![
                    Finding { name: "l", value: l as f64 },
                    Finding { name: "largest_l", value: largest as f64 },
                ];
                return Ok(Box::new(Buckets::of_groups(n, &groups).with_findings(findings)));
            }
        }
        Err(no_l(task, given, largest))
    }
}

/// The values of l to try, from the first to the last in growing steps: if one more doesn't help,
/// many more may.
fn tries(first: usize, last: usize) -> Vec<usize> {
    let steps = std::iter::successors(Some(1usize), |step| step.checked_mul(2));
    let between = steps.map_while(|step| first.checked_add(step)).take_while(|l| *l < last);
    let mut tries: Vec<usize> = std::iter::once(first).chain(between).chain([last]).collect();
    tries.dedup();
    tries
}

fn no_l(task: &Task<'_>, given: Option<usize>, largest: usize) -> Error {
    let whole = task.whole();
    if !task.requirements.holds(&whole, &whole) {
        return infeasible(task);
    }
    match given {
        Some(l) => {
            Error::infeasible(format!("groups of {l} different values don't satisfy the models"))
                .hint("leave l out, and the least that does is looked for")
        }
        None => {
            Error::infeasible(format!("no l up to {largest} gives groups that satisfy the models"))
                .hint("take mondrian or peel with --buckets linked, or ask for less")
        }
    }
}

/// The records of each sensitive value, in random order. Missing is a value of its own.
struct Values {
    rows: Vec<Vec<u32>>,
    n_rows: usize,
    value_of_row: Vec<u32>,
}

impl Values {
    fn new(column: &Column, seed: u64) -> Self {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); column.domain.len() + 1];
        let value_of_row: Vec<u32> = column.codes.iter().collect();
        value_of_row
            .iter()
            .enumerate()
            .for_each(|(row, value)| rows[*value as usize].push(row as u32));
        let mut random = Seeded::new(seed);
        rows.iter_mut().for_each(|rows| random.shuffle(rows));
        Values { rows, n_rows: value_of_row.len(), value_of_row }
    }

    fn most(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(1).max(1)
    }

    /// The largest l for which groups exist: no value may occur in more than one in l records.
    fn largest_l(&self) -> usize {
        self.n_rows / self.most()
    }

    fn too_frequent(&self, l: usize, name: &str) -> Error {
        let most_of_each = self.n_rows / l;
        let n = self.rows.iter().filter(|rows| rows.len() > most_of_each).count();
        let are = if n == 1 { "value is" } else { "values are" };
        Error::infeasible(format!(
            "{n} {are} too frequent for l = {l}: in column '{name}' each may be in at most \
                {most_of_each} of {} records",
            self.n_rows
        ))
        .hint(match self.largest_l() {
            1 => format!("the most frequent one is in {}: no groups can hide it", self.most()),
            largest => format!(
                "the most frequent one is in {}: ask for l = {largest} or less",
                self.most()
            ),
        })
    }

    /// Groups for an l for which no value is too frequent. `None` if a group doesn't satisfy the
    /// requirements.
    fn groups(
        &self,
        l: usize,
        judge: &Judge<'_>,
        seed: u64,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Vec<Vec<u32>>>> {
        let mut groups: Vec<Vec<u32>> = Vec::with_capacity(self.n_rows / l);
        // How many are left of a value, and which; among equals the first.
        let present = self.rows.iter().enumerate().filter(|(_, rows)| !rows.is_empty());
        let mut left: BinaryHeap<(usize, Reverse<usize>)> =
            present.map(|(value, rows)| (rows.len(), Reverse(value))).collect();
        let mut taken = Vec::with_capacity(l);
        while left.len() >= l {
            taken.clear();
            taken.extend((0..l).filter_map(|_| left.pop()));
            groups.push(taken.iter().map(|(n, Reverse(value))| self.rows[*value][n - 1]).collect());
            left.extend(taken.iter().filter(|(n, _)| *n > 1).map(|(n, value)| (n - 1, *value)));
            if groups.len() == 1 && !judge.holds(&groups[0]) {
                return Ok(None);
            }
            if groups.len().is_multiple_of(1024) {
                progress.reach(groups.len() * l)?;
            }
        }
        // Every other stream of the same seed has begun elsewhere.
        let mut random = Seeded::new(seed ^ 0x616E_6174_6F6D_697A);
        let residue = left.into_sorted_vec();
        for (n, Reverse(value)) in residue {
            for row in &self.rows[value][..n] {
                let lacks = |group: &Vec<u32>| {
                    group.iter().all(|other| self.value_of_row[*other as usize] != value as u32)
                };
                let start = random.below(groups.len().max(1));
                let places = (start..groups.len()).chain(0..start);
                match places.into_iter().find(|place| lacks(&groups[*place])) {
                    Some(place) => groups[place].push(*row),
                    None => return Ok(None),
                }
            }
        }
        progress.reach(self.n_rows)?;
        Ok(groups.iter().all(|group| judge.holds(group)).then_some(groups))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_grow_and_end() {
        assert_eq!(tries(2, 2), [2]);
        assert_eq!(tries(2, 3), [2, 3]);
        assert_eq!(tries(3, 20), [3, 4, 5, 7, 11, 19, 20]);
        assert!(tries(2, usize::MAX).len() < 70);
    }
}
