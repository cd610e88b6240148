//! PRAM: every category becomes another by chance, by a matrix that is published.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::transition::Transition;
use super::values::missing_elsewhere;
use super::{Draws, Perturbing, PerturbingAlgorithm, Takes};

/// The algorithm `pram`, an entry of the registry.
pub struct Pram;

static INFO: Info = Info {
    name: "pram",
    summary: "categories become others by chance (post-randomisation), plain or invariant",
    papers: &[Paper {
        authors: "J. M. Gouweleeuw, P. Kooiman, L. C. R. J. Willenborg, P. P. de Wolf",
        title: "Post randomisation for statistical disclosure control: theory and \
                    implementation",
        venue: "Journal of Official Statistics",
        year: 1998,
    }],
    params: &[
        ParamSpec::with_default(
            "keep",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.8",
            "the chance that a value stays in the plain matrix",
        ),
        ParamSpec::with_default(
            "kind",
            ParamKind::Choice(&["invariant", "plain"]),
            "invariant",
            "invariant: the numbers of each value are kept on average; plain: others are drawn \
             alike",
        ),
    ],
    doc: "Each quasi column is drawn by itself. The plain matrix keeps a value with the chance \
          `keep`, and else makes it any other value of the column alike. The invariant matrix does \
          that and then goes back by Bayes' rule: from what was drawn to what it may be from. Its \
          expected counts are those of the column, so that tables of one column need no \
          correction. A value stays oftener then than `keep` says.\n\n\
          Missing values stay missing. Nothing is promised: what is rare stays rare, and a value \
          stays with the chance that the matrix says. How many values became which is compared \
          with the matrix.",
    ..Info::DEFAULT
};

/// What weights are counted in.
const UNITS: f64 = (1u64 << 40) as f64;

/// The matrix of a column. Values that no record has are never drawn.
fn matrix(params: &Params, column: &Column) -> Transition {
    let counts = column.codes.counts(column.domain.len() + 1);
    let counts: Vec<f64> = counts[..column.domain.len()].iter().map(|n| *n as f64).collect();
    let present = counts.iter().filter(|n| **n > 0.0).count();
    let keep = params.number("keep");
    let n = counts.len();
    let other = if present > 1 { (1.0 - keep) / (present - 1) as f64 } else { 0.0 };
    let own = if present > 1 { keep } else { 1.0 };
    let plain = |a: usize, b: usize| match (counts[b] > 0.0, a == b) {
        (false, _) => 0.0,
        (true, true) => own,
        (true, false) => other,
    };
    // How often each value is drawn by the plain matrix; and for the way there and back the sum
    // over all values between.
    let all: f64 = counts.iter().sum();
    let drawn: Vec<f64> = counts.iter().map(|n| own * n + other * (all - n)).collect();
    let through: f64 = (0..n)
        .filter(|at| counts[*at] > 0.0 && drawn[*at] > 0.0)
        .map(|at| other * other / drawn[at])
        .sum();
    let extra = |at: usize, by: f64| if drawn[at] > 0.0 { by / drawn[at] } else { 0.0 };
    let there_and_back = |a: usize, b: usize| match (counts[a] > 0.0 && counts[b] > 0.0, a == b) {
        (false, _) => 0.0,
        (true, true) => counts[b] * (through + extra(a, own * own - other * other)),
        (true, false) => {
            let by = own * other - other * other;
            counts[b] * (through + extra(a, by) + extra(b, by))
        }
    };
    let is_plain = params.text("kind") == Some("plain");
    let share = |a, b| if is_plain { plain(a, b) } else { there_and_back(a, b) };
    let whole = |a, b| (share(a, b).max(0.0) * UNITS).round() as u64;
    let weights = (0..n).map(|a| (0..n).map(|b| whole(a, b)).collect()).collect();
    Transition { weights }
}

impl PerturbingAlgorithm for Pram {
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
        let both = || task.columns.iter().zip(after);
        missing_elsewhere(&task.columns, after).or_else(|| {
            both().find_map(|(before, after)| matrix(params, before).fault(before, after))
        })
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::{Domain, Missing, Role};
    use sfumato_core::registry::Call;

    use super::*;

    #[test]
    fn the_invariant_matrix_keeps_expected_counts() {
        let rows = [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 0, 1];
        let column = Column {
            name: "town".into(),
            role: Role::Quasi,
            codes: Codes::from_iter(5, rows.into_iter()),
            domain: Domain::of_texts(["a", "b", "c", "nobody"]),
            hierarchy: None,
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        };
        for (text, is_kept) in [("pram(keep=0.6)", true), ("pram(keep=0.6, kind=plain)", false)] {
            let call: Call = text.parse().unwrap();
            let law = matrix(&Params::check(&INFO, &call.args).unwrap(), &column);
            let counts = [5.0, 3.0, 7.0, 0.0];
            for to in 0..4 {
                let expected: f64 = (0..3)
                    .map(|from| {
                        let all: u64 = law.weights[from].iter().sum();
                        counts[from] * law.weights[from][to] as f64 / all as f64
                    })
                    .sum();
                if is_kept {
                    assert!((expected - counts[to]).abs() < 1e-6, "{to}: {expected}");
                }
            }
            assert_eq!(law.weights[0][3], 0, "nobody has it");
        }
    }
}
