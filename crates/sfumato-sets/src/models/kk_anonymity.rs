//! (k,k)-anonymity of baskets: both (k,1) and (1,k).

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{About, Disclosure, Info, Params};

use super::at_least::AtLeast;
use super::k1_anonymity::GIONIS;
use crate::traits::{SetModel, SetRequirement};

/// The model `kk-anonymity`, an entry of the registry.
pub struct KKAnonymity;

static INFO: Info = Info {
    name: "kk-anonymity",
    summary: "both: every published set has k supporters, every original record k images",
    papers: &[GIONIS],
    params: &[super::at_least::K],
    doc: "\
## What it promises

From a published set at least `k` people, from a person at least `k` published records: (k,1)- and \
(1,k)-anonymity together.

## Against whom it does not hold

Somebody who knows all original records and matches all of them at once: of `k` candidates some \
may be left out because they are needed elsewhere. k-anonymity
stops that too.

## Checking and cost

Those of `k1-anonymity` and `1k-anonymity` together.
",
    about: About {
        asks: &[Fact::Hiding(Hiding::Supporters), Fact::Hiding(Hiding::Images)],
        limits: &[Disclosure::Identity],
    },
    ..Info::DEFAULT
};

impl SetModel for KKAnonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(AtLeast::boxed(INFO.name, &[Hiding::Supporters, Hiding::Images], params))
    }
}
