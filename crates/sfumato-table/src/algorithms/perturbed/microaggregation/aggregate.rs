//! Publishes groups of records by their means, and compares a release with what that may be.

use sfumato_core::column::Codes;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{ParamKind, ParamSpec, Params};
use sfumato_core::{Error, FastMap, Result};

use crate::algorithms::perturbed::Perturbing;
use crate::algorithms::perturbed::values::{digits, missing_elsewhere, numbers, spelled};

/// The parameter `k` of microaggregations.
pub const K: ParamSpec = ParamSpec::optional(
    "k",
    ParamKind::Integer { min: 2, max: 1_000_000 },
    "the smallest group, where no k-anonymity is asked for",
);

/// The parameter `digits` of microaggregations.
pub const DIGITS: ParamSpec = ParamSpec::with_default(
    "digits",
    ParamKind::Integer { min: 0, max: 9 },
    "4",
    "how many digits means have more than the column",
);

/// The smallest group: what a model asks for, or else what the algorithm was told.
pub fn size_of(params: &Params, task: &Perturbing<'_>) -> Result<usize> {
    let own = params.optional_integer("k").map(i64::unsigned_abs);
    let k = task.k.max(own).ok_or_else(|| {
        Error::params("nothing says how many records a group must have")
            .hint("say -k 3, or name the algorithm with (k=3)")
    })?;
    match k as usize <= task.table.n_rows {
        true => Ok(k as usize),
        false => Err(Error::infeasible(format!(
            "there are {} records, and a group must have {k}",
            task.table.n_rows
        ))),
    }
}

/// Each column with the mean of the group of each record. A group without any number stays missing;
/// a missing number in a group with others is published as their mean.
pub fn publish(params: &Params, columns: &[&Column], groups: &[Vec<u32>]) -> Vec<Column> {
    columns.iter().map(|column| publish_column(params, column, groups)).collect()
}

/// One column with the mean of the group of each record.
pub fn publish_column(params: &Params, column: &Column, groups: &[Vec<u32>]) -> Column {
    let numbers = numbers(column);
    let mean = |group: &Vec<u32>| {
        let known: Vec<f64> = group.iter().filter_map(|row| numbers[*row as usize]).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    // A column of groups first, so that each mean is spelled once.
    let means: Vec<Option<f64>> = groups.iter().map(mean).collect();
    let of_groups = spelled(column, &means, params.count("digits") as usize);
    let mut codes = vec![0u32; numbers.len()];
    for (group, code) in groups.iter().zip(of_groups.codes.iter()) {
        group.iter().for_each(|row| codes[*row as usize] = code);
    }
    Column { codes: Codes::U32(codes), ..of_groups }
}

/// What is wrong with columns that are said to be means of groups of at least k records: records
/// that are published alike must be at least k, and what is published is their mean. Groups with
/// the same means are seen as one, whose mean it is, too.
pub fn fault(
    params: &Params,
    task: &Perturbing<'_>,
    (before, after): (&[&Column], &[&Column]),
) -> Option<String> {
    let k = size_of(params, task).ok()?;
    let all: Vec<u32> = (0..task.table.n_rows as u32).collect();
    let groups = alike(&all, after);
    too_small(&groups, k).or_else(|| other_means(params, (before, after), &groups))
}

/// The same of one column whose missing values stay missing and are a group of any size.
pub fn fault_of_known(
    params: &Params,
    task: &Perturbing<'_>,
    (before, after): (&Column, &Column),
) -> Option<String> {
    let k = size_of(params, task).ok()?;
    if let Some(fault) = missing_elsewhere(&[before], &[after]) {
        return Some(fault);
    }
    let missing = before.domain.missing();
    let known = |row: &u32| before.codes.get(*row as usize) != missing;
    let known: Vec<u32> = (0..task.table.n_rows as u32).filter(known).collect();
    let groups = alike(&known, &[after]);
    // Fewer known values than k can't be a group of k.
    let k = k.min(known.len());
    too_small(&groups, k).or_else(|| other_means(params, (&[before], &[after]), &groups))
}

/// Rows that are published alike.
fn alike(rows: &[u32], columns: &[&Column]) -> Vec<Vec<u32>> {
    let mut group_of: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
    for row in rows {
        let key: Vec<u32> = columns.iter().map(|column| column.codes.get(*row as usize)).collect();
        group_of.entry(key).or_default().push(*row);
    }
    let mut groups: Vec<Vec<u32>> = group_of.into_values().collect();
    groups.sort_unstable();
    groups
}

fn too_small(groups: &[Vec<u32>], k: usize) -> Option<String> {
    let small = groups.iter().find(|group| group.len() < k)?;
    Some(format!("a group has {} records, fewer than {k}", small.len()))
}

/// The first column in which a group isn't published with its mean.
fn other_means(
    params: &Params,
    (before, after): (&[&Column], &[&Column]),
    groups: &[Vec<u32>],
) -> Option<String> {
    for (before, after) in before.iter().zip(after) {
        let more = params.count("digits") as usize;
        let step = 0.5 * 10f64.powi(-((digits(before) + more) as i32));
        let (old, new) = (numbers(before), numbers(after));
        let is_mean = |group: &Vec<u32>| {
            let known: Vec<f64> = group.iter().filter_map(|row| old[*row as usize]).collect();
            let mean = known.iter().sum::<f64>() / known.len() as f64;
            let size = known.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            match new[group[0] as usize] {
                None => known.is_empty(),
                Some(shown) => {
                    !known.is_empty() && (shown - mean).abs() <= 1.001 * step + 1e-12 * size
                }
            }
        };
        if !groups.iter().all(is_mean) {
            return Some(format!(
                "a group of column '{}' isn't published with its mean",
                before.name
            ));
        }
    }
    None
}
