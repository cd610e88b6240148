//! The facts of generalized baskets: copies and combinations of nodes, from the file alone. Whoever
//! knows items of a person looks for the nodes above them.

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Hiding, Least, SubsetFacts};

use crate::forms::combinations::Combinations;
use crate::forms::subsets::facts::least;

/// Published rows of nodes.
pub(super) struct Stated<'a> {
    /// The rows.
    pub combinations: Combinations<'a>,
}

impl Facts for Stated<'_> {
    fn release(&self) -> &'static str {
        "a release of generalized baskets"
    }
    fn least(&self, hiding: Hiding, required: u64) -> Result<Option<Least>> {
        Ok(match hiding {
            Hiding::Copies => {
                let copies = self.combinations.alike.copies.iter();
                Some(least(copies.map(|copies| u64::from(*copies)), required))
            }
            Hiding::Supporters | Hiding::Images => None,
            Hiding::Bystanders | Hiding::Matches | Hiding::Labels | Hiding::Askers => None,
        })
    }
    fn subsets(&self) -> Option<&dyn SubsetFacts> {
        Some(&self.combinations)
    }
}
