//! Lets the algorithm decide which tracks share a box.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use super::people::People;
use super::plan::Plan;
use crate::algorithms::regions::{PublishedRegions, RegionTask, publish};
use crate::data::read::Loaded;
use crate::data::synchronous::Synchronous;
use crate::data::tracks::TrackData;

/// The decision, and the people whom it is about.
pub struct Decided {
    /// Everybody, and who takes part.
    pub people: People,
    /// The regions of those who take part, in their order.
    pub published: PublishedRegions,
}

/// The tracks of what was read.
pub fn tracks_of(loaded: &Loaded) -> Result<&TrackData> {
    loaded.tracks.as_ref().ok_or_else(|| {
        Error::unsupported("mob-k-anonymity is about tracks, and these have no coordinates")
            .hint("say --paths 'track(id=A, lat=B, lon=C, time=D)'")
    })
}

/// Let the algorithm decide.
pub fn decide(plan: &Plan, loaded: &Loaded, observer: &dyn Observer) -> Result<Decided> {
    let data = tracks_of(loaded)?;
    let people = People::of(data, plan.every, plan.known.as_deref(), observer)?;
    let n = people.taking_part.len();
    let left_out = (people.tracks.len() - n) as u64;
    if left_out > plan.may_be_left_out || (n as u64) < plan.asked.k {
        let message = format!(
            "{left_out} of {} tracks aren't there at all times that are known of anybody, and {} \
             may be left out",
            people.tracks.len(),
            plan.may_be_left_out
        );
        return Err(Error::infeasible(message).hint(
            "say with known=FILE at which times people are known, put tracks on a common clock \
             with every=.., or allow more with --max-suppression",
        ));
    }
    let of = |track: &u32| *track as usize;
    let tracks: Vec<Synchronous> =
        people.taking_part.iter().map(|track| people.tracks[of(track)].clone()).collect();
    let known: Vec<Vec<i64>> =
        people.taking_part.iter().map(|track| people.known[of(track)].clone()).collect();
    let task =
        RegionTask { tracks: &tracks, plane: data.plane, known: &known, k: plan.asked.k, observer };
    let classes = plan.algorithm.classes(&plan.params, &task)?;
    let published = publish(&task, classes, plan.params.optional_number("snap"));
    Ok(Decided { people, published })
}
