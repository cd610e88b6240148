//! k-anonymity of baskets: every published set occurs at least k times.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{About, Disclosure, Info, Paper, Params};

use super::at_least::AtLeast;
use crate::traits::{SetModel, SetRequirement};

/// The model `k-anonymity`, an entry of the registry.
pub struct SetKAnonymity;

static INFO: Info = Info {
    name: "k-anonymity",
    summary: "every published set is the set of at least k published records",
    papers: &[Paper {
        authors: "B. Podgursky",
        title: "Practical k-anonymity on large datasets",
        venue: "Master's thesis, Vanderbilt University",
        year: 2011,
    }],
    params: &[super::at_least::K],
    doc: "\
## What it promises

Whoever sees the published set of a person, or knows all items of that person, finds at least `k` \
records with the same published set: a record is
linked to a person with a probability of at most `1/k`. It also gives (k,1)-, (1,k)- and \
(k,k)-anonymity, because the `k` records that are
published alike all contain what is published.

## What it does not stop

Learning items: all that is published of a class is true of everybody in it. Items of the role \
`sensitive` are published as they are, and no
count speaks of them.

## The empty set

A record that is published without any item counts as suppressed, and the report says how many \
there are. The empty set is a published set
like others: there are at least `k` records with it, or none.

## Cost

One count per published set. Sets are compared in full.
",
    about: About { asks: &[Fact::Hiding(Hiding::Copies)], limits: &[Disclosure::Identity] },
    properties: super::properties::K_ANONYMITY,
    ..Info::DEFAULT
};

impl SetModel for SetKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(AtLeast::boxed(INFO.name, &[Hiding::Copies], params))
    }
}
