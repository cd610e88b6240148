//! Histograms with noise: how many records are in each cell, differentially private.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_kernels::discrete_laplace::DiscreteLaplace;

use super::cells::{Cells, other, table};
use super::{Tabulated, Tabulating, TabulatingAlgorithm};
use crate::algorithms::synthetic::{Records, nearest};

/// The algorithm `dp-histogram`, an entry of the registry.
pub struct DpHistogram;

static INFO: Info = Info {
    name: "dp-histogram",
    summary: "publish how many records have each combination of values, with exact noise",
    papers: &[
        Paper {
            authors: "Cynthia Dwork, Frank McSherry, Kobbi Nissim, Adam Smith",
            title: "Calibrating noise to sensitivity in private data analysis",
            venue: "TCC",
            year: 2006,
        },
        Paper {
            authors: "Arpita Ghosh, Tim Roughgarden, Mukund Sundararajan",
            title: "Universally utility-maximizing privacy mechanisms",
            venue: "STOC",
            year: 2009,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "epsilon",
            ParamKind::Number { min: 0.000_001, above: false, max: 1000.0 },
            "1",
            "the budget of the whole table: smaller hides more",
        ),
        ParamSpec::with_default(
            "non-negative",
            ParamKind::Flag,
            "false",
            "whether counts below 0 are mended: the nearest counts with the same sum are published",
        ),
        ParamSpec::with_default(
            "totals",
            ParamKind::Flag,
            "false",
            "whether sums over each column are published too, which cells add up to",
        ),
    ],
    doc: include_str!("dp_histogram.md"),
    capabilities: Capabilities { promises_privacy: true, draws: true, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// The name of the column with the counts.
const COUNT: &str = "count";
/// What stands for all values of a column.
pub const TOTAL: &str = "Total";
/// What a unit of epsilon is counted in.
const UNITS: f64 = 1e6;

/// The noise: one person changes one count by one.
fn law(params: &Params) -> DiscreteLaplace {
    // Rounded to a smaller epsilon.
    let s = (params.number("epsilon") * UNITS + 1e-6) as u64;
    DiscreteLaplace { s: s.max(1), t: UNITS as u64 }
}

/// The true counts, a row of each person.
fn counts(cells: &Cells<'_>, task: &Tabulating<'_>) -> Vec<i64> {
    if task.table.subject.is_none() {
        return cells.counts();
    }
    let records = Records::rows(task.table, &mut ChaCha20Rng::from_seed(task.people));
    let mut counts = vec![0i64; cells.len()];
    records.iter().for_each(|row| counts[cells.cell(*row as usize)] += 1);
    counts
}

/// Counts that aren't negative, and have the same sum unless that is: the nearest such numbers,
/// rounded so that the sum stays.
fn non_negative(noisy: &[i64]) -> Vec<i64> {
    let total = noisy.iter().sum::<i64>();
    if total <= 0 {
        return vec![0; noisy.len()];
    }
    let exact: Vec<f64> = noisy.iter().map(|count| *count as f64).collect();
    let near = nearest(&exact, total as f64);
    let mut counts: Vec<i64> = near.iter().map(|count| count.floor() as i64).collect();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|a, b| near[*b].fract().total_cmp(&near[*a].fract()).then(a.cmp(b)));
    let left = total - counts.iter().sum::<i64>();
    order.iter().take(left.max(0) as usize).for_each(|at| counts[*at] += 1);
    counts
}

/// The table of counts with noise: nothing else of the original is known here.
fn published(cells: &Cells<'_>, params: &Params, noisy: &[i64]) -> sfumato_core::dataset::Table {
    let counts = if params.flag("non-negative") { non_negative(noisy) } else { noisy.to_vec() };
    let mut rows: Vec<(Vec<String>, i64)> =
        counts.iter().enumerate().map(|(cell, count)| (cells.values(cell), *count)).collect();
    if params.flag("totals") {
        for column in 0..cells.sizes.len() {
            let total = |code: usize| {
                let after: usize = cells.sizes[column + 1..].iter().product();
                let is_in = |cell: usize| cell / after % cells.sizes[column] == code;
                (0..counts.len()).filter(|cell| is_in(*cell)).map(|cell| counts[cell]).sum::<i64>()
            };
            for code in 0..cells.sizes[column] {
                let mut values = vec![TOTAL.to_string(); cells.sizes.len()];
                values[column] = super::cells::label(cells.columns[column], code as u32);
                // A table of one column has these as its cells.
                if cells.sizes.len() > 1 {
                    rows.push((values, total(code)));
                }
            }
        }
        rows.push((vec![TOTAL.to_string(); cells.sizes.len()], counts.iter().sum()));
    }
    let mut columns: Vec<(String, Vec<String>)> = cells
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            (column.name.clone(), rows.iter().map(|(values, _)| values[at].clone()).collect())
        })
        .collect();
    columns.push((COUNT.into(), rows.iter().map(|(_, count)| count.to_string()).collect()));
    table(columns)
}

/// Refuse columns whose names or values the table needs for itself.
pub fn check_names(cells: &Cells<'_>, name: &str) -> Result<()> {
    let is_total = |column: &&&sfumato_core::dataset::Column| {
        column.domain.labels().any(|label| label == TOTAL) || column.missing_text == TOTAL
    };
    if let Some(column) = cells.columns.iter().find(is_total) {
        return Err(Error::unsupported(format!(
            "column '{}' has the value '{TOTAL}', which is to stand for all values",
            column.name
        ))
        .hint("call the value otherwise"));
    }
    match cells.columns.iter().any(|column| column.name == name) {
        true => Err(Error::unsupported(format!("a column is called '{name}', as what is counted"))
            .hint("give the column another name")),
        false => Ok(()),
    }
}

impl TabulatingAlgorithm for DpHistogram {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn tabulate(
        &self,
        params: &Params,
        task: &Tabulating<'_>,
        random: &mut ChaCha20Rng,
    ) -> Result<Tabulated> {
        let cells = Cells::of(task.table)?;
        check_names(&cells, COUNT)?;
        let law = law(params);
        let counts = counts(&cells, task);
        let drawn: Vec<i64> = counts.iter().map(|_| law.draw(random)).collect();
        let noisy: Vec<i64> = counts.iter().zip(&drawn).map(|(n, noise)| n + noise).collect();
        let details = serde_json::json!({
            "cells": cells.len(),
            "epsilon": law.s as f64 / UNITS,
            "noise": law.mean_size(),
        });
        Ok(Tabulated { table: published(&cells, params, &noisy), drawn, noisy, details })
    }

    fn fault(&self, params: &Params, task: &Tabulating<'_>, made: &Tabulated) -> Option<String> {
        let Ok(cells) = Cells::of(task.table) else { return Some("there are no cells".into()) };
        let counts = counts(&cells, task);
        let with_noise = counts.iter().zip(&made.drawn).map(|(count, noise)| count + noise);
        if made.drawn.len() != counts.len() || !with_noise.eq(made.noisy.iter().copied()) {
            return Some("a count isn't the true one with its noise".into());
        }
        unlikely(law(params), &made.drawn)
            .or_else(|| other(&published(&cells, params, &made.noisy), &made.table))
    }
}

/// Whether noise can hardly have been drawn by its law. Chance passes the bounds less than once in
/// a hundred million runs.
fn unlikely(law: DiscreteLaplace, drawn: &[i64]) -> Option<String> {
    let (n, zero) = (drawn.len() as f64, law.zero());
    let zeros = drawn.iter().filter(|noise| **noise == 0).count() as f64;
    // With a large epsilon nearly nothing is added, and that is right.
    if zeros > n * zero + 7.0 * (n * zero * (1.0 - zero)).sqrt() + 4.0 && zero < 0.99 {
        return Some("too often nothing was added to a count".into());
    }
    let size = drawn.iter().map(|noise| noise.unsigned_abs() as f64).sum::<f64>();
    let mean = law.mean_size();
    // Sizes are spread about as much as they are large, and have a tail like an exponential one.
    let error = 8.0 * (n.sqrt() + 3.0) * (mean + 1.0);
    ((size - n * mean).abs() > error).then(|| "the noise has another size than it should".into())
}

#[cfg(test)]
mod tests {
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::Table;
    use sfumato_core::registry::Call;

    use super::*;

    fn sample(n: usize) -> Table {
        let texts = |of: &dyn Fn(usize) -> String| (0..n).map(of).collect::<Vec<String>>();
        table(vec![
            ("a".into(), texts(&|row| format!("a{}", row % 4))),
            ("b".into(), texts(&|row| format!("b{}", row / 4 % 3))),
        ])
    }

    fn params(text: &str) -> Params {
        let call: Call = text.parse().unwrap();
        Params::check(&INFO, &call.args).unwrap()
    }

    #[test]
    fn counts_are_those_of_a_plain_loop() {
        let table = sample(10_000);
        let cells = Cells::of(&table).unwrap();
        let mut plain = vec![0i64; 12];
        (0..table.n_rows).for_each(|row| plain[cells.cell(row)] += 1);
        assert_eq!(cells.counts(), plain);
        assert_eq!(cells.values(7), ["a2", "b1"]);
    }

    #[test]
    fn published_counts_are_near_and_add_up() {
        let table = sample(10_000);
        let task = Tabulating { table: &table, people: [0; 32] };
        for text in ["dp-histogram", "dp-histogram(totals=true, non-negative=true)"] {
            let params = params(text);
            let mut random = ChaCha20Rng::seed_from_u64(2);
            let made = DpHistogram.tabulate(&params, &task, &mut random).unwrap();
            assert_eq!(DpHistogram.fault(&params, &task, &made), None);
            let counts = &made.table.columns[2];
            let of_row = |row: usize| -> i64 {
                super::super::cells::label(counts, counts.codes.get(row)).parse().unwrap()
            };
            let sum: i64 = (0..12).map(of_row).sum();
            assert!((sum - 10_000).abs() < 200, "{sum}");
            if params.flag("totals") {
                assert_eq!(made.table.n_rows, 12 + 4 + 3 + 1);
                assert_eq!((12..16).map(of_row).sum::<i64>(), sum);
                assert_eq!(of_row(19), sum);
            }
        }
        assert_eq!(non_negative(&[5, -2, 1, 0]), [4, 0, 0, 0]);
        assert_eq!(non_negative(&[-5, -2]), [0, 0]);
    }

    #[test]
    fn a_broken_mechanism_is_refused() {
        let table = sample(3000);
        let task = Tabulating { table: &table, people: [0; 32] };
        let params = params("dp-histogram(epsilon=0.5)");
        let mut random = ChaCha20Rng::seed_from_u64(3);
        let made = DpHistogram.tabulate(&params, &task, &mut random).unwrap();
        let mut silent = made.clone();
        silent.drawn.fill(0);
        silent.noisy = counts(&Cells::of(&table).unwrap(), &task);
        let mut moved = made.clone();
        moved.table.columns[2].codes = Codes::U8(vec![0; 12]);
        let mut other = made.clone();
        other.noisy[3] += 1;
        for broken in [silent, moved, other] {
            assert!(DpHistogram.fault(&params, &task, &broken).is_some());
        }
    }
}
