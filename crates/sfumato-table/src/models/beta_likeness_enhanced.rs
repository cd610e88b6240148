//! Enhanced beta-likeness: the gain of a sensitive value is bounded by beta and by how rare the
//! value is.

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Info, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, TOLERANCE};

use super::beta_likeness_basic::{BETA, PAPER, gains, gains_within};
use crate::models::bound;
use crate::models::exact::Ratio;

/// The model `beta-likeness-enhanced`, an entry of the registry.
pub struct BetaLikenessEnhanced;

static INFO: Info = Info {
    name: "beta-likeness-enhanced",
    summary: "in every class the gain of a sensitive value is bounded by beta and by its rarity",
    papers: &[PAPER],
    params: &[BETA, bound::ON],
    doc: "\
## What it promises

As basic beta-likeness, and besides no value can become certain: `(p - q) / q <= min(beta, -ln q)` \
wherever `p
> q`, `p` the share in the class and `q` in the release. Since `q (1 - ln q) < 1` for `q < 1`, \
every class
keeps some doubt about every value, however large `beta` is.

## What it does not stop

Learning that a person does not have a value: only gains are bounded. Finding a person's record: add
k-anonymity.

## Parameters

`beta` above 0 is read as an exact decimal. It rules the values that are rarer than `exp(-beta)`; \
more
frequent ones are ruled by `-ln q`. A missing value counts as a value of its own. `on` names the \
sensitive
column.

## Cost

One histogram per class; each check walks over the values of the class.

## Deviations

The bound by `beta` is compared in whole numbers, the one by `-ln q` with a tolerance of 1e-9. The \
achieved
`beta` in the report is the largest gain, and infinite if a gain exceeds `-ln q`, because then no \
`beta` would
help. With a subject column distributions are over pairs of person and value.

## Monotonicity

Monotone with one record per person, against a fixed release: for each value it is a linear bound \
on `p`, and
the share in a union is a mixture of the shares in its parts. Not monotone with a subject column, \
where it
isn't a mixture.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for BetaLikenessEnhanced {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let beta = Ratio::of_param(&INFO, params, "beta")?;
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(Enhanced { beta, column, text }))
        })
    }
}

struct Enhanced {
    beta: Ratio,
    column: usize,
    text: String,
}

impl Enhanced {
    /// The largest gain; infinite if one exceeds what the value's rarity allows.
    fn worst(&self, group: &Summary, release: &Summary) -> f64 {
        gains(bound::histogram(group, self.column), bound::histogram(release, self.column))
            .map(|(gain, q)| if gain <= -q.ln() + TOLERANCE { gain } else { f64::INFINITY })
            .fold(0.0, f64::max)
    }
}

impl Requirement for Enhanced {
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
    fn holds(&self, group: &Summary, release: &Summary) -> bool {
        gains_within(
            bound::histogram(group, self.column),
            bound::histogram(release, self.column),
            self.beta,
        ) && self.worst(group, release) < f64::INFINITY
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "beta", required: self.beta.to_f64(), direction: Direction::AtMost }]
    }
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64> {
        vec![self.worst(group, release)]
    }
}
