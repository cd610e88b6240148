//! Top and bottom coding: extreme numbers are published as a threshold, or as their mean.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::values::{digits, missing_elsewhere, numbers, spelled};
use super::{Draws, Perturbing, PerturbingAlgorithm};

/// The algorithm `top-bottom-coding`, an entry of the registry.
pub struct TopBottomCoding;

static INFO: Info = Info {
    name: "top-bottom-coding",
    summary: "publish extreme numbers as a threshold or as their mean; promises nothing",
    papers: &[Paper {
        authors: "Leon Willenborg, Ton de Waal",
        title: "Elements of Statistical Disclosure Control",
        venue: "Springer",
        year: 2001,
    }],
    params: &[
        ParamSpec::optional(
            "top",
            ParamKind::Number { min: f64::MIN, above: false, max: f64::MAX },
            "the largest number that is published as it is",
        ),
        ParamSpec::optional(
            "bottom",
            ParamKind::Number { min: f64::MIN, above: false, max: f64::MAX },
            "the smallest number that is published as it is",
        ),
        ParamSpec::with_default(
            "share",
            ParamKind::Number { min: 0.0, above: true, max: 0.49 },
            "0.05",
            "where neither is given: the share of records beyond each threshold",
        ),
        ParamSpec::with_default(
            "as",
            ParamKind::Choice(&["threshold", "mean"]),
            "threshold",
            "what extreme numbers are published as",
        ),
    ],
    doc: "A number above `top` is published as `top`, or as the mean of all that are above it, \
          which keeps the mean of the column; a number below `bottom` likewise. Without either, \
          thresholds are taken from the column, so that at most `share` of the records are beyond \
          each. Such a threshold is a value of the data, and a mean of a single record is its \
          value: look at how many there are. The file is checked exactly.\n\n\
          Nothing is promised.",
    ..Info::DEFAULT
};

/// What lies beyond, and what it is published as.
struct Coding {
    bottom: f64,
    top: f64,
    below: f64,
    above: f64,
}

impl Coding {
    fn of(params: &Params, numbers: &[Option<f64>]) -> Self {
        let mut known: Vec<f64> = numbers.iter().copied().flatten().collect();
        known.sort_by(f64::total_cmp);
        let (top, bottom) = (params.optional_number("top"), params.optional_number("bottom"));
        let out = (params.number("share") * known.len() as f64) as usize;
        let (bottom, top) = match (bottom, top) {
            (None, None) if !known.is_empty() => (known[out], known[known.len() - 1 - out]),
            (bottom, top) => (bottom.unwrap_or(f64::MIN), top.unwrap_or(f64::MAX)),
        };
        let mean = |beyond: &dyn Fn(f64) -> bool, threshold: f64| {
            let beyond: Vec<f64> = known.iter().copied().filter(|x| beyond(*x)).collect();
            match params.text("as") == Some("mean") && !beyond.is_empty() {
                true => beyond.iter().sum::<f64>() / beyond.len() as f64,
                false => threshold,
            }
        };
        let (below, above) = (mean(&|x| x < bottom, bottom), mean(&|x| x > top, top));
        Coding { bottom, top, below, above }
    }

    fn publish(&self, x: f64) -> f64 {
        match x {
            x if x > self.top => self.above,
            x if x < self.bottom => self.below,
            x => x,
        }
    }
}

impl PerturbingAlgorithm for TopBottomCoding {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        _: &mut Draws,
    ) -> Result<Vec<Column>> {
        let publish = |column: &&Column| {
            let numbers = numbers(column);
            let coding = Coding::of(params, &numbers);
            let coded: Vec<Option<f64>> =
                numbers.into_iter().map(|number| number.map(|x| coding.publish(x))).collect();
            spelled(column, &coded, 0)
        };
        Ok(task.columns.iter().map(publish).collect())
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        if let Some(fault) = missing_elsewhere(&task.columns, after) {
            return Some(fault);
        }
        task.columns.iter().zip(after).find_map(|(before, after)| {
            let old = numbers(before);
            let coding = Coding::of(params, &old);
            let step = 0.51 * 10f64.powi(-(digits(before) as i32));
            let is_wrong = |(old, new): (&Option<f64>, Option<f64>)| match (old, new) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(old), Some(new)) => {
                    let is_kept = (coding.bottom..=coding.top).contains(old);
                    let slack = if is_kept { 1e-12 * old.abs() } else { step };
                    (new - coding.publish(*old)).abs() > slack
                }
            };
            let is_wrong = old.iter().zip(numbers(after)).any(is_wrong);
            is_wrong.then(|| format!("a number of column '{}' isn't the coded one", before.name))
        })
    }
}
