//! What a table of perturbed values keeps of its original: the distribution of each column. Which
//! row was which record isn't known, so that errors of single values aren't measured.

use sfumato_core::column::RawTable;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;
use sfumato_io::read;
use sfumato_report::numbers::quantity;
use sfumato_report::{Bar, Kept};

use crate::job::Job;
use crate::metrics::perturbed::{ALL, Pairs};

/// The metric that doesn't ask which record became which.
const SPREAD: &str = "spread-kept";

/// How many ranges a distribution is shown in: as many records of the original in each.
const RANGES: usize = 10;

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let manifest = request.manifest.as_ref();
    let columns = manifest.map(|manifest| manifest.details_of("quasi")).unwrap_or_default();
    if columns.is_empty() {
        return Err(Error::input("nothing says which columns are perturbed: there is no manifest")
            .in_file(&request.job.input.path));
    }
    let release = numbers(&request.job, &columns, observer)?;
    let mut utility = Utility { rows: Some(release.0), ..Utility::default() };
    let Some(original) = &request.original else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let observer = Renamed { step: "read the original", inner: observer };
    let original = numbers(original, &columns, &observer)?;
    let mut sums: Vec<f64> = Vec::new();
    for ((name, before), after) in columns.iter().zip(original.1).zip(release.1) {
        if before.is_empty() || after.is_empty() {
            utility.remarks.push(format!("column '{name}' has no numbers"));
            continue;
        }
        let pairs = Pairs { original: before, published: after };
        let spread = ALL.iter().find(|metric| metric.info().name == SPREAD);
        sums.extend(spread.and_then(|metric| metric.measure(&pairs)));
        utility.kept.push(kept(name, &pairs));
    }
    let spread = (!sums.is_empty()).then(|| sums.iter().sum::<f64>() / sums.len() as f64);
    utility.metrics.insert(SPREAD, spread);
    utility.remarks.push(
        "mean-absolute-error isn't measured: it asks which record became which row, and the file \
         doesn't say"
            .into(),
    );
    Ok(utility)
}

/// The number of rows, and the numbers of each column, sorted.
fn numbers(job: &Job, names: &[String], observer: &dyn Observer) -> Result<(u64, Vec<Vec<f64>>)> {
    let path = resolve(&job.base, &job.input.path);
    let mut select =
        |header: &[String]| {
            let lacks = |name: &&String| !header.contains(name);
            match names.iter().find(lacks) {
                Some(name) => Err(Error::params(format!("the file has no column '{name}'"))
                    .in_file(path.as_str())),
                None => Ok(header.iter().map(|name| names.contains(name)).collect()),
            }
        };
    let raw: RawTable = read(&path, &read_options(&job.input)?, &mut select, observer)?;
    let column = |name: &String| {
        let Some(column) = raw.column(name) else { return Vec::new() };
        let parsed: Vec<Option<f64>> =
            column.values.iter().map(|text| text.trim().parse().ok()).collect();
        let mut all: Vec<f64> =
            (0..raw.n_rows).filter_map(|row| parsed[column.codes.get(row) as usize]).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    Ok((raw.n_rows as u64, names.iter().map(column).collect()))
}

/// What is kept of a column, given its sorted numbers before and after.
fn kept(name: &str, pairs: &Pairs) -> Kept {
    let (before, after) = (&pairs.original, &pairs.published);
    let mut bounds: Vec<f64> =
        (1..RANGES).map(|range| before[range * before.len() / RANGES]).collect();
    bounds.dedup();
    let below = |numbers: &[f64], bound: f64| numbers.partition_point(|number| *number < bound);
    let shares = |numbers: &[f64]| -> Vec<f64> {
        let ends = bounds.iter().map(|bound| below(numbers, *bound));
        let ends: Vec<usize> = ends.chain([numbers.len()]).collect();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let n = numbers.len() as f64;
        ends.iter().zip(starts).map(|(end, start)| (end - start) as f64 / n).collect()
    };
    let label = |range: usize| match (range.checked_sub(1).map(|at| bounds[at]), bounds.get(range))
    {
        (None, Some(end)) => format!("below {}", quantity(*end)),
        (Some(start), Some(end)) => format!("{} to {}", quantity(start), quantity(*end)),
        (Some(start), None) => format!("{} and above", quantity(start)),
        (None, None) => "all".to_string(),
    };
    let bars: Vec<Bar> = shares(before)
        .into_iter()
        .zip(shares(after))
        .enumerate()
        .map(|(range, (before, after))| Bar { label: label(range), before, after })
        .collect();
    let moved = Kept::distance(&bars);
    let (mean_before, spread_before) = Pairs::moments(before);
    let (mean_after, spread_after) = Pairs::moments(after);
    Kept {
        part: name.into(),
        lost: moved,
        told: format!(
            "random noise was added; the mean is {} (before {}), the standard deviation {} (before \
             {})",
            quantity(mean_after),
            quantity(mean_before),
            quantity(spread_after),
            quantity(spread_before)
        ),
        exclusive: true,
        moved: Some(moved),
        distribution: bars,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_that_stays_loses_nothing() {
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let same = Pairs { original: numbers.clone(), published: numbers.clone() };
        let found = kept("age", &same);
        assert_eq!((found.lost, found.distribution.len()), (0.0, RANGES));
        assert!(found.told.contains("the mean is 49.5 (before 49.5)"), "{}", found.told);
        let above = numbers.iter().map(|number| number + 1000.0).collect();
        let moved = kept("age", &Pairs { original: numbers, published: above });
        assert!((moved.lost - 0.9).abs() < 1e-9, "{}", moved.lost);
    }
}
