//! Lets the algorithm decide where tracks are published.

use sfumato_core::{Error, Result};

use super::own::Own;
use super::plan::Plan;
use crate::algorithms::moving::{MovedTracks, MovingTask};
use crate::data::read::Loaded;
use crate::data::synchronous::Ticks;
use crate::data::tracks::TrackData;
use sfumato_core::observer::Observer;

/// The decision, and the clock that it is about.
pub struct Decided {
    /// The common clock.
    pub ticks: Ticks,
    /// What is published of each track.
    pub moved: MovedTracks,
}

/// The tracks of what was read.
pub fn tracks_of(loaded: &Loaded) -> Result<&TrackData> {
    loaded.tracks.as_ref().ok_or_else(|| {
        Error::unsupported("k-delta-anonymity is about tracks, and these have no coordinates")
            .hint("say --paths 'track(id=A, lat=B, lon=C, time=D)'")
    })
}

/// Let the algorithm decide.
pub fn decide(plan: &Plan, loaded: &Loaded, observer: &dyn Observer) -> Result<Decided> {
    let data = tracks_of(loaded)?;
    let own = Own::of(plan, data);
    let task = MovingTask {
        tracks: &own.synchronous,
        fixes: &own.fixes,
        plane: data.plane,
        asked: plan.asked,
        trash: usize::try_from(plan.trash).unwrap_or(usize::MAX),
        seed: plan.seed,
        observer,
    };
    let moved = plan.algorithm.anonymize(&plan.params, &task)?;
    match moved.tracks.len() == data.tracks.len() {
        true => Ok(Decided { ticks: own.ticks, moved }),
        false => Err(Error::internal("the algorithm hasn't decided about every track")),
    }
}
