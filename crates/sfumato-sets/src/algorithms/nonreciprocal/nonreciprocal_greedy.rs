//! The algorithm `nonreciprocal-greedy`: each record matches the nearest published records along a
//! cyclic order whose labels differ.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::recoding::Finding;
use sfumato_core::registry::{Capabilities, Info, Params};

use super::greedy_pick::greedy_matches;
use super::mend::mend;
use super::order_params::{PAPERS, PARAMS, ordered};
use super::recode::recode_as;
use crate::traits::{BitmapAlgorithm, BitmapDecision, BitmapTask};
use sfumato_kernels::nonreciprocal::{RandomStream, extraction};

/// The algorithm `nonreciprocal-greedy`, an entry of the registry.
pub struct NonreciprocalGreedy;

static INFO: Info = Info {
    name: "nonreciprocal-greedy",
    summary: "each record is hidden by the nearest along a cyclic order that have different \
        sensitive items",
    papers: PAPERS,
    params: PARAMS,
    doc: include_str!("nonreciprocal_greedy.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Matches), Fact::Hiding(Hiding::Labels)],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl BitmapAlgorithm for NonreciprocalGreedy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &BitmapTask<'_>) -> Result<BitmapDecision> {
        // Where no labels are given, none are alike.
        let own: Vec<u32>;
        let labels = match task.labels {
            Some(labels) => labels,
            None => {
                own = (0..task.sets.len() as u32).collect();
                &own
            }
        };
        let (found, mut findings) = ordered(params, task)?;
        let mut random = RandomStream::from_key(task.key);
        let matches = greedy_matches(task.sets, &found.order, labels, task.k, &mut random)?;
        task.check_cancelled()?;
        let assignment = extraction::draw_along(&matches, &found.order, &mut random);
        let mended = mend(&matches, labels, &found.order, &assignment, &mut random)?;
        findings.push(Finding { name: "alike_after_draw", value: mended.alike as f64 });
        findings.push(Finding { name: "exchanged_matches", value: mended.exchanged as f64 });
        task.check_cancelled()?;
        let recoded = recode_as(task.sets, &mended.matches, &assignment, &mut random)?;
        Ok(BitmapDecision { bitmaps: recoded.bitmaps, matches: recoded.matches, findings })
    }
}
