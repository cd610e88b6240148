//! Lets the algorithm decide where tracks are published.

use sfumato_core::{Error, ErrorKind, Result};

use super::own::Own;
use super::plan::Plan;
use crate::algorithms::moving::{MovedTracks, MovingTask};
use crate::data::read::Loaded;
use crate::data::synchronous::{Synchronous, Ticks};
use crate::data::tracks::{Fix, TrackData};
use crate::forms::beside;
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

/// Let the algorithm decide about each class of tracks alone that have the same beside them:
/// whoever may know that looks only at the tracks of one. Of each class as large a share may be
/// left out as of all; a class that is too small for k, or can't be served, is left out.
fn by_class(plan: &Plan, task: &MovingTask<'_>, alike: &[u32]) -> Result<MovedTracks> {
    let classes = beside::members(alike);
    let is_small = |class: &&Vec<u32>| (class.len() as u64) < task.asked.k;
    let small: usize = classes.iter().filter(is_small).map(Vec::len).sum();
    let (n, spare) = (alike.len() - small, task.trash.saturating_sub(small));
    let mut all =
        MovedTracks { tracks: vec![None; alike.len()], ..MovedTracks::of(Vec::new(), 1, None) };
    let mut moments = vec![Vec::new(); alike.len()];
    for class in classes.iter().filter(|class| !is_small(class)) {
        let part = |all: &[Synchronous]| -> Vec<Synchronous> {
            class.iter().filter_map(|track| all.get(*track as usize).cloned()).collect()
        };
        let fixes: Vec<Vec<Fix>> =
            class.iter().map(|track| task.fixes[*track as usize].clone()).collect();
        let own = MovingTask {
            tracks: &part(task.tracks),
            fixes: &fixes,
            trash: spare * class.len() / n.max(1),
            ..*task
        };
        let served = match plan.algorithm.anonymize(&plan.params, &own) {
            Ok(served) => served,
            Err(error) if error.kind == ErrorKind::Infeasible => continue,
            Err(error) => return Err(error),
        };
        let name = |group: Vec<u32>| group.into_iter().map(|at| class[at as usize]).collect();
        all.groups.extend(served.groups.into_iter().map(name));
        for (track, new) in class.iter().zip(served.tracks) {
            all.tracks[*track as usize] = new;
        }
        for (track, new) in class.iter().zip(served.moments.into_iter().flatten()) {
            moments[*track as usize] = new;
        }
        all.farthest = all.farthest.max(served.farthest);
        all.latest = all.latest.max(served.latest);
        all.pi = all.pi.max(served.pi);
        all.radius = served.radius.into_iter().chain(all.radius).reduce(f64::max);
    }
    all.moments = (!plan.algorithm.keeps_clock()).then_some(moments);
    let left_out = all.tracks.iter().filter(|track| track.is_none()).count();
    match left_out <= task.trash {
        true => Ok(all),
        false => Err(Error::infeasible(format!(
            "{left_out} tracks have too few others with the same values beside them, and {} may \
             be left out",
            task.trash
        ))
        .hint(
            "make these columns coarser with --qi-model, ask for a smaller k, or allow more with \
             --max-suppression",
        )),
    }
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
    let quasi = &loaded.data.quasi;
    let moved = match quasi.is_empty() {
        true => plan.algorithm.anonymize(&plan.params, &task)?,
        false => by_class(plan, &task, &beside::alike(quasi, data.tracks.len()))?,
    };
    match moved.tracks.len() == data.tracks.len() {
        true => Ok(Decided { ticks: own.ticks, moved }),
        false => Err(Error::internal("the algorithm hasn't decided about every track")),
    }
}
