//! The algorithm `nonreciprocal-ring`: along a cyclic order each record matches itself and its k -
//! 1 successors.

use sfumato_core::Result;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Capabilities, Info, Params};

use super::order_params::{PAPERS, PARAMS, ordered};
use super::recode::recode_as;
use crate::traits::{BitmapAlgorithm, BitmapDecision, BitmapTask};
use sfumato_kernels::nonreciprocal::ring::ring;
use sfumato_kernels::nonreciprocal::{RandomStream, extraction};

/// The algorithm `nonreciprocal-ring`, an entry of the registry.
pub struct NonreciprocalRing;

static INFO: Info = Info {
    name: "nonreciprocal-ring",
    summary: "puts records into a cyclic order of small steps; each is hidden by itself and the k \
        - 1 after it",
    papers: PAPERS,
    params: PARAMS,
    doc: include_str!("nonreciprocal_ring.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Matches)],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl BitmapAlgorithm for NonreciprocalRing {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &BitmapTask<'_>) -> Result<BitmapDecision> {
        let (found, findings) = ordered(params, task)?;
        let matches = ring(&found.order, task.k)?;
        let mut random = RandomStream::from_key(task.key);
        let assignment = extraction::draw_along(&matches, &found.order, &mut random);
        task.check_cancelled()?;
        let recoded = recode_as(task.sets, &matches, &assignment, &mut random)?;
        task.check_cancelled()?;
        Ok(BitmapDecision { bitmaps: recoded.bitmaps, matches: recoded.matches, findings })
    }
}
