//! Tracks on a common clock: positions at the same times, interpolated where none was measured.

use super::clock::{self, Written};
use super::plane::Position;
use super::tracks::{Fix, TrackData};

/// The common clock: ticks are numbered.
#[derive(Debug, Clone, PartialEq)]
pub enum Ticks {
    /// At multiples of a length of time.
    Every(f64),
    /// At these times, ascending.
    Listed(Vec<f64>),
}

impl Ticks {
    /// The time of a tick.
    pub fn time(&self, tick: i64) -> f64 {
        match self {
            Ticks::Every(every) => tick as f64 * every,
            Ticks::Listed(times) => {
                usize::try_from(tick).ok().and_then(|at| times.get(at)).copied().unwrap_or(f64::NAN)
            }
        }
    }
    /// The first tick that isn't before a time.
    fn from(&self, time: f64) -> i64 {
        match self {
            Ticks::Every(every) => (time / every).ceil() as i64,
            Ticks::Listed(times) => times.partition_point(|tick| *tick < time) as i64,
        }
    }
    /// The last tick that isn't after a time.
    fn until(&self, time: f64) -> i64 {
        match self {
            Ticks::Every(every) => (time / every).floor() as i64,
            Ticks::Listed(times) => times.partition_point(|tick| *tick <= time) as i64 - 1,
        }
    }
    /// The tick at a time, if there is one.
    pub fn at(&self, time: f64) -> Option<i64> {
        let tick = self.from(time);
        let is_near = |tick: i64| (self.time(tick) - time).abs() <= 1e-6;
        [tick, tick - 1].into_iter().find(|tick| is_near(*tick))
    }
    /// The time of a tick as it is published.
    pub fn spell(&self, tick: i64, written: Written) -> String {
        clock::spell(self.time(tick), written)
    }
}

/// A track on the common clock.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Synchronous {
    /// The first tick.
    pub start: i64,
    /// The positions at the first tick and those after it.
    pub positions: Vec<Position>,
}

impl Synchronous {
    /// The tick after the last.
    pub fn end(&self) -> i64 {
        self.start + self.positions.len() as i64
    }
    /// The part from one tick to another, which must be within it.
    pub fn part(&self, start: i64, end: i64) -> Synchronous {
        let from = (start - self.start) as usize;
        let until = (end - self.start) as usize;
        Synchronous { start, positions: self.positions[from..until].to_vec() }
    }
}

/// All tracks on a common clock. Without a length of time between ticks, ticks are the times at
/// which any track was measured.
pub fn synchronize(data: &TrackData, every: Option<f64>) -> (Ticks, Vec<Synchronous>) {
    let ticks = match every {
        Some(every) => Ticks::Every(every),
        None => {
            let mut times: Vec<f64> = data.tracks.iter().flatten().map(|fix| fix.time).collect();
            times.sort_by(f64::total_cmp);
            times.dedup();
            Ticks::Listed(times)
        }
    };
    let tracks = data.tracks.iter().map(|track| on_clock(track, &ticks)).collect();
    (ticks, tracks)
}

/// A track at ticks between its first and its last position, on straight lines between positions.
fn on_clock(track: &[Fix], ticks: &Ticks) -> Synchronous {
    let (Some(first), Some(last)) = (track.first(), track.last()) else {
        return Synchronous::default();
    };
    let (start, end) = (ticks.from(first.time), ticks.until(last.time) + 1);
    let mut at = 0;
    let mut positions = Vec::with_capacity((end - start).max(0) as usize);
    for tick in start..end {
        let time = ticks.time(tick);
        while at + 1 < track.len() && track[at + 1].time <= time {
            at += 1;
        }
        let before = track[at];
        positions.push(match track.get(at + 1) {
            Some(after) if time > before.time => {
                let part = (time - before.time) / (after.time - before.time);
                let between = |a: f64, b: f64| a + (b - a) * part;
                Position {
                    x: between(before.position.x, after.position.x),
                    y: between(before.position.y, after.position.y),
                }
            }
            _ => before.position,
        });
    }
    Synchronous { start, positions }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_between_are_on_straight_lines() {
        let fix = |time: f64, x: f64| Fix { time, position: Position { x, y: 1.0 } };
        let track = [fix(5.0, 0.0), fix(15.0, 10.0), fix(35.0, 50.0)];
        let on = on_clock(&track, &Ticks::Every(10.0));
        let xs: Vec<f64> = on.positions.iter().map(|position| position.x).collect();
        assert_eq!((on.start, xs), (1, vec![5.0, 20.0, 40.0]));
        let listed = on_clock(&track, &Ticks::Listed(vec![5.0, 15.0, 20.0, 35.0]));
        let xs: Vec<f64> = listed.positions.iter().map(|position| position.x).collect();
        assert_eq!((listed.start, xs, listed.end()), (0, vec![0.0, 10.0, 20.0, 50.0], 4));
        assert_eq!(listed.part(1, 3).positions.len(), 2);
    }
}
