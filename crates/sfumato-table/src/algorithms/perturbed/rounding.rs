//! Rounding: every number is published as a multiple of a base.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::values::{digits, missing_elsewhere, numbers, spelled};
use super::{Draws, Perturbing, PerturbingAlgorithm};

/// The algorithm `rounding`, an entry of the registry.
pub struct Rounding;

static INFO: Info = Info {
    name: "rounding",
    summary: "publish every number as a multiple of a base, the nearest or a random neighbour",
    papers: &[Paper {
        authors: "Leon Willenborg, Ton de Waal",
        title: "Elements of Statistical Disclosure Control",
        venue: "Springer",
        year: 2001,
    }],
    params: &[
        ParamSpec::required(
            "base",
            ParamKind::Number { min: 0.0, above: true, max: 1e15 },
            "what numbers are multiples of",
        ),
        ParamSpec::with_default(
            "to",
            ParamKind::Choice(&["nearest", "random"]),
            "nearest",
            "the nearest multiple, or one of the two neighbours by chance, right on average",
        ),
    ],
    doc: "With `to=random` a number goes to the multiple above with the chance that keeps its \
          mean: 7 with base 5 becomes 10 in two of five times. The file is checked: all numbers \
          are multiples, and none is farther from its original than half the base, or the \
          base.\n\n\
          Nothing is promised: rounded numbers are truthful, and a rare combination of them still \
          singles out.",
    ..Info::DEFAULT
};

impl PerturbingAlgorithm for Rounding {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let (base, is_random) = (params.number("base"), params.text("to") == Some("random"));
        let mut round = |x: f64| {
            let (low, rest) = ((x / base).floor(), (x / base) - (x / base).floor());
            let up = if is_random { draws.uniform() < rest } else { rest >= 0.5 };
            (low + f64::from(u8::from(up))) * base
        };
        let mut publish = |column: &&Column| {
            let rounded: Vec<Option<f64>> =
                numbers(column).into_iter().map(|number| number.map(&mut round)).collect();
            spelled(column, &rounded, more_digits(column, base))
        };
        Ok(task.columns.iter().map(&mut publish).collect())
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        if let Some(fault) = missing_elsewhere(&task.columns, after) {
            return Some(fault);
        }
        let base = params.number("base");
        let most = if params.text("to") == Some("random") { base } else { base / 2.0 };
        task.columns.iter().zip(after).find_map(|(before, after)| {
            let is_wrong = |(old, new): (Option<f64>, Option<f64>)| match (old, new) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(old), Some(new)) => {
                    let off = (new / base - (new / base).round()).abs();
                    off > 1e-6 || (new - old).abs() > most * (1.0 + 1e-9) + 1e-9 * old.abs()
                }
            };
            let is_wrong = numbers(before).into_iter().zip(numbers(after)).any(is_wrong);
            is_wrong.then(|| format!("a number of column '{}' isn't a rounded one", before.name))
        })
    }
}

/// How many digits multiples of the base have more than the column.
fn more_digits(column: &Column, base: f64) -> usize {
    let has = |digits: &usize| {
        let scaled = base * 10f64.powi(*digits as i32);
        (scaled - scaled.round()).abs() < 1e-9 * scaled
    };
    (0..12).find(has).unwrap_or(12).saturating_sub(digits(column))
}
