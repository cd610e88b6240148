//! (alpha,k)-anonymity: every class has k people, and at most a share alpha of them has the same
//! sensitive value.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{
    About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params, Probe, ProbedColumns,
};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;
use crate::models::confidence::{self, Watched};
use crate::models::exact::Ratio;

/// The model `alpha-k-anonymity`, an entry of the registry.
pub struct AlphaKAnonymity;

static INFO: Info = Info {
    name: "alpha-k-anonymity",
    summary: "every class has at least k people, of whom at most a share alpha has any one \
        sensitive value",
    papers: &[Paper {
        authors: "R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang",
        title: "(alpha, k)-anonymity: an enhanced k-anonymity model for privacy-preserving data \
            publishing",
        venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining (KDD)",
        year: 2006,
    }],
    params: &[
        ParamSpec::required(
            "alpha",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest share of a class's people with the same value",
        ),
        bound::K,
        bound::ON,
        confidence::VALUES,
    ],
    doc: "\
## What it promises

Whoever knows a person's quasi values finds at least `k` people who look the same, and can \
conclude a guarded
value of that person with a confidence of at most `alpha`.

## What it does not stop

Other knowledge about people of the class sharpens the guess. Several values that mean nearly the \
same are
bounded one by one, not together.

## Parameters

`alpha` is read as an exact decimal. `k` is the least number of people. `values` lists the values \
to guard;
without it all values of the column are guarded, a missing value included. `on` names the \
sensitive column.

## Cost

One histogram per class. Compared in whole numbers: a share of exactly `alpha` passes.

## Deviations

With a subject column a share is the people who have the value over the people of the class.

## Monotonicity

Monotone with one record per person: the share in a union lies between the shares in its parts. \
Not monotone
with a subject column: two classes of the same two people, one ill in each, merge to a class where \
both are.
",
    about: About {
        asks: &[Fact::SensitiveValues],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    probes: &[Probe { args: "alpha=1, k=1", on: ProbedColumns::All, variant: "" }],
    ..Info::DEFAULT
};

impl Model for AlphaKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (alpha, k) = (Ratio::of_param(&INFO, params, "alpha")?, params.count("k"));
        bound::per_column(&INFO, params, bind, |column, text| {
            let watched = Watched::of_params(&INFO, params, bind, column)?;
            Ok(Box::new(AlphaK { alpha, k, watched, column, text }))
        })
    }
}

struct AlphaK {
    alpha: Ratio,
    k: u64,
    watched: Watched,
    column: usize,
    text: String,
}

impl AlphaK {
    fn max_count(&self, group: &Summary) -> u64 {
        self.watched.max_count(bound::histogram(group, self.column))
    }
}

impl Requirement for AlphaK {
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
        group.people >= self.k
            && confidence::within(self.max_count(group), group.people, self.alpha)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![
            Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast },
            Measure { name: "alpha", required: self.alpha.to_f64(), direction: Direction::AtMost },
        ]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64, confidence::confidence(self.max_count(group), group.people)]
    }
    fn min_people(&self) -> u64 {
        self.k.max(self.watched.min_people(self.alpha))
    }
}
