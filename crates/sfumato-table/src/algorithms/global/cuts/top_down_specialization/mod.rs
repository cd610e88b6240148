//! Top-down specialization: every column begins at the root of its tree, and the best
//! specialization that leaves all groups publishable is performed until there is none.

use sfumato_core::dataset::Role;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, OutOfCore, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, Result};

use crate::algorithms::global::cuts::specialise::score::Reading;
use crate::algorithms::global::cuts::specialise::{Recipe, Score, Specialises, Way, specialise};

/// The algorithm `top-down-specialization`, an entry of the registry.
pub struct TopDownSpecialization;

static INFO: Info = Info {
    name: "top-down-specialization",
    summary: "starts at the roots of all trees and specialises one value at a time, the most \
        telling one that stays safe",
    papers: &[
        Paper {
            authors: "B. C. M. Fung, K. Wang, P. S. Yu",
            title: "Top-down specialization for information and privacy preservation",
            venue: "IEEE International Conference on Data Engineering (ICDE)",
            year: 2005,
        },
        Paper {
            authors: "N. Mohammed, B. C. M. Fung, P. C. K. Hung, C. Lee",
            title: "Anonymizing healthcare data: a case study on the blood transfusion service",
            venue: "ACM SIGKDD International Conference on Knowledge Discovery and Data Mining \
                (KDD)",
            year: 2009,
        },
    ],
    params: &[ParamSpec::optional(
        "score",
        ParamKind::Choice(&["info-gain", "igpl", "dm-after", "dm-before", "dm-reduction"]),
        "which specialization is best; info-gain with a target column, dm-reduction without one, \
            unless given",
    )],
    doc: include_str!("top_down_specialization.md"),
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

impl Algorithm for TopDownSpecialization {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let has_target = task.table.of_role(Role::Target).next().is_some();
        let recipe = self.recipe(params, has_target)?;
        Ok(Box::new(specialise(INFO.name, task, recipe)?))
    }
}

impl Specialises for TopDownSpecialization {
    fn recipe(&self, params: &Params, has_target: bool) -> Result<Recipe> {
        let score = match (params.text("score"), has_target) {
            (Some("info-gain"), false) => {
                return Err(Error::params(
                    "top-down-specialization(score=info-gain) needs a target column",
                )
                .hint(
                    "give the column that shall be predicted the role target, or use \
                            score=dm-reduction",
                ));
            }
            (Some("info-gain"), true) | (None, true) => Score::Gain,
            (Some("igpl"), _) => Score::GainPerLoss,
            (Some("dm-after"), _) => Score::Discernibility(Reading::After),
            (Some("dm-before"), _) => Score::Discernibility(Reading::Before),
            _ => Score::Discernibility(Reading::Reduction),
        };
        Ok(Recipe { score, way: |_| Way::Tree })
    }
}
