//! What a release of documents can state: how many others could be meant instead of a protected
//! entity.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::facts::{Facts, Least, Together};

use crate::algorithms::bits::Bits;
use crate::algorithms::problem::Problems;
use crate::data::{Corpus, Entities};

/// Documents as they are published, and what is known of entities.
pub struct DocumentFacts<'a> {
    /// The documents.
    pub corpus: &'a Corpus,
    /// The entities, if any are named.
    pub entities: Option<&'a Entities>,
}

impl Facts for DocumentFacts<'_> {
    fn release(&self) -> &'static str {
        match self.entities {
            Some(_) => "a release of documents",
            None => "a release of documents without a file of entities",
        }
    }
    fn covers(&self, together: Together, required: u64) -> Result<Option<Least>> {
        let Some(entities) = self.entities else { return Ok(None) };
        let is_known = self.corpus.documents.iter().all(|document| document.subject.is_some());
        if together == Together::Subject && !is_known {
            return Ok(None);
        }
        let documents = &self.corpus.documents;
        let terms: Vec<Vec<u32>> =
            documents.par_iter().map(|document| entities.terms_of(&document.text)).collect();
        let least = self
            .corpus
            .groups(together)
            .par_iter()
            .map_init(
                || Problems::new(entities),
                |problems, group| {
                    let of = |document: &u32| terms[*document as usize].iter().copied();
                    let mut terms: Vec<u32> = group.iter().flat_map(of).collect();
                    terms.sort_unstable();
                    terms.dedup();
                    let problem = problems.of(&terms, required);
                    problem.least_covers(&Bits::full(terms.len()), required)
                },
            )
            .reduce(|| (required, 0), |one, other| (one.0.min(other.0), one.1 + other.1));
        Ok(Some(Least { least: least.0, violations: least.1 }))
    }
}
