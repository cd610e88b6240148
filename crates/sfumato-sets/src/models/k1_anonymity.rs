//! (k,1)-anonymity of baskets: every published set is contained in at least k original records.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{About, Disclosure, Info, Paper, Params};

use super::at_least::AtLeast;
use crate::traits::{SetModel, SetRequirement};

/// The model `k1-anonymity`, an entry of the registry.
pub struct K1Anonymity;

pub(super) const GIONIS: Paper = Paper {
    authors: "A. Gionis, A. Mazza, T. Tassa",
    title: "k-anonymization revisited",
    venue: "IEEE International Conference on Data Engineering",
    year: 2008,
};

static INFO: Info = Info {
    name: "k1-anonymity",
    summary: "every published set is contained in at least k original records",
    papers: &[
        GIONIS,
        Paper {
            authors: "B. Podgursky",
            title: "Practical k-anonymity on large datasets",
            venue: "Master's thesis, Vanderbilt University",
            year: 2011,
        },
    ],
    params: &[super::at_least::K],
    doc: "\
## What it promises

Whoever sees a published set, and knows all original records, finds at least `k` people that it \
could be the set of. It is meant for sets that are
handed out one at a time, such as one that is stored in a person's browser.

## Against whom it does not hold

- Somebody who has the whole release and knows the items of one person: that person's own \
published record may be the only one that their
  items contain. (1,k)-anonymity is about that; k-anonymity and (k,k)-anonymity stop both.
- Somebody who collects several sets of one person: together they are again a subset of that \
person's items, and fewer than `k` others may share it.
  `sfumato serve-sets` gives out only subsets of one set for each person.
- Somebody who knows how sets were chosen, where the choice isn't random: among the `k` candidates \
only one may be given just this set.

## Checking

Against the original: for each published set its supporters are counted until there are `k`. An \
algorithm may name them; whoever is named is
looked at, not believed.

## Cost

With named supporters k containment tests per set; without, the records of its rarest item are \
searched.
",
    about: About { asks: &[Fact::Hiding(Hiding::Supporters)], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl SetModel for K1Anonymity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(AtLeast::boxed(INFO.name, &[Hiding::Supporters], params))
    }
}
