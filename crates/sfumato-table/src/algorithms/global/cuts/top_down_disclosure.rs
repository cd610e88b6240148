//! Top-down disclosure: everything begins suppressed, and the values with the most information per
//! unit of anonymity are disclosed, one by one, while all requirements hold.

use sfumato_core::Result;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Scope, Task};

use crate::algorithms::global::cuts::specialise::{Score, Way, specialise};

/// The algorithm `top-down-disclosure`.
pub struct TopDownDisclosure;

static INFO: Info = Info {
    name: "top-down-disclosure",
    summary: "suppresses every value and discloses one after the other, by what is learnt for each \
        unit of anonymity lost",
    papers: &[Paper {
        authors: "K. Wang, B. C. M. Fung, P. S. Yu",
        title: "Handicapping attacker's confidence: an alternative to k-anonymization",
        venue: "Knowledge and Information Systems 11(3)",
        year: 2007,
    }],
    params: &[],
    doc: include_str!("top_down_disclosure.md"),
};

impl Algorithm for TopDownDisclosure {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn ignores(&self) -> &'static [&'static str] {
        &["max_suppression"]
    }

    fn serves(&self, _: &Scope) -> bool {
        true
    }

    fn needs_monotone(&self) -> bool {
        true
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        Ok(Box::new(specialise(INFO.name, task, Score::GainPerLoss, |_| Way::Disclosure)?))
    }
}
