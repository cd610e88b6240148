//! p-sensitive k-anonymity: k people and p different sensitive values in every class.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;

/// The model `p-sensitive-k-anonymity`, an entry of the registry.
pub struct PSensitiveKAnonymity;

static INFO: Info = Info {
    name: "p-sensitive-k-anonymity",
    summary: "every class has at least k people and at least p different sensitive values",
    papers: &[Paper {
        authors: "T. M. Truta, B. Vinay",
        title: "Privacy protection: p-sensitive k-anonymity property",
        venue: "International Conference on Data Engineering Workshops (ICDEW)",
        year: 2006,
    }],
    params: &[
        ParamSpec::required(
            "p",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different values",
        ),
        bound::K,
        bound::ON,
    ],
    doc: "\
## What it promises

Whoever knows a person's quasi values finds at least `k` people who look the same, and among them \
at least `p`
different sensitive values.

## What it does not stop

Guessing well: one of the `p` values may be held by nearly everybody. Values that are close in \
meaning count
as different.

## Parameters

`k` is the least number of people, `p` the least number of different values (usually `p <= k`). A \
missing
value counts as a value of its own. `on` names the sensitive column.

## Cost

One histogram per class; the check itself is two comparisons.

## Deviations

The model is k-anonymity and distinct l-diversity in one. With a subject column a class must have \
at least `p`
people as well: one person with `p` diseases is nobody's cover. That matters only where `p > k`.

## Monotonicity

Monotone, with or without a subject column: merging loses neither values nor people.
",
    about: About {
        asks: &[Fact::SensitiveValues],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl Model for PSensitiveKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, bind: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        let (p, k) = (params.count("p"), params.count("k"));
        bound::per_column(&INFO, params, bind, |column, text| {
            Ok(Box::new(PSensitive { p, k, column, text }))
        })
    }
}

struct PSensitive {
    p: u64,
    k: u64,
    column: usize,
    text: String,
}

impl PSensitive {
    fn values(&self, group: &Summary) -> u64 {
        (bound::histogram(group, self.column).distinct() as u64).min(group.people)
    }
}

impl Requirement for PSensitive {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    fn histograms(&self) -> Vec<usize> {
        vec![self.column]
    }
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.k && self.values(group) >= self.p
    }
    fn measures(&self) -> Vec<Measure> {
        vec![
            Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast },
            Measure { name: "p", required: self.p as f64, direction: Direction::AtLeast },
        ]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64, self.values(group) as f64]
    }
    fn min_people(&self) -> u64 {
        self.k.max(self.p)
    }
}
