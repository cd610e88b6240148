//! The people of a release of regions: who takes part, what is known of each, and which published
//! tracks fit.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::facts::{AttackGraphFacts, CountedMatches};
use sfumato_core::observer::Observer;

use crate::data::attack_graph::AttackGraph;
use crate::data::known_times;
use crate::data::plane::Position;
use crate::data::region::{Region, RegionFix};
use crate::data::synchronous::{Synchronous, Ticks, synchronize};
use crate::data::tracks::TrackData;

/// How far apart two times are that count as one: what rounding leaves.
const SAME_TIME: f64 = 1e-5;

/// Tracks of people on a common clock, with positions as they are published.
pub struct People {
    /// The common clock.
    pub ticks: Ticks,
    /// All tracks.
    pub tracks: Vec<Synchronous>,
    /// The ticks that are known of each track.
    pub known: Vec<Vec<i64>>,
    /// The tracks that are there at all ticks that are known of anybody: only these are published.
    pub taking_part: Vec<u32>,
}

impl People {
    /// The people of some data, where a file says what is known of whom.
    pub fn of(
        data: &TrackData,
        every: Option<f64>,
        file: Option<&str>,
        observer: &dyn Observer,
    ) -> Result<People> {
        let (ticks, mut tracks) = synchronize(data, every);
        let plane = data.plane;
        for position in tracks.iter_mut().flat_map(|track| &mut track.positions) {
            *position = Position { x: plane.rounded(position.x), y: plane.rounded(position.y) };
        }
        let known = known_times::read(file, data, &ticks, &tracks, observer)?;
        let all = || known.iter().flatten();
        let (first, last) = (all().min().copied(), all().max().copied());
        let is_there = |track: &Synchronous| match (first, last) {
            // A track has a position at every tick between its first and its last.
            (Some(first), Some(last)) => track.start <= first && last < track.end(),
            _ => false,
        };
        let taking_part =
            (0..).zip(&tracks).filter(|(_, track)| is_there(track)).map(|(at, _)| at).collect();
        Ok(People { ticks, tracks, known, taking_part })
    }

    /// Where somebody was at the times that are known.
    pub fn known_positions(&self, track: u32) -> Vec<(f64, Position)> {
        let own = &self.tracks[track as usize];
        let at = |tick: &i64| {
            let position = own.positions.get(usize::try_from(tick - own.start).ok()?)?;
            Some((self.ticks.time(*tick), *position))
        };
        self.known[track as usize].iter().filter_map(at).collect()
    }
}

/// The region of a track at a time.
pub fn region_at(track: &[RegionFix], time: f64) -> Option<Region> {
    let at = track.partition_point(|fix| fix.time < time - SAME_TIME);
    track.get(at).filter(|fix| (fix.time - time).abs() <= SAME_TIME).map(|fix| fix.region)
}

/// What is known of each person beside their positions, and what stands beside each published
/// track: classes, such that only those of the same can be each other's. Nothing where both are
/// empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alike<'a> {
    /// The class of each person.
    pub people: &'a [u32],
    /// The class of each published track.
    pub records: &'a [u32],
}

/// The attack graph of people, of whom some positions are known, and published tracks.
pub fn attack_graph(
    known: &[Vec<(f64, Position)>],
    published: &[Vec<RegionFix>],
    alike: Alike<'_>,
) -> AttackGraph {
    let mut times: Vec<f64> = known.iter().flatten().map(|(time, _)| *time).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let regions: Vec<Vec<Option<Region>>> = published
        .par_iter()
        .map(|track| times.iter().map(|time| region_at(track, *time)).collect())
        .collect();
    let fitting = |(person, known): (usize, &Vec<(f64, Position)>)| -> Vec<u32> {
        let known: Vec<(usize, Position)> = known
            .iter()
            .map(|(time, position)| (times.partition_point(|other| other < time), *position))
            .collect();
        let fits = |regions: &Vec<Option<Region>>| {
            known
                .iter()
                .all(|(at, position)| regions[*at].is_some_and(|region| region.has(*position)))
        };
        let own = alike.people.get(person);
        let is_alike =
            |record: u32| own.is_none_or(|own| alike.records.get(record as usize) == Some(own));
        (0..)
            .zip(&regions)
            .filter(|(record, regions)| is_alike(*record) && fits(regions))
            .map(|(record, _)| record)
            .collect()
    };
    let fitting = known.par_iter().enumerate().map(fitting).collect();
    AttackGraph { fitting, n_records: published.len() }
}

/// An attack graph, and which record is whose where that is known.
pub struct Graph {
    /// The graph.
    pub graph: AttackGraph,
    /// The person of each record.
    pub whose: Vec<Option<u32>>,
}

impl AttackGraphFacts for Graph {
    fn matches(&self, required: u64) -> Result<CountedMatches> {
        self.graph.count(required, &self.whose)
    }
}
