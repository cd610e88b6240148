//! Entropy l-diversity: the sensitive values of every class are as uncertain as l equally frequent
//! ones.

use sfumato_core::Result;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::registry::{
    About, Info, Paper, ParamKind, ParamSpec, Params, Probe, ProbedColumns,
};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, TOLERANCE};

use crate::models::bound;

/// The model `l-diversity-entropy`, an entry of the registry.
pub struct LDiversityEntropy;

static INFO: Info = Info {
    name: "l-diversity-entropy",
    summary: "the entropy of every class's sensitive values is at least log(l)",
    papers: &[Paper {
        authors: "A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam",
        title: "l-diversity: privacy beyond k-anonymity",
        venue: "IEEE International Conference on Data Engineering (ICDE)",
        year: 2006,
    }],
    params: &[
        ParamSpec::required(
            "l",
            ParamKind::Number { min: 1.0, above: false, max: f64::MAX },
            "how many equally frequent values the class must be as uncertain as",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

In every class the sensitive values are spread at least as evenly as `l` equally frequent ones: \
`-sum p log p
>= log l`. The report gives the achieved `l`, which is `exp` of the entropy of the worst class.

## What it does not stop

Entropy is an average: one value may be frequent if many rare ones make up for it. A bound on the \
frequency of
the most frequent value is confidence bounding. Values that are close in meaning or in number \
count as
different.

## Parameters

`l` is a real number of at least 1. The whole table must itself have an entropy of at least `log \
l`, so a
skewed column can't reach a large `l` at all. A missing value counts as a value of its own. `on` \
names the
sensitive column.

## Cost

One histogram per class and one logarithm per value in it.

## Deviations

Entropy is computed in floating point, where `l` equally frequent values may come out a hair below \
`log l`; a
tolerance of 1e-9, shared by algorithms and verifier, lets them pass. With a subject column the \
distribution
is over pairs of person and value, and a class must have at least `l` people besides.

## Monotonicity

Monotone with one record per person: entropy is concave, so a union has at least the lower of the \
two
entropies. Not monotone with a subject column: a person who is in both parts counts once per \
value, and the
union can be less even than either part.
",
    about: About::SENSITIVE_VALUES,
    probes: &[Probe { args: "l=1", on: ProbedColumns::All, variant: "" }],
    ..Info::DEFAULT
};

impl Model for LDiversityEntropy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let l = params.number("l");
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(Entropy { l, column, text }))
        })
    }
}

/// The Shannon entropy of a histogram in nats, as `ln n - (sum c ln c) / n`.
fn entropy(histogram: &Histogram) -> f64 {
    if histogram.total() == 0 {
        return 0.0;
    }
    let n = histogram.total() as f64;
    let sum: f64 =
        histogram.entries().iter().map(|(_, count)| *count as f64 * (*count as f64).ln()).sum();
    n.ln() - sum / n
}

struct Entropy {
    l: f64,
    column: usize,
    text: String,
}

impl Entropy {
    fn log_diversity(&self, group: &Summary) -> f64 {
        entropy(bound::histogram(group, self.column)).min((group.people as f64).ln())
    }
}

impl Requirement for Entropy {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        self.log_diversity(group) + TOLERANCE >= self.l.ln()
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "l", required: self.l, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![self.log_diversity(group).exp()]
    }
    fn min_people(&self) -> u64 {
        // The tolerance belongs to the bound, so that an l a hair above 3 doesn't ask for 4 people.
        (self.l * (-2.0 * TOLERANCE).exp()).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l_equal_values_are_l_diverse() {
        let summary = |l: u32, each: u64| {
            let histogram = Histogram::from_counts((0..l).map(|code| (code, each)));
            Summary::of_histograms(u64::from(l) * each, vec![histogram])
        };
        for l in 1..=300u32 {
            for each in [1, 3, 7, 1_000_003] {
                let requirement = |l: f64| Entropy { l, column: 0, text: String::new() };
                let group = summary(l, each);
                assert!(requirement(f64::from(l)).holds(&group, &group), "{l} values, {each} each");
                assert!(
                    !requirement(f64::from(l) + 1e-5).holds(&group, &group),
                    "{l} values, {each} each"
                );
                let achieved = requirement(1.0).measure(&group, &group)[0];
                assert!((achieved - f64::from(l)).abs() < 1e-9 * f64::from(l));
                assert_eq!(requirement(f64::from(l)).min_people(), u64::from(l));
            }
        }
    }
}
