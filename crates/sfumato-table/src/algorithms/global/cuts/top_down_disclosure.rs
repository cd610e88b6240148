//! Top-down disclosure: everything begins suppressed, and the values with the most information per
//! unit of anonymity are disclosed, one by one, while all requirements hold.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, OutOfCore, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use crate::algorithms::global::cuts::specialise::{Recipe, Score, Specialises, Way, specialise};

/// The algorithm `top-down-disclosure`, an entry of the registry.
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
    capabilities: Capabilities {
        serves: Fact::OF_CUTS,
        needs_monotone: true,
        ignores: &["max_suppression"],
        out_of_core: OutOfCore::ByCuts,
        anytime: true,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for TopDownDisclosure {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        Ok(Box::new(specialise(INFO.name, task, self.recipe(params, false)?)?))
    }
}

impl Specialises for TopDownDisclosure {
    fn recipe(&self, _: &Params, _: bool) -> Result<Recipe> {
        Ok(Recipe { score: Score::GainPerLoss, way: |_| Way::Disclosure })
    }
}
