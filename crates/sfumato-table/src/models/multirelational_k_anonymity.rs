//! Multi-relational k-anonymity: all rows of an owner together are those of at least k owners.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::group::Summary;
use sfumato_core::registry::{About, Disclosure, Info, Paper, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};

use crate::models::bound;

/// The model `multirelational-k-anonymity`, an entry of the registry.
pub struct MultirelationalKAnonymity;

static INFO: Info = Info {
    name: "multirelational-k-anonymity",
    summary: "all rows of an owner together are those of at least k owners",
    papers: &[Paper {
        authors: "M. E. Nergiz, C. Clifton, A. E. Nergiz",
        title: "MultiRelational k-Anonymity",
        venue: "IEEE International Conference on Data Engineering",
        year: 2007,
    }],
    params: &[bound::K],
    doc: "\
## What it promises

Several rows belong to one person, the owner, who is named by the subject column. Somebody sees \
which rows belong together, as in tables that are linked by a number in place of the name, and
knows all quasi values in all rows of a person. At least `k` owners have the same published rows, \
each as often, so that no owner is told from the others.

k-anonymity with a subject column says less: each row is one of rows of `k` people, but these \
needn't have the person's other rows.

## What it does not stop

Learning a sensitive value, in whichever row.

## Parameters

`k` is the least number of owners.

## Cost

One sort of the rows by owner and class.

## Deviations

The book names the model without defining it. Here a table has a row for each row of an owner, \
with the owner's columns repeated (the join of a person table with one that refers to it); several \
such tables are joined first. An audit is told with `--subject` which published column links the \
rows of an owner. A run that drops its subject column and shuffles the rows publishes less than is \
judged.

No algorithm searches for it: whichever was chosen is judged, and nothing is written where it \
fails. A table that is published as one class holds if `k` owners have as many rows.

## Monotonicity

Merging classes never makes owners differ who didn't before.
",
    about: About { asks: &[Fact::Owners], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl Model for MultirelationalKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, _: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        Ok(vec![Box::new(Alike { k: params.count("k"), text: params.describe() })])
    }
}

struct Alike {
    k: u64,
    text: String,
}

impl Requirement for Alike {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        Scope::Owners
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_absorbing(&self) -> bool {
        true
    }
    // What a class says is nothing of the other rows of its owners: that is judged apart.
    fn holds(&self, _: &Summary, _: &Summary) -> bool {
        true
    }
    fn measures(&self) -> Vec<Measure> {
        vec![Measure { name: "k", required: self.k as f64, direction: Direction::AtLeast }]
    }
    fn measure(&self, _: &Summary, _: &Summary) -> Vec<f64> {
        vec![f64::INFINITY]
    }
    fn owners(&self) -> u64 {
        self.k
    }
    fn is_count_only(&self) -> bool {
        true
    }
}
