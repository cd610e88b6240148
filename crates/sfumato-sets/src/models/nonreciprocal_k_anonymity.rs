//! Nonreciprocal k-anonymity of baskets: each record is a possible world of k published records, in
//! k disjoint assignments of all records.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{About, Disclosure, Info, Paper, Params};

use super::at_least::AtLeast;
use crate::traits::{SetModel, SetRequirement};

/// The model `nonreciprocal-k-anonymity`, an entry of the registry.
pub struct NonreciprocalKAnonymity;

/// The paper of both models.
pub(super) const XUE: Paper = Paper {
    authors: "M. Xue, P. Karras, C. Raissi, J. Vaidya, K.-L. Tan",
    title: "Anonymizing set-valued data by nonreciprocal recoding",
    venue: "KDD",
    year: 2012,
};

static INFO: Info = Info {
    name: "nonreciprocal-k-anonymity",
    summary: "every record is a possible world of k published records, in k disjoint assignments \
        of all records",
    papers: &[XUE],
    params: &[super::at_least::K],
    doc: "\
## What it promises

Published records are bitmaps: a base set, the items in which it may be wrong, and in how many of \
them at most. A record matches a published one if it is
among its possible worlds. There are `k` ways to assign every original record to a published one \
that it matches, no two of which assign any
record alike, and one of them, drawn at random, is the truth. Somebody who knows the items of all \
records, and not which assignment was drawn,
finds `k` published records for each, every one of which is the true one with probability 1/`k`.

Nobody hides in a group: the `k` records that match a published one match others as well. That is \
why less has to be changed than for k-anonymity.

## Against whom it does not hold

- Somebody who knows the true match of some records can rule these out for others: a group would \
be left whole or lost whole, here every known match takes a little.
- Somebody who counts assignments. All `k` that the release was made from are equally likely to \
have been drawn; the records admit other assignments
  than these, and how many of them have a certain match needn't be the same for all matches. \
  Counting them is hard (#P-complete), estimating may be less so.
- Sensitive items go with the drawn record. The `k` published records that somebody matches may \
all have the same: see `nonreciprocal-l-diversity`.
- Whoever knows the seed of the run. Without one, choices come from the operating system.

## Checking

In the written files, against the original and the graph of matches that the algorithm gives: each \
record has `k` different matches, each published record is
matched by `k` (then, by Koenig's theorem, there are `k` disjoint assignments), each match is \
among the possible worlds as read from the files, and the true one
is a match. `audit --original` has no graph: it finds all matches, and looks for `k` of them for \
each record with a flow.

## Cost

One look at each of n x `k` matches; an audit looks at all pairs of records that share their \
rarest item.
",
    about: About { asks: &[Fact::Hiding(Hiding::Matches)], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl SetModel for NonreciprocalKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(AtLeast::boxed(INFO.name, &[Hiding::Matches], params))
    }
}
