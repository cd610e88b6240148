//! Top-down refinement (Fung, Wang and Yu): specialization for columns with a tree, splits for
//! ordered columns, disclosure value by value for words without a tree, all by the gain per unit of
//! lost anonymity.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, OutOfCore, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use crate::algorithms::global::cuts::specialise::{Recipe, Score, Specialises, Way, specialise};

/// The algorithm `top-down-refinement`, an entry of the registry.
pub struct TopDownRefinement;

static INFO: Info = Info {
    name: "top-down-refinement",
    summary: "refines trees, ranges and suppressed values together, by what is learnt for each \
        unit of anonymity lost",
    papers: &[Paper {
        authors: "B. C. M. Fung, K. Wang, P. S. Yu",
        title: "Anonymizing classification data for privacy preservation",
        venue: "IEEE Transactions on Knowledge and Data Engineering 19(5)",
        year: 2007,
    }],
    params: &[],
    doc: include_str!("top_down_refinement.md"),
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

impl Algorithm for TopDownRefinement {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        Ok(Box::new(specialise(INFO.name, task, self.recipe(params, false)?)?))
    }
}

impl Specialises for TopDownRefinement {
    fn recipe(&self, _: &Params, _: bool) -> Result<Recipe> {
        let way = |column: &Column| match column.hierarchy.is_none()
            && !column.domain.kind.is_ordered()
        {
            true => Way::Disclosure,
            false => Way::Tree,
        };
        Ok(Recipe { score: Score::GainPerLoss, way })
    }
}
