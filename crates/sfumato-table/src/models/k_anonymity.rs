//! k-anonymity: every class has at least k people.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::group::{Sampling, Summary};
use sfumato_core::registry::{About, Disclosure, Info, Paper, Params, Probe, ProbedColumns};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement};

use crate::models::bound;

/// The model `k-anonymity`, an entry of the registry.
pub struct KAnonymity;

static INFO: Info = Info {
    name: "k-anonymity",
    summary: "every class has at least k people",
    papers: &[
        Paper {
            authors: "P. Samarati",
            title: "Protecting respondents' identities in microdata release",
            venue: "IEEE Transactions on Knowledge and Data Engineering 13(6)",
            year: 2001,
        },
        Paper {
            authors: "L. Sweeney",
            title: "k-anonymity: a model for protecting privacy",
            venue: "International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems \
                10(5)",
            year: 2002,
        },
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Workload-aware anonymization techniques for large-scale datasets",
            venue: "ACM Transactions on Database Systems 33(3)",
            year: 2008,
        },
    ],
    params: &[bound::K],
    doc: "\
## What it promises

Whoever knows all quasi values of a person finds at least `k` people in the release who look the \
same, so a
record can be linked to that person with a probability of at most `1/k`.

## What it does not stop

Learning a sensitive value. If all people of a class have the same disease, it is known without \
telling them
apart (homogeneity), and other knowledge can rule values out. Add a model about sensitive values.

## Parameters

`k` is the least number of people in a class. 1 asks for nothing.

## Cost

One comparison per class. No histogram is counted.

From a sample of `n` of `N` records a part of a split into `m` is taken to have `k` people if its \
share of the
sample exceeds `p = k / N` by at least `z` times the root of `p (1 - p) / (n - 1) * (N - n) / N`, \
where `z` leaves
`alpha / m` of the normal distribution above it (the third paper's test).

## Deviations

None with one record per person. From a sample, `k` people that were drawn are enough whatever the \
test says. With a subject column distinct people are counted instead of records: `k`
records of one patient are one person.

## Monotonicity

Monotone, with or without a subject column: merging two classes never loses people.
",
    about: About { asks: &[Fact::Classes], limits: &[Disclosure::Identity] },
    probes: &[Probe { args: "k=1", on: ProbedColumns::None, variant: "" }],
    ..Info::DEFAULT
};

impl Model for KAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, _: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        Ok(vec![Box::new(AtLeastK { k: params.count("k"), text: params.describe() })])
    }
}

struct AtLeastK {
    k: u64,
    text: String,
}

impl Requirement for AtLeastK {
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
    fn holds(&self, group: &Summary, _: &Summary) -> bool {
        group.people >= self.k
    }
    fn likely(&self, sample: &Summary, _: &Summary, sampling: &Sampling, n_parts: usize) -> bool {
        sampling.enough(sample, self.k, n_parts)
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, group: &Summary, _: &Summary) -> Vec<f64> {
        vec![group.people as f64]
    }
    fn min_people(&self) -> u64 {
        self.k
    }
    fn is_count_only(&self) -> bool {
        true
    }
}
