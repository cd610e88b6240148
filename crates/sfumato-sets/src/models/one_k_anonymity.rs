//! (1,k)-anonymity of baskets: every original record contains at least k published sets.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{About, Disclosure, Info, Params};

use super::at_least::AtLeast;
use super::k1_anonymity::GIONIS;
use crate::traits::{SetModel, SetRequirement};

/// The model `1k-anonymity`, an entry of the registry.
pub struct OneKAnonymity;

static INFO: Info = Info {
    name: "1k-anonymity",
    summary: "every original record contains the sets of at least k published records",
    papers: &[GIONIS],
    params: &[super::at_least::K],
    doc: "\
## What it promises

Whoever knows all items of one person, and has the release, finds at least `k` published records \
that could be that person's.

## Against whom it does not hold

Somebody who knows all original records: a published set may still be contained in one of them \
only ((k,1)-anonymity is about that). And a
release of empty sets has the property without saying anything: look at what was kept.

## Checking

Against the original: for each record its images, published records whose set it contains, are \
counted until there are `k`.

## Cost

A walk over the published sets, as a tree, for each different record.
",
    about: About { asks: &[Fact::Hiding(Hiding::Images)], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl SetModel for OneKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(AtLeast::boxed(INFO.name, &[Hiding::Images], params))
    }
}
