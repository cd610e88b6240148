//! Basic beta-likeness: the probability of a sensitive value grows by at most a share beta of
//! itself in any class.

use std::cmp::Ordering;

use sfumato_core::Result;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::registry::{About, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;
use crate::models::exact::Ratio;

/// The model `beta-likeness-basic`, an entry of the registry.
pub struct BetaLikenessBasic;

pub(super) const PAPER: Paper = Paper {
    authors: "J. Cao, P. Karras",
    title: "Publishing microdata with a robust privacy guarantee",
    venue: "Proceedings of the VLDB Endowment 5(11)",
    year: 2012,
};

pub(super) const BETA: ParamSpec = ParamSpec::required(
    "beta",
    ParamKind::Number { min: 0.0, above: true, max: f64::MAX },
    "the largest relative gain (p - q) / q, p the share in a class and q in the release",
);

static INFO: Info = Info {
    name: "beta-likeness-basic",
    summary: "in every class no sensitive value is more than (1 + beta) times as likely as in the \
        release",
    papers: &[PAPER],
    params: &[BETA, bound::ON],
    doc: "\
## What it promises

Whoever finds a person's class gains at most a share `beta` on the likelihood of any sensitive \
value, relative
to that value's share in the release: `(p - q) / q <= beta` wherever `p > q`. Rare values are \
guarded as well
as frequent ones, which a sum over values such as t-closeness doesn't do.

## What it does not stop

Learning that a person does not have a value: only gains are bounded. A frequent value may become \
certain:
with `q = 1/2` and `beta = 1` a class may hold nothing else, which the enhanced variant forbids. \
Finding a
person's record: add k-anonymity.

## Parameters

`beta` above 0 is read as an exact decimal: 1 lets a share double. A missing value counts as a \
value of its
own. `on` names the sensitive column.

## Cost

One histogram per class; each check walks over the values of the class. Compared in whole numbers.

## Deviations

None with one record per person. With a subject column distributions are over pairs of person and \
value.

## Monotonicity

Monotone with one record per person, against a fixed release: `p <= (1 + beta) q` is linear, and \
the share in
a union is a mixture of the shares in its parts. Not monotone with a subject column, where it \
isn't a mixture.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for BetaLikenessBasic {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let beta = Ratio::of_param(&INFO, params, "beta")?;
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(Basic { beta, column, text }))
        })
    }
}

/// The relative gain of each value that is more likely in the group than in the release, with its
/// share in the release. Infinite for a value that the release doesn't have.
pub(super) fn gains<'a>(
    group: &'a Histogram,
    release: &'a Histogram,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    group.entries().iter().filter_map(|(code, count)| {
        let q = release.count(*code);
        let over = u128::from(*count) * u128::from(release.total());
        let under = u128::from(q) * u128::from(group.total());
        let gain =
            if q == 0 { f64::INFINITY } else { over.checked_sub(under)? as f64 / under as f64 };
        (over > under).then(|| (gain, q as f64 / release.total() as f64))
    })
}

/// Whether no value of the group gains more than beta, computed in whole numbers.
pub(super) fn gains_within(group: &Histogram, release: &Histogram, beta: Ratio) -> bool {
    let factor = beta.plus_one();
    group.entries().iter().all(|(code, count)| {
        let over = [u128::from(*count), u128::from(release.total())];
        let under = [u128::from(release.count(*code)), u128::from(group.total())];
        factor.compare(&over, &under) != Ordering::Greater
    })
}

struct Basic {
    beta: Ratio,
    column: usize,
    text: String,
}

impl Requirement for Basic {
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
        )
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "beta", required: self.beta.to_f64(), direction: Direction::AtMost }]
    }
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64> {
        let gains =
            gains(bound::histogram(group, self.column), bound::histogram(release, self.column));
        vec![gains.map(|(gain, _)| gain).fold(0.0, f64::max)]
    }
}
