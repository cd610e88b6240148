//! Lets the algorithm decide which tracks share a box.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use super::people::People;
use super::plan::Plan;
use crate::algorithms::regions::{Classes, PublishedRegions, RegionTask, publish};
use crate::data::read::Loaded;
use crate::data::synchronous::Synchronous;
use crate::data::tracks::TrackData;
use crate::forms::beside;

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

/// Let the algorithm decide about each class of tracks alone that have the same beside them:
/// whoever may know that looks only at the tracks of one.
fn by_class(plan: &Plan, task: &RegionTask<'_>, alike: &[u32]) -> Result<Classes> {
    let mut all = Classes::new();
    for class in beside::members(alike).iter().filter(|class| !class.is_empty()) {
        if (class.len() as u64) < plan.asked.k {
            return Err(Error::infeasible(format!(
                "{} tracks have the same values beside them and are fewer than k",
                class.len()
            ))
            .hint("make these columns coarser with --qi-model, or ask for a smaller k"));
        }
        let tracks: Vec<Synchronous> =
            class.iter().map(|track| task.tracks[*track as usize].clone()).collect();
        let known: Vec<Vec<i64>> =
            class.iter().map(|track| task.known[*track as usize].clone()).collect();
        let own = RegionTask { tracks: &tracks, known: &known, ..*task };
        for (tick, groups) in plan.algorithm.classes(&plan.params, &own)? {
            let name = |group: Vec<u32>| group.into_iter().map(|at| class[at as usize]).collect();
            all.entry(tick).or_default().extend(groups.into_iter().map(name));
        }
    }
    Ok(all)
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
    let quasi = &loaded.data.quasi;
    let classes = match quasi.is_empty() {
        true => plan.algorithm.classes(&plan.params, &task)?,
        false => {
            let all = beside::alike(quasi, data.tracks.len());
            let alike: Vec<u32> = people.taking_part.iter().map(|track| all[of(track)]).collect();
            by_class(plan, &task, &alike)?
        }
    };
    let published = publish(&task, classes, plan.params.optional_number("snap"));
    Ok(Decided { people, published })
}
