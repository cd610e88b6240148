//! The facts of bucket releases: how many records of a group there are for each that has a
//! sensitive item. Harmless items are published as they are, so no record hides among copies.

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Hiding, Least};

use super::linked::Linked;
use crate::data::{Degree, degree_of};

/// Groups and the counts of their sensitive items.
pub struct Stated<'a> {
    /// The content of the files.
    pub linked: &'a Linked,
}

impl Facts for Stated<'_> {
    fn release(&self) -> &'static str {
        "a release of buckets"
    }

    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        Ok(match hiding {
            Hiding::Bystanders => Some(self.bystanders(required)),
            Hiding::Copies
            | Hiding::Supporters
            | Hiding::Images
            | Hiding::Matches
            | Hiding::Labels
            | Hiding::Askers => None,
        })
    }
}

impl Stated<'_> {
    /// The privacy degree. `None` if no group has a sensitive item.
    pub fn degree(&self) -> Option<Degree> {
        degree_of(self.linked.groups.sizes(), &self.linked.counts, 1).map(|(degree, _)| degree)
    }

    /// The degree rounded down to whole records, since it is a quotient. If no group has a
    /// sensitive item, it is the number of all records.
    fn bystanders(&self, required: u64) -> Least {
        match degree_of(self.linked.groups.sizes(), &self.linked.counts, required) {
            Some((degree, violations)) => {
                Least { least: u64::from(degree.size / degree.count), violations }
            }
            None => Least { least: self.linked.quasi.len() as u64, violations: 0 },
        }
    }
}
