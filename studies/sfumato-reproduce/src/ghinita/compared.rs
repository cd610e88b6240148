//! Compares algorithms: how well the distributions of sensitive items can be reconstructed from
//! what each publishes.

use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_sets::data::{FactCounts, Groups};
use sfumato_sets::metrics::buckets::queries::{Draw, draw};
use sfumato_sets::metrics::buckets::reconstruct::Reconstruction;
use sfumato_sets::metrics::buckets::reconstruction_kl::kl_of_queries;
use sfumato_sets::traits::BucketView;

use super::data::{Divided, divided};
use crate::bench::{buckets, trials};
use crate::figure::Settings;
use crate::found::{Number, Table};

/// An algorithm as a curve.
#[derive(Debug, Clone, Copy)]
pub struct Arm {
    /// What runs.
    pub algorithm: &'static str,
}

pub const CAHD: Arm = Arm { algorithm: "cahd(alpha=3, similarity=common)" };
pub const PM: Arm = Arm { algorithm: "perm-mondrian" };
pub const OURS: Arm = Arm { algorithm: "cahd(alpha=3, similarity=jaccard)" };

/// How the quasi items of queries are drawn, and what tables say of it.
pub const DRAWS: [(Draw, &str); 2] =
    [(Draw::Uniform, "items drawn evenly"), (Draw::BySupport, "items drawn by support")];

/// Queries of each setting, as in the paper.
pub const QUERIES: usize = 100;

/// Run an algorithm and check what it promises.
pub fn group(algorithm: &str, data: &Divided, p: u64, settings: &Settings<'_>) -> Result<Groups> {
    Ok(buckets::group(algorithm, &data.quasi, &data.sensitive, p, settings)?.0)
}

/// The mean divergence of a release for queries with `r` items, for each way to draw them.
pub fn divergences(data: &Divided, groups: &Groups, r: usize, seed: u64) -> Result<[f64; 2]> {
    let counts = FactCounts::of(groups, &data.sensitive);
    let view = BucketView {
        quasi: &data.quasi,
        sensitive: &data.sensitive,
        groups,
        counts: &counts,
        seed,
    };
    let release = Reconstruction::new(&view);
    let mut means = [0.0; 2];
    for (mean, (how, _)) in means.iter_mut().zip(DRAWS) {
        let queries = draw(&view, QUERIES, r, how, seed);
        let queries = queries
            .ok_or_else(|| Error::internal(format!("there are no queries with {r} items")))?;
        let nats = kl_of_queries(&release, &queries, std::f64::consts::E);
        *mean = nats.iter().fold(0.0, |sum, one| sum + one) / nats.len() as f64;
    }
    Ok(means)
}

/// A row of a figure: its label, how many sensitive items, how many items in a query, and p of each
/// curve.
pub struct Setting {
    /// The label.
    pub label: u64,
    /// How many sensitive items.
    pub m: usize,
    /// How many items a query has.
    pub r: usize,
    /// The curves.
    pub curves: Vec<(Arm, u64)>,
}

/// What was measured on a data set: for each way to draw queries, each row and each curve the mean
/// divergence in every trial.
pub struct Measured {
    /// The name of the data set.
    pub data: &'static str,
    /// The labels of the rows.
    pub labels: Vec<u64>,
    values: [Vec<Vec<Vec<f64>>>; 2],
}

/// Measure all settings on a data set. A trial draws sensitive items; all its curves have the same
/// ones, and the same queries.
pub fn measure(
    data: (&'static str, &Transactions),
    rows: &[Setting],
    n_trials: usize,
    settings: &Settings<'_>,
) -> Result<Measured> {
    let (name, sets) = data;
    let found = trials(name, n_trials, 1, settings.observer, |trial| {
        let found = trial_of(sets, rows, trial as u64, &settings.unobserved());
        settings.observer.advance(1);
        found
    })?;
    let empty = || -> Vec<Vec<Vec<f64>>> {
        rows.iter().map(|row| vec![vec![]; row.curves.len()]).collect()
    };
    let mut values = [empty(), empty()];
    for trial in &found {
        for (row, of_row) in trial.iter().enumerate() {
            for (curve, both) in of_row.iter().enumerate() {
                both.iter()
                    .zip(&mut values)
                    .for_each(|(mean, values)| values[row][curve].push(*mean));
            }
        }
    }
    Ok(Measured { data: name, labels: rows.iter().map(|row| row.label).collect(), values })
}

/// What a trial measures for each row and each curve.
fn trial_of(
    sets: &Transactions,
    rows: &[Setting],
    trial: u64,
    settings: &Settings<'_>,
) -> Result<Vec<Vec<[f64; 2]>>> {
    let mut divisions: FastMap<usize, Divided> = FastMap::default();
    let mut releases: FastMap<(usize, &str, u64), Groups> = FastMap::default();
    let mut found = Vec::new();
    for row in rows {
        if !divisions.contains_key(&row.m) {
            divisions.insert(row.m, divided(sets, row.m, settings.seed_of(&[1, trial]))?);
        }
        let data = &divisions[&row.m];
        let mut of_row = Vec::new();
        for (arm, p) in &row.curves {
            let key = (row.m, arm.algorithm, *p);
            if !releases.contains_key(&key) {
                releases.insert(key, group(arm.algorithm, data, *p, settings)?);
            }
            let seed = settings.seed_of(&[2, trial, row.m as u64, row.r as u64]);
            of_row.push(divergences(data, &releases[&key], row.r, seed)?);
        }
        found.push(of_row);
    }
    Ok(found)
}

impl Measured {
    /// The mean over trials.
    pub fn mean(&self, draw: usize, row: usize, curve: usize) -> f64 {
        let values = &self.values[draw][row][curve];
        values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64
    }

    /// A table for each way to draw queries.
    pub fn tables(&self, figure: &str, rows_are: &str, curves: &[&str]) -> Vec<Table> {
        let table = |(place, (_, words)): (usize, &(Draw, &str))| {
            let title = format!("{figure}, {}: {words}", self.data);
            let mut table = Table::new(&title, rows_are, "KL divergence, nats", curves).digits(4);
            for (label, cells) in self.labels.iter().zip(&self.values[place]) {
                table.push(label, cells.iter().map(|values| Number::of(values)).collect());
            }
            table
        };
        DRAWS.iter().enumerate().map(table).collect()
    }

    /// The labels at which the first curve isn't below the second.
    pub fn not_below(&self, draw: usize, first: usize, second: usize) -> Vec<u64> {
        let fails = |row: &usize| self.mean(draw, *row, first) >= self.mean(draw, *row, second);
        (0..self.labels.len()).filter(fails).map(|row| self.labels[row]).collect()
    }

    /// The second curve over the first, row by row.
    pub fn ratios(&self, draw: usize, first: usize, second: usize) -> Vec<f64> {
        let ratio = |row| self.mean(draw, row, second) / self.mean(draw, row, first).max(1e-12);
        (0..self.labels.len()).map(ratio).collect()
    }
}

/// Two curves at every row of both data sets.
pub fn pairs(all: &[Measured], draw: usize, first: usize, second: usize) -> Vec<(f64, f64)> {
    let of = |one: &Measured| -> Vec<(f64, f64)> {
        let rows = 0..one.labels.len();
        rows.map(|row| (one.mean(draw, row, first), one.mean(draw, row, second))).collect()
    };
    all.iter().flat_map(of).collect()
}

/// Where the first curve isn't below the second, and their ratios, in words.
pub fn told(all: &[Measured], draw: usize, first: usize, second: usize) -> String {
    let mut words = Vec::new();
    for measured in all {
        let failing = measured.not_below(draw, first, second);
        let ratios = measured.ratios(draw, first, second);
        let (least, most) = ratios
            .iter()
            .fold((f64::MAX, 0f64), |(least, most), ratio| (least.min(*ratio), most.max(*ratio)));
        let failing: Vec<String> = failing.iter().map(u64::to_string).collect();
        let but = if failing.is_empty() {
            String::new()
        } else {
            format!(", not below at {}", failing.join(", "))
        };
        words.push(format!(
            "{}: the other is {least:.2} to {most:.2} times as high{but}",
            measured.data
        ));
    }
    words.join("; ")
}
