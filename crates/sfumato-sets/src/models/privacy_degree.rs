//! Privacy degree: an attacker who finds a record in its group can't say with a probability above
//! 1/p which sensitive item it has.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use super::at_least::AtLeast;
use crate::traits::{SetModel, SetRequirement};

/// The model `privacy-degree`, an entry of the registry.
pub struct PrivacyDegree;

static INFO: Info = Info {
    name: "privacy-degree",
    summary: "in every group at most one in p records has the same sensitive item",
    papers: &[Paper {
        authors: "G. Ghinita, Y. Tao, P. Kalnis",
        title: "On the anonymization of sparse high-dimensional data",
        venue: "IEEE International Conference on Data Engineering",
        year: 2008,
    }],
    params: &[ParamSpec::required(
        "p",
        ParamKind::Integer { min: 2, max: 1_000_000_000 },
        "how many records a group must have for each that has a sensitive item",
    )],
    doc: "\
## What it promises

Records are published in groups: their harmless items as they are, the sensitive items of a group \
only as counts. Whoever knows which record is
somebody's finds that at most one in `p` records of its group has any given sensitive item, so \
they can say with at most 1/`p` that it is
theirs.

## Against whom it does not hold

- Nobody hides in a group: the harmless items are published exactly, and with a few of them known \
a record is found. That somebody is in the data is no secret.
- Somebody who knows which sensitive items some of the group have: each one that is known leaves \
fewer records for the others.
- Somebody who learns from many groups how harmless and sensitive items go together (the deFinetti \
attack): correlation is what the release is meant to keep.
- Different sensitive items add up: a group of `p` records may have `p` of them, one each, and \
then everybody is known to have one.
- The absence of an item: a group without it says that nobody in it has it.

## Checking

In the written files alone: for every group the records are counted, and for every sensitive item \
that it has, records must be at least `p` times
its count. Counts are compared exactly. Where an item is in more than one of `p` records of the \
data, no grouping has the degree, and the run says how many
such items there are.

## Cost

One pass over the groups.
",
    about: About { asks: &[Fact::Hiding(Hiding::Bystanders)], limits: &[Disclosure::Attribute] },
    properties: super::properties::PRIVACY_DEGREE,
    ..Info::DEFAULT
};

impl SetModel for PrivacyDegree {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<Box<dyn SetRequirement>> {
        Ok(AtLeast::boxed_by("p", INFO.name, &[Hiding::Bystanders], params))
    }
}
