//! delta-disclosure privacy: no sensitive value is much more or much less likely in a class than in
//! the release.

use sfumato_core::Result;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, TOLERANCE};

use crate::models::bound;

/// The model `delta-disclosure`, an entry of the registry.
pub struct DeltaDisclosure;

static INFO: Info = Info {
    name: "delta-disclosure",
    summary: "in every class each value is within a factor exp(delta) of its share in the release",
    papers: &[Paper {
        authors: "J. Brickell, V. Shmatikov",
        title: "The cost of privacy: destruction of data-mining utility in anonymized data \
            publishing",
        venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining (KDD)",
        year: 2008,
    }],
    params: &[
        ParamSpec::required(
            "delta",
            ParamKind::Number { min: 0.0, above: true, max: f64::MAX },
            "the bound of |ln(p/q)|, p the share in a class and q in the release",
        ),
        bound::ON,
    ],
    doc: "\
## What it promises

Whoever finds a person's class changes the odds of every sensitive value only by a factor below \
`exp(delta)`,
up or down: `|ln(p/q)| < delta` for every value of the release, `p` its share in the class and `q` \
its share
in the release.

## What it does not stop

Finding a person's record: add k-anonymity. What the whole release tells about everybody is learnt \
anyway.

## Parameters

`delta` above 0, in natural logarithms: 0.69 lets shares nearly double or halve. For a bound in \
bits multiply
by 0.693. A missing value counts as a value of its own. `on` names the sensitive column.

## Cost

One histogram per class; each check walks over all values of the release.

## Deviations

None: as in the original, a value of the release that is absent from a class breaks the promise, \
because its
absence tells that the person doesn't have it. So every class must hold every value, which few \
releases with
many values can do. The logarithm is compared with a tolerance of 1e-9. With a subject column \
distributions
are over pairs of person and value.

## Monotonicity

Monotone with one record per person, against a fixed release: the condition is `q exp(-delta) < p \
< q
exp(delta)` for each value, two linear bounds, and the share in a union is a mixture of the shares \
in its
parts. Not monotone with a subject column, where it isn't a mixture.
",
    about: About::SENSITIVE_VALUES,
    ..Info::DEFAULT
};

impl Model for DeltaDisclosure {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let delta = params.number("delta");
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(Disclosure { delta, column, text }))
        })
    }
}

struct Disclosure {
    delta: f64,
    column: usize,
    text: String,
}

impl Disclosure {
    /// The largest `|ln(p/q)|`; infinite if a value occurs on one side only.
    fn worst(&self, group: &Summary, release: &Summary) -> f64 {
        let (group, release) =
            (bound::histogram(group, self.column), bound::histogram(release, self.column));
        if group.entries().iter().any(|(code, _)| release.count(*code) == 0)
            || group.distinct() != release.distinct()
        {
            return f64::INFINITY;
        }
        let log_ratio = |((_, p), (_, q)): (&(u32, u64), &(u32, u64))| {
            let over = u128::from(*p) * u128::from(release.total());
            let under = u128::from(*q) * u128::from(group.total());
            (over as f64 / under as f64).ln().abs()
        };
        // Both sides hold the same codes in the same order.
        group.entries().iter().zip(release.entries()).map(log_ratio).fold(0.0, f64::max)
    }
}

impl Requirement for Disclosure {
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
        self.worst(group, release) < self.delta + TOLERANCE
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "delta", required: self.delta, direction: Direction::Below }]
    }
    fn measure(&self, group: &Summary, release: &Summary) -> Vec<f64> {
        vec![self.worst(group, release)]
    }
}
