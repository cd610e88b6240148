//! Nonreciprocal l-diversity of baskets: the l published records that a record matches have
//! different sensitive items.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};

use super::at_least::AtLeast;
use super::nonreciprocal_k_anonymity::XUE;
use crate::traits::{SetModel, SetRequirement};

/// The model `nonreciprocal-l-diversity`, an entry of the registry.
pub struct NonreciprocalLDiversity;

static INFO: Info = Info {
    name: "nonreciprocal-l-diversity",
    summary: "every record matches l published records, in l disjoint assignments, and no two of \
        them have the same sensitive item",
    papers: &[XUE],
    params: &[ParamSpec::required(
        "l",
        ParamKind::Integer { min: 2, max: 1_000_000_000 },
        "how many published records with different sensitive items each record must match",
    )],
    doc: "\
## What it promises

What `nonreciprocal-k-anonymity` does with k = `l`, and that no two of the `l` published records \
that somebody matches have the same sensitive item: none can be
said to be theirs with more than 1/`l`. A record has at most one sensitive item. One that has none \
stands for itself: any number of those may be matched, as nothing is
learnt from them but that there may be nothing to learn.

## Against whom it does not hold

- All that is said at `nonreciprocal-k-anonymity`.
- Somebody who knows how labels went into the choice of matches. The paper looks at labels before \
an assignment is drawn; drawing moves them, and
  of the published records that somebody matches two may then have the same. We promise it of the \
  release: after the draw, a record whose matches
  have the same item twice exchanges one of them that isn't the true one with another record. A \
  match that came in so was never drawn: who could tell it from the
  others would guess with more than 1/`l`.

## Checking

In the written files, like `nonreciprocal-k-anonymity`, and the sensitive items of the `l` matches \
are compared.

## Cost

Like `nonreciprocal-k-anonymity`.
",
    about: About {
        asks: &[Fact::Hiding(Hiding::Matches), Fact::Hiding(Hiding::Labels)],
        limits: &[Disclosure::Identity, Disclosure::Attribute],
    },
    ..Info::DEFAULT
};

impl SetModel for NonreciprocalLDiversity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(AtLeast::boxed_by("l", INFO.name, &[Hiding::Matches, Hiding::Labels], params))
    }
}
