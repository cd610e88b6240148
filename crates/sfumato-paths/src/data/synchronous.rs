//! Tracks on a common clock: positions at the same times, interpolated where none was measured.

use super::clock::{self, Written};
use super::plane::Position;
use super::tracks::{Fix, TrackData};
use sfumato_report::numbers::count;

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
    pub fn until(&self, time: f64) -> i64 {
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
    let ticks = ticks_of(data, every);
    let tracks = data.tracks.iter().map(|track| on_clock(track, &ticks)).collect();
    (ticks, tracks)
}

/// The clock that all tracks have in common.
pub fn ticks_of(data: &TrackData, every: Option<f64>) -> Ticks {
    match every {
        Some(every) => Ticks::Every(every),
        None => {
            let mut times: Vec<f64> = data.tracks.iter().flatten().map(|fix| fix.time).collect();
            times.sort_by(f64::total_cmp);
            times.dedup();
            Ticks::Listed(times)
        }
    }
}

/// What lies between measured positions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bridged {
    /// How many positions on the clock were measured at no time near their tick.
    pub interpolated: u64,
    /// The longest time between two measured positions of a track with a tick between them.
    pub longest: f64,
}

impl Bridged {
    /// Look at all tracks on their clock.
    pub fn of(data: &TrackData, ticks: &Ticks) -> Bridged {
        let mut found = Bridged::default();
        for pair in data.tracks.iter().flat_map(|track| track.windows(2)) {
            let [before, after] = pair else { continue };
            let (mut first, mut last) = (ticks.from(before.time), ticks.until(after.time));
            // What was measured at a tick isn't between others.
            first += i64::from(ticks.time(first) <= before.time);
            last -= i64::from(ticks.time(last) >= after.time);
            if first <= last {
                found.interpolated += (last - first + 1) as u64;
                found.longest = found.longest.max(after.time - before.time);
            }
        }
        found
    }

    /// What a reader of a report should know: how much isn't measured.
    pub fn words(&self, positions: u64, written: Written) -> String {
        match self.interpolated {
            0 => "Every position on the common clock was measured.".into(),
            n => format!(
                "Of {} positions on the common clock {} weren't measured and lie on a straight \
                 line between two that were; the longest such line bridges {}.",
                count(positions),
                count(n),
                clock::spell_duration(self.longest, written)
            ),
        }
    }
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

    #[test]
    fn what_was_not_measured_is_counted() {
        let fix = |time: f64| Fix { time, position: Position { x: time, y: 0.0 } };
        let data = |times: &[f64]| TrackData {
            tracks: vec![times.iter().map(|time| fix(*time)).collect(), vec![fix(30.0)]],
            of_whom: vec![0, 1],
            people: 2,
            names: Vec::new(),
            plane: crate::data::plane::Plane::Flat,
            written: Written::Number,
            is_cut: false,
            short: 0,
            repeated: 0,
            in_order: true,
            is_numbered: true,
        };
        let bridged = |times: &[f64], every: Option<f64>| {
            let data = data(times);
            let (ticks, tracks) = synchronize(&data, every);
            let all: usize = tracks.iter().map(|track| track.positions.len()).sum();
            (Bridged::of(&data, &ticks), all)
        };
        // At 10, 20 and 30, of which 20 was measured; the one at 30 is between 25 and 36.
        let (found, all) = bridged(&[5.0, 20.0, 25.0, 36.0], Some(10.0));
        assert_eq!((found, all), (Bridged { interpolated: 2, longest: 15.0 }, 4));
        let words = |written| found.words(4, written);
        assert!(words(Written::Civil).ends_with("bridges 15 s."), "{}", words(Written::Civil));
        assert!(words(Written::Number).ends_with("bridges 15 units of time."));
        // The other track was measured when this one wasn't.
        let (found, all) = bridged(&[5.0, 20.0, 36.0], None);
        assert_eq!((found, all), (Bridged { interpolated: 1, longest: 16.0 }, 5));
        let (found, all) = bridged(&[10.0, 20.0, 30.0], Some(10.0));
        assert_eq!((found, all), (Bridged::default(), 4));
    }
}
