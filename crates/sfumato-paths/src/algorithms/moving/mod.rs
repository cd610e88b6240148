//! Algorithms that move tracks until enough of them are together.

pub mod cluster;
pub mod distance;
pub mod exchange;
pub mod intervals;

sfumato_core::registry! {
    /// Every algorithm that moves tracks.
    dyn MovingAlgorithm:
    never_walk_alone::NeverWalkAlone,
    track_microaggregation::TrackMicroaggregation,
    aligned_microaggregation::AlignedMicroaggregation,
    swapping::Swapping,
}

use rand_chacha::ChaCha20Rng;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{self, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_engine::random::generator;

use crate::data::plane::{Plane, Position, mean};
use crate::data::synchronous::Synchronous;
use crate::data::tracks::Fix;
use crate::models::AskedTracks;

/// The parameter that says where tracks may begin and end.
pub const PI: ParamSpec = ParamSpec::optional(
    "pi",
    ParamKind::Integer { min: 1, max: 1_000_000_000 },
    "tracks begin and end at every pi-th tick of the clock only; without it the smallest power of \
     two that loses few enough tracks",
);

/// What an algorithm is asked to do.
pub struct MovingTask<'a> {
    /// The tracks, on a common clock; none for an algorithm that doesn't keep it.
    pub tracks: &'a [Synchronous],
    /// The tracks as they were measured, or at the ticks of the clock that the job says.
    pub fixes: &'a [Vec<Fix>],
    /// What coordinates mean.
    pub plane: Plane,
    /// How many must be together, and how close.
    pub asked: AskedTracks,
    /// How many tracks may be left out.
    pub trash: usize,
    /// The seed of random choices; none for those of the operating system.
    pub seed: Option<u64>,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl MovingTask<'_> {
    /// The generator of random choices: another one than that of the order of the release.
    pub fn random(&self) -> Result<ChaCha20Rng> {
        generator(self.seed.map(|seed| seed ^ 0x5377_6170_4d6f_6200))
    }

    /// The error for a run that was stopped.
    pub fn check_stopped(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }
}

/// What an algorithm decided.
#[derive(Debug, Clone, PartialEq)]
pub struct MovedTracks {
    /// What is published of each track. `None` if it is left out.
    pub tracks: Vec<Option<Synchronous>>,
    /// Which tracks are together.
    pub groups: Vec<Vec<u32>>,
    /// How far a position was moved at most.
    pub farthest: f64,
    /// At every how many ticks tracks begin and end.
    pub pi: u64,
    /// How far a track may be from the one that its group began with; none where that isn't asked.
    pub radius: Option<f64>,
    /// When each position of each track is published, for tracks that don't keep the clock.
    pub moments: Option<Vec<Vec<Moment>>>,
    /// How far the time of a position was moved at most.
    pub latest: f64,
}

/// When a position is published, and which moment of its own track it stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The time in the release.
    pub published: f64,
    /// The time at which the track was there.
    pub own: f64,
}

impl MovedTracks {
    /// Groups of tracks, of which none is published yet.
    pub fn of(groups: Vec<Vec<u32>>, pi: u64, radius: Option<f64>) -> MovedTracks {
        let (tracks, moments) = (Vec::new(), None);
        MovedTracks { tracks, groups, farthest: 0.0, pi, radius, moments, latest: 0.0 }
    }
}

/// An algorithm that moves tracks.
pub trait MovingAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Whether what it publishes keeps promises. One that doesn't promises nothing, and says so.
    fn promises(&self) -> bool {
        true
    }
    /// Whether it moves positions and not times: tracks are put on the common clock before.
    fn keeps_clock(&self) -> bool {
        true
    }
    /// Decide where tracks are published.
    fn anonymize(&self, params: &Params, task: &MovingTask<'_>) -> Result<MovedTracks>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn MovingAlgorithm> {
    registry::find("track-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// Move the tracks of each group towards its centre at each tick, so far that no two are further
/// apart than delta (space translation). `parts` are the tracks as they were cut.
pub fn together(
    task: &MovingTask<'_>,
    parts: &[Option<Synchronous>],
    groups: Vec<Vec<u32>>,
    delta: f64,
    (pi, radius): (u64, Option<f64>),
) -> Result<MovedTracks> {
    let plane = task.plane;
    // Half of delta, less what rounding and measuring elsewhere may add.
    let around = (delta / 2.0 - plane.slack(delta)).max(0.0);
    let mut moved =
        MovedTracks { tracks: vec![None; parts.len()], ..MovedTracks::of(groups, pi, radius) };
    for group in &moved.groups {
        let own = |track: &u32| parts[*track as usize].as_ref();
        let members: Option<Vec<&Synchronous>> = group.iter().map(own).collect();
        let members =
            members.ok_or_else(|| Error::internal("a group has a track that was left out"))?;
        let Some(first) = members.first() else { continue };
        let mut new: Vec<Synchronous> = members
            .iter()
            .map(|track| Synchronous { start: track.start, positions: Vec::new() })
            .collect();
        for tick in 0..first.positions.len() {
            let centre = mean(members.iter().map(|track| track.positions[tick]));
            for (track, new) in members.iter().zip(&mut new) {
                let position: Position = track.positions[tick];
                let put = plane.within(centre, position, around);
                moved.farthest = moved.farthest.max(plane.distance(position, put));
                new.positions.push(put);
            }
        }
        for (track, new) in group.iter().zip(new) {
            moved.tracks[*track as usize] = Some(new);
        }
    }
    Ok(moved)
}
