//! Algorithms that publish tracks as regions: where somebody is known to have been, a box has
//! others in it.

pub mod neighbours;
mod union_find;

sfumato_core::registry! {
    /// Every algorithm that publishes regions.
    dyn RegionAlgorithm:
    symmetric_anonymization::SymmetricAnonymization,
    extreme_union::ExtremeUnion,
    track_merging::TrackMerging,
}

use std::collections::BTreeMap;

use sfumato_core::observer::Observer;
use sfumato_core::registry::{self, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, ErrorKind, Result};

use crate::data::hilbert;
use crate::data::plane::{Plane, Position};
use crate::data::region::Region;
use crate::data::synchronous::Synchronous;

use neighbours::Neighbours;
use union_find::UnionFind;

/// How fine the curve is.
pub const ORDER: ParamSpec = ParamSpec::with_default(
    "order",
    ParamKind::Integer { min: 1, max: 31 },
    "16",
    "the Hilbert curve has 2^order cells a side over all positions",
);
/// The grid of the edges of boxes.
pub const SNAP: ParamSpec = ParamSpec::optional(
    "snap",
    ParamKind::Number { min: 0.0, above: true, max: 1e9 },
    "edges of boxes are moved outwards to multiples of this, in degrees or in the unit of x, so \
     that they are nobody's position",
);
/// The grid in which loss is measured.
pub const CELL: ParamSpec = ParamSpec::optional(
    "cell",
    ParamKind::Number { min: 0.0, above: true, max: 1e9 },
    "the width of the cells in which areas are counted; 100 metres, or 1 unit of x, if not said",
);

/// What an algorithm is asked to do.
pub struct RegionTask<'a> {
    /// The tracks, on a common clock, with positions as they are published.
    pub tracks: &'a [Synchronous],
    /// What coordinates mean.
    pub plane: Plane,
    /// The ticks that are known of each track: all tracks are there at all of them.
    pub known: &'a [Vec<i64>],
    /// How many tracks must be possible.
    pub k: u64,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl RegionTask<'_> {
    /// The error for a run that was stopped.
    pub fn check_stopped(&self) -> Result<()> {
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }

    /// Where a track is at a tick.
    pub fn position(&self, track: u32, tick: i64) -> Position {
        let track = &self.tracks[track as usize];
        track.positions[(tick - track.start) as usize]
    }

    /// Finds the nearest tracks at known ticks.
    pub fn neighbours(&self, params: &Params) -> Neighbours {
        let order = u32::try_from(params.count("order")).unwrap_or(16);
        let all = || self.tracks.iter().flat_map(|track| track.positions.iter().copied());
        let around = Region::around(all()).unwrap_or(Region::point(Position::default()));
        let (width, height) = (around.to.x - around.from.x, around.to.y - around.from.y);
        let side = f64::from(u32::MAX >> (32 - order));
        let scale = side / width.max(height).max(f64::MIN_POSITIVE);
        let mut ticks: Vec<i64> = self.known.iter().flatten().copied().collect();
        ticks.sort_unstable();
        ticks.dedup();
        let number = |tick: i64| {
            let index = |track: u32| {
                let position = self.position(track, tick);
                let x = ((position.x - around.from.x) * scale).round() as u32;
                let y = ((position.y - around.from.y) * scale).round() as u32;
                hilbert::index(order, x, y)
            };
            (tick, (0..self.tracks.len() as u32).map(index).collect())
        };
        Neighbours::new(ticks.into_iter().map(number).collect())
    }
}

/// Which tracks are published in one box: at each tick, lists of tracks.
pub type Classes = BTreeMap<i64, Vec<Vec<u32>>>;

/// What an algorithm decided.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedRegions {
    /// The regions of each track, at the ticks of the track.
    pub regions: Vec<Vec<Region>>,
    /// The groups of tracks that share a box, by tick.
    pub classes: Classes,
}

/// An algorithm that publishes regions.
pub trait RegionAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// The tracks that share a box at each tick.
    fn classes(&self, params: &Params, task: &RegionTask<'_>) -> Result<Classes>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn RegionAlgorithm> {
    registry::find("region-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// Join, at each tick, the tracks of every group that hides somebody there: groups that share a
/// track become one.
pub fn join<'a>(n_tracks: usize, groups: impl Iterator<Item = (&'a [u32], &'a [i64])>) -> Classes {
    let mut joined: BTreeMap<i64, UnionFind> = BTreeMap::new();
    for (members, ticks) in groups {
        for tick in ticks {
            let sets = joined.entry(*tick).or_insert_with(|| UnionFind::new(n_tracks));
            members.windows(2).for_each(|two| sets.join(two[0], two[1]));
        }
    }
    joined.into_iter().map(|(tick, mut sets)| (tick, sets.sets())).collect()
}

/// Publish every group as the box around it, and everything else as it is.
pub fn publish(task: &RegionTask<'_>, classes: Classes, snap: Option<f64>) -> PublishedRegions {
    let points = |track: &Synchronous| track.positions.iter().copied().map(Region::point).collect();
    let mut regions: Vec<Vec<Region>> = task.tracks.iter().map(points).collect();
    for (tick, groups) in &classes {
        for group in groups {
            let positions = group.iter().map(|track| task.position(*track, *tick));
            let Some(around) = Region::around(positions) else { continue };
            let around = snap.map_or(around, |to| around.snapped(task.plane, to));
            for track in group {
                let start = task.tracks[*track as usize].start;
                regions[*track as usize][(tick - start) as usize] = around;
            }
        }
    }
    PublishedRegions { regions, classes }
}
