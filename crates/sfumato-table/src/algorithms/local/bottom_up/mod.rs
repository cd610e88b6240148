//! Bottom-up local recoding (Xu et al. 2006): every distinct record begins as its own group, and a
//! group that can't be published yet merges with the group whose union with it costs least.

mod groups;
mod halve;

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Task};

use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::local;
use crate::algorithms::shared::points::Points;
use crate::algorithms::shared::progress::Progress;
use groups::Groups;

/// The algorithm `bottom-up`, an entry of the registry.
pub struct BottomUp;

static INFO: Info = Info {
    name: "bottom-up",
    summary: "merges groups that are too small with the group that makes the cheapest union, and \
        splits those that grew too large",
    papers: &[Paper {
        authors: "J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu",
        title: "Utility-based anonymization using local recoding",
        venue: "KDD",
        year: 2006,
    }],
    params: &[ParamSpec::with_default(
        "partner",
        ParamKind::Choice(&["union", "growth"]),
        "union",
        "whether a group merges where the union costs least, or where it adds least to what the \
            partner costs already",
    )],
    doc: include_str!("bottom_up.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for BottomUp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        let by_growth = params.text("partner") == Some("growth");
        local::anonymize(self, task, |task, space, judge, progress| {
            let points = Points::new(task, space);
            points.check_size(INFO.name)?;
            clusters(&points, judge, by_growth, progress)
        })
    }
}

/// Merge until every group may be published or one group is left.
fn clusters(
    points: &Points<'_>,
    judge: &Judge<'_>,
    by_growth: bool,
    progress: &mut Progress<'_>,
) -> Result<Vec<Vec<u32>>> {
    let mut groups = Groups::new(points, judge, by_growth);
    loop {
        groups.forget_merged();
        let small: Vec<usize> = (0..groups.len()).filter(|&group| !groups.holds(group)).collect();
        if small.is_empty() || groups.len() == 1 {
            return Ok(groups.into_rows());
        }
        for group in small {
            // It may have been taken by another of this round.
            if groups.is_merged(group) || groups.holds(group) {
                continue;
            }
            let Some(partner) = groups.cheapest_partner(group) else {
                return Ok(groups.into_rows());
            };
            groups.merge(group, partner);
            groups.split_if_large(group);
            progress.reach(groups.settled())?;
        }
    }
}

#[cfg(test)]
mod tests;
