//! Data shuffling: the values of a column change places so that they go along with other columns as
//! before, and with no record of their own.

use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use statrs::distribution::{ContinuousCDF as _, Normal};

use super::matrix::{cholesky, covariance};
use super::values::{missing_elsewhere, numbers, other_values, recoded};
use super::{Draws, Perturbing, PerturbingAlgorithm, Takes};

/// The algorithm `data-shuffling`, an entry of the registry.
pub struct DataShuffling;

static INFO: Info = Info {
    name: "data-shuffling",
    summary: "deal out the values of columns anew, by how they go along with others",
    papers: &[Paper {
        authors: "Krishnamurty Muralidhar, Rathindra Sarathy",
        title: "Data shuffling: a new masking approach for numerical data",
        venue: "Management Science",
        year: 2006,
    }],
    params: &[ParamSpec::optional(
        "given",
        ParamKind::List,
        "columns of numbers that are published as they are, whose correlations with the shuffled \
         ones are kept",
    )],
    doc: "Every column is looked at by its ranks, as normal scores. New scores of the quasi \
          columns are drawn from the normal distribution that the scores have, given those of the \
          columns `given`: they have the correlations of the old ones, and beside these columns \
          nothing of the record goes into them. Then the record with the i-th score gets the i-th \
          value.\n\n\
          Each column keeps exactly its values, and rank correlations are kept on average. \
          Nothing is promised: the values themselves are published, an extreme one stays \
          somebody's, and what `given` tells stays told. Missing values stay missing.",
    ..Info::DEFAULT
};

/// The rows of a column without a missing value, from the smallest value on.
fn sorted(numbers: &[Option<f64>], mut by: impl FnMut(usize) -> f64) -> Vec<u32> {
    let mut order: Vec<(f64, u32)> = (0..numbers.len())
        .filter(|row| numbers[*row].is_some())
        .map(|row| (by(row), row as u32))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, row)| row).collect()
}

/// The normal score of each row: the middle for a missing value.
fn scores(numbers: &[Option<f64>]) -> Vec<f64> {
    let normal = Normal::new(0.0, 1.0).expect("a standard deviation of 1 is allowed");
    let order = sorted(numbers, |row| numbers[row].unwrap_or(f64::NAN));
    let mut scores = vec![0.0; numbers.len()];
    let n = order.len() as f64;
    let mut first = 0;
    // Equal values share the score of their middle rank.
    for same in order.chunk_by(|a, b| numbers[*a as usize] == numbers[*b as usize]) {
        let middle = first as f64 + same.len() as f64 / 2.0;
        let score = normal.inverse_cdf(middle / n);
        same.iter().for_each(|row| scores[*row as usize] = score);
        first += same.len();
    }
    scores
}

fn given<'a>(params: &Params, task: &Perturbing<'a>) -> Result<Vec<&'a Column>> {
    let names = params.list("given").unwrap_or_default();
    let find = |name: &String| {
        let named = task.table.published().find(|column| column.name == *name);
        named
            .filter(|column| {
                column.domain.kind.is_ordered()
                    && task.columns.iter().all(|shuffled| shuffled.name != *name)
            })
            .ok_or_else(|| {
                Error::params(format!(
                    "data-shuffling: '{name}' is no column of numbers that is published as it is"
                ))
                .hint("give it the role keep or sensitive")
            })
    };
    names.iter().map(find).collect()
}

impl PerturbingAlgorithm for DataShuffling {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn takes(&self) -> Takes {
        Takes::Ordered
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let given = given(params, task)?;
        let n_given = given.len();
        let all: Vec<Vec<f64>> =
            given.iter().chain(&task.columns).map(|column| scores(&numbers(column))).collect();
        let rows: Vec<Vec<f64>> = (0..task.table.n_rows)
            .map(|row| all.iter().map(|column| column[row]).collect())
            .collect();
        let (means, matrix) = covariance(&rows);
        let lower = cholesky(&matrix);
        // What the given scores are made of stays, and all else is drawn.
        let mut drawn = vec![vec![0.0; task.table.n_rows]; task.columns.len()];
        for (row, known) in rows.iter().enumerate() {
            let mut parts: Vec<f64> = Vec::with_capacity(all.len());
            for a in 0..n_given {
                let sum: f64 = (0..a).map(|b| lower[a][b] * parts[b]).sum();
                let is_free = lower[a][a] > 1e-9;
                parts.push(if is_free { (known[a] - means[a] - sum) / lower[a][a] } else { 0.0 });
            }
            parts.extend(task.columns.iter().map(|_| draws.normal()));
            for (place, drawn) in drawn.iter_mut().enumerate() {
                let weights = &lower[n_given + place];
                drawn[row] = weights.iter().zip(&parts).map(|(a, b)| a * b).sum();
            }
        }
        let deal = |(column, drawn): (&&Column, &Vec<f64>)| {
            let numbers = numbers(column);
            let values = sorted(&numbers, |row| numbers[row].unwrap_or(f64::NAN));
            let order = sorted(&numbers, |row| drawn[row]);
            let mut codes: Vec<u32> = column.codes.iter().collect();
            for (to, from) in order.iter().zip(&values) {
                codes[*to as usize] = column.codes.get(*from as usize);
            }
            recoded(column, codes.into_iter())
        };
        Ok(task.columns.iter().zip(&drawn).map(deal).collect())
    }

    fn fault(&self, _: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        missing_elsewhere(&task.columns, after).or_else(|| other_values(&task.columns, after))
    }
}
