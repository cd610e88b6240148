//! Nonreciprocal k-anonymity of tables: each record matches k published records, in k disjoint
//! assignments of all records.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::group::{Sampling, Summary};
use sfumato_core::registry::{About, Disclosure, Info, Paper, Params};
use sfumato_core::traits::{Bind, Direction, Measure, Model, Requirement, Scope};

use crate::models::bound;

/// The model `nonreciprocal-k-anonymity`, an entry of the registry.
pub struct NonreciprocalKAnonymity;

static INFO: Info = Info {
    name: "nonreciprocal-k-anonymity",
    summary: "every record matches the regions of k published ones, in k disjoint assignments of \
        all records",
    papers: &[
        Paper {
            authors: "A. Gionis, A. Mazza, T. Tassa",
            title: "k-Anonymization revisited",
            venue: "ICDE",
            year: 2008,
        },
        Paper {
            authors: "W. K. Wong, N. Mamoulis, D. W.-L. Cheung",
            title: "Non-homogeneous generalization in privacy preserving data publishing",
            venue: "SIGMOD",
            year: 2010,
        },
        Paper {
            authors: "M. Xue, P. Karras, C. Raissi, J. Vaidya, K.-L. Tan",
            title: "Anonymizing set-valued data by nonreciprocal recoding",
            venue: "KDD",
            year: 2012,
        },
    ],
    params: &[bound::K],
    doc: "\
## What it promises

A record matches a published one if every published quasi value covers its own. There are `k` ways \
to assign every original record to a
published one that it matches, no two of which assign any record alike, and one of them, drawn at \
random, is the truth. Somebody who knows the quasi
values of all people, and not which assignment was drawn, finds `k` published records for each, \
every one of which is the true one with
probability 1/`k`. So (k,k)-anonymity holds too: `k` people for each published record, `k` \
published records for each person.

k-anonymity is more: there the `k` are published alike. Classes of `k` people satisfy both, so \
every algorithm that makes classes serves this model;
`nonreciprocal-boxes` makes none, and loses less.

## What it does not stop

- Somebody who knows which published record is whose for some people can rule these out for \
others. A class would be left whole or lost whole.
- Somebody who counts assignments. All `k` that the release was made from are equally likely to \
have been drawn; the records admit other assignments
  than these, and how many of them have a certain match needn't be the same for all matches.
- Learning a sensitive value: the `k` published records may all have the same.
- Whoever knows the seed of the run. Without one the draw comes from the operating system.

## Parameters

`k` is the least number of published records that each original one matches. 1 asks for nothing.

## Cost

One look at each cell of n x `k` matches, in the written file, against the original and the graph \
of matches that the algorithm gives: each record has `k` different
matches, each published record is matched by `k` (then, by Koenig's theorem, there are `k` \
disjoint assignments), every cell of each match covers the
record's own, and the true one is a match. `audit --original` has no graph: it finds all matches, \
and looks for `k` of them for each record with a flow.
Where classes of `k` people are published, their sizes say all.

## Deviations

The papers ask it of bitmaps and of single columns; here it is asked of regions of all quasi \
columns. With a subject column only classes serve it, and people are
counted.

## Monotonicity

Monotone as a promise about classes: merging two never loses people.
",
    about: About { asks: &[Fact::Hiding(Hiding::Matches)], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl Model for NonreciprocalKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params, _: &Bind<'_>) -> Result<Vec<Box<dyn Requirement>>> {
        Ok(vec![Box::new(AtLeastKMatches { k: params.count("k"), text: params.describe() })])
    }
}

struct AtLeastKMatches {
    k: u64,
    text: String,
}

impl Requirement for AtLeastKMatches {
    fn describe(&self) -> String {
        self.text.clone()
    }
    fn model(&self) -> &'static str {
        INFO.name
    }
    fn scope(&self) -> Scope {
        Scope::Matches
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
