//! Multiplicative noise: every number is published times a random factor.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::values::{digits, missing_elsewhere, numbers, spelled};
use super::{Draws, Perturbing, PerturbingAlgorithm};

/// The algorithm `multiplicative-noise`, an entry of the registry.
pub struct MultiplicativeNoise;

static INFO: Info = Info {
    name: "multiplicative-noise",
    summary: "publish every number times a random factor around 1; promises nothing",
    papers: &[Paper {
        authors: "Jay J. Kim, William E. Winkler",
        title: "Multiplicative noise for masking continuous data",
        venue: "Research Report Series, US Bureau of the Census",
        year: 2003,
    }],
    params: &[ParamSpec::with_default(
        "share",
        ParamKind::Number { min: 0.0, above: true, max: 2.0 },
        "0.1",
        "the standard deviation of the logarithm of the factor",
    )],
    doc: "Factors are log-normal with mean 1, one for each number: large numbers move far, small \
          ones little, and no sign changes. Means are kept on average; nought stays nought.\n\n\
          Nothing is promised: the size of a number stays what it was, about.",
    ..Info::DEFAULT
};

/// No draw is farther out, in standard deviations.
const FARTHEST: f64 = 9.0;

impl PerturbingAlgorithm for MultiplicativeNoise {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let share = params.number("share");
        let mut factor = || (share * draws.normal() - share * share / 2.0).exp();
        let mut publish = |column: &&Column| {
            let numbers: Vec<Option<f64>> =
                numbers(column).into_iter().map(|number| number.map(|x| x * factor())).collect();
            spelled(column, &numbers, 0)
        };
        Ok(task.columns.iter().map(&mut publish).collect())
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        if let Some(fault) = missing_elsewhere(&task.columns, after) {
            return Some(fault);
        }
        let share = params.number("share");
        let most = (FARTHEST * share + share * share / 2.0).exp();
        task.columns.iter().zip(after).find_map(|(before, after)| {
            let step = 10f64.powi(-(digits(before) as i32));
            let is_out = |(old, new): (Option<f64>, Option<f64>)| match (old, new) {
                (None, _) => false,
                (Some(_), None) => true,
                (Some(old), Some(new)) => {
                    let (low, high) = (old.abs() / most - step, old.abs() * most + step);
                    new.abs() < low || new.abs() > high || (new * old < 0.0)
                }
            };
            let is_wrong = numbers(before).into_iter().zip(numbers(after)).any(is_out);
            is_wrong.then(|| {
                format!("a number of column '{}' went farther than a factor goes", before.name)
            })
        })
    }
}
