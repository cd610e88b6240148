//! Randomised response: every value stays with a chance that makes no other value much less likely.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};

use super::transition::Transition;
use super::{Draws, Perturbing, PerturbingAlgorithm, Takes};

/// The algorithm `randomized-response`, an entry of the registry.
pub struct RandomizedResponse;

static INFO: Info = Info {
    name: "randomized-response",
    summary: "each value is a random one, its own at most gamma times likelier than any other",
    papers: &[
        Paper {
            authors: "Stanley L. Warner",
            title: "Randomized response: a survey technique for eliminating evasive answer bias",
            venue: "Journal of the American Statistical Association",
            year: 1965,
        },
        Paper {
            authors: "Shipra Agrawal, Jayant R. Haritsa",
            title: "A framework for high-accuracy privacy-preserving mining (FRAPP)",
            venue: "ICDE",
            year: 2005,
        },
    ],
    params: &[ParamSpec::with_default(
        "gamma",
        ParamKind::Number { min: 1.0, above: false, max: 1e6 },
        "19",
        "how many times likelier a value is published as itself than as any other",
    )],
    doc: "Each quasi column is drawn by itself, by the gamma-diagonal matrix of FRAPP: a value \
          stays `gamma` times as likely as it becomes any single other value of the column. \
          Missing is a value like others where it occurs. Chances are those of whole numbers, \
          drawn exactly.\n\n\
          Of each randomised cell it promises that whatever is published of it is at most gamma \
          times likelier for one value than for another: local differential privacy with epsilon \
          = ln(gamma) for one column, and the sum of that over columns for a record. With gamma = \
          19 nobody who thinks a value has the chance 5 % can come to think it has more than 50 \
          %. The list of the values of a column is taken to be public. Nothing is promised about \
          columns that are published as they are, nor for people with several records, beyond \
          the sum over these.\n\n\
          Counts are found back without bias: with m values and n records, a value published c \
          times has about (c (gamma + m - 1) - n) / (gamma - 1). How many values became which is \
          compared with the matrix.",
    capabilities: Capabilities { promises_privacy: true, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// What gamma is counted in.
const UNITS: u64 = 1_000_000;

/// The matrix of a column: missing is the last value, where it occurs.
fn matrix(params: &Params, column: &Column) -> Transition {
    // Rounded down: never more than was asked for.
    let own = ((params.number("gamma") * UNITS as f64 + 1e-3) as u64).max(UNITS);
    let missing = column.domain.missing();
    let n = missing as usize + usize::from(column.codes.iter().any(|code| code == missing));
    let row = |from: usize| (0..n).map(|to| if to == from { own } else { UNITS }).collect();
    Transition { weights: (0..n).map(row).collect() }
}

impl PerturbingAlgorithm for RandomizedResponse {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn takes(&self) -> Takes {
        Takes::Categories
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        Ok(task.columns.iter().map(|column| matrix(params, column).draw(column, draws)).collect())
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        let mut both = task.columns.iter().zip(after);
        both.find_map(|(before, after)| matrix(params, before).fault(before, after))
    }
}
