//! The tracks of the original as a decision is about them: on a common clock, or, where an
//! algorithm moves times as well, each with the times of its own.

use std::borrow::Cow;

use super::plan::Plan;
use crate::data::plane::Position;
use crate::data::synchronous::{Bridged, Synchronous, Ticks, synchronize, ticks_of};
use crate::data::tracks::{Fix, TrackData};

/// The tracks of the original.
pub struct Own<'a> {
    /// The common clock. Where tracks don't keep it, it tells times from each other.
    pub ticks: Ticks,
    /// The tracks on the clock; none where they don't keep it.
    pub synchronous: Vec<Synchronous>,
    /// The tracks with times of their own.
    pub fixes: Cow<'a, [Vec<Fix>]>,
    /// How much lies between measured positions.
    pub bridged: Bridged,
}

impl<'a> Own<'a> {
    /// Put tracks on the clock of a plan, if its algorithm keeps one.
    pub fn of(plan: &Plan, data: &'a TrackData) -> Own<'a> {
        let keeps = plan.algorithm.keeps_clock();
        if let (None, false) = (plan.every, keeps) {
            return Own {
                ticks: ticks_of(data, None),
                synchronous: Vec::new(),
                fixes: Cow::Borrowed(&data.tracks),
                bridged: Bridged::default(),
            };
        }
        let (ticks, synchronous) = synchronize(data, plan.every);
        let bridged = Bridged::of(data, &ticks);
        if keeps {
            return Own { ticks, synchronous, fixes: Cow::Borrowed(&data.tracks), bridged };
        }
        let fix = |track: &Synchronous| {
            let at = (track.start..).zip(&track.positions);
            at.map(|(tick, position)| Fix { time: ticks.time(tick), position: *position }).collect()
        };
        let fixes = synchronous.iter().map(fix).collect();
        Own { ticks, synchronous: Vec::new(), fixes: Cow::Owned(fixes), bridged }
    }

    /// How many positions a track has.
    pub fn n_positions(&self, record: u32) -> usize {
        match self.synchronous.get(record as usize) {
            Some(track) => track.positions.len(),
            None => self.fixes[record as usize].len(),
        }
    }

    /// A track with a time for each position.
    pub fn timed(&self, record: u32) -> Cow<'_, [Fix]> {
        match self.synchronous.get(record as usize) {
            Some(track) => {
                let at = (track.start..).zip(&track.positions);
                let fix = |(tick, position): (i64, &Position)| Fix {
                    time: self.ticks.time(tick),
                    position: *position,
                };
                Cow::Owned(at.map(fix).collect())
            }
            None => Cow::Borrowed(&self.fixes[record as usize]),
        }
    }
}
