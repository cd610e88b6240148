//! The first phase of Never Walk Alone: tracks begin and end at every pi-th tick only, so that
//! many have the same interval. What is outside is cut off.

use std::collections::BTreeMap;

use sfumato_core::{Error, Result};

use super::MovingTask;
use crate::data::synchronous::Synchronous;

/// Tracks by their interval.
pub struct Intervals {
    /// The tracks, cut to their interval. `None` if nothing is left.
    pub parts: Vec<Option<Synchronous>>,
    /// The tracks that have the same interval, at least k of them, by interval.
    pub classes: Vec<Vec<u32>>,
    /// How many tracks have an interval that too few have.
    pub lost: usize,
    /// At every how many ticks tracks begin and end.
    pub pi: u64,
}

/// Cut all tracks to intervals between every pi-th tick.
pub fn cut(tracks: &[Synchronous], pi: u64, k: u64) -> Intervals {
    let pi_ticks = i64::try_from(pi).unwrap_or(i64::MAX);
    let mut by_interval: BTreeMap<(i64, i64), Vec<u32>> = BTreeMap::new();
    let mut parts: Vec<Option<Synchronous>> = Vec::with_capacity(tracks.len());
    for (at, track) in (0..).zip(tracks) {
        let start = -(-track.start).div_euclid(pi_ticks) * pi_ticks;
        let last = (track.end() - 1).div_euclid(pi_ticks) * pi_ticks;
        let is_something = !track.positions.is_empty() && start <= last;
        parts.push(is_something.then(|| track.part(start, last + 1)));
        if is_something {
            by_interval.entry((start, last)).or_default().push(at);
        }
    }
    let mut classes: Vec<Vec<u32>> = by_interval.into_values().collect();
    classes.retain(|class| class.len() as u64 >= k);
    let lost = tracks.len() - classes.iter().map(Vec::len).sum::<usize>();
    Intervals { parts, classes, lost, pi }
}

/// Cut all tracks with the pi that the job says, or else with the smallest power of two that loses
/// no more than may be left out.
pub fn cut_for(task: &MovingTask<'_>, pi: Option<u64>) -> Result<Intervals> {
    let longest = task.tracks.iter().map(|track| track.positions.len()).max().unwrap_or(0);
    let mut tried = Vec::new();
    match pi {
        Some(pi) => tried.push(cut(task.tracks, pi, task.asked.k)),
        None => {
            let mut pi = 1;
            while pi <= longest as u64 {
                task.check_stopped()?;
                tried.push(cut(task.tracks, pi, task.asked.k));
                if tried.last().is_some_and(|cut| cut.lost <= task.trash) {
                    break;
                }
                pi *= 2;
            }
        }
    }
    let best = tried.into_iter().min_by_key(|cut| (cut.lost, cut.pi));
    match best {
        Some(cut) if cut.lost <= task.trash => Ok(cut),
        Some(cut) => Err(Error::infeasible(format!(
            "{} of {} tracks have no {} with the same interval (pi={}), and {} may be left out",
            cut.lost,
            task.tracks.len(),
            task.asked.k,
            cut.pi,
            task.trash
        ))
        .hint(
            "say another pi, cut tracks into pieces with cut=.. and fold them with fold=.., or \
               allow more with --max-suppression",
        )),
        None => Err(Error::input("no track has a position at a tick of the clock")),
    }
}
