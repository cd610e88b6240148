//! Swapping: where two tracks meet, each goes on as the other.

use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::random::shuffle;

use super::intervals::cut;
use super::{MovedTracks, MovingAlgorithm, MovingTask, PI};
use crate::data::synchronous::Synchronous;

/// The algorithm.
pub struct Swapping;

static INFO: Info = Info {
    name: "swapping",
    summary: "where tracks meet, exchange how they go on: every position is true, and no track is \
              anybody's",
    papers: &[Paper {
        authors: "J. Salas, D. Megías, V. Torra",
        title: "SwapMob: swapping trajectories for mobility anonymization",
        venue: "Privacy in Statistical Databases",
        year: 2018,
    }],
    params: &[
        PI,
        ParamSpec::with_default(
            "radius",
            ParamKind::Number { min: 0.0, above: true, max: 1e9 },
            "100",
            "how near two tracks must be at a tick to meet: metres, or the unit of x",
        ),
    ],
    doc: "\
Tracks are cut to common intervals as by `never-walk-alone`, without k: intervals that one track \
has \
alone are left out. At each tick those that are within `radius` of each other are put in pairs, in \
random order, and the two of a pair exchange the rest of their ways. Tracks that never meet \
another \
are left out; how many may be is said with `--max-suppression`, any number if nothing is said.

All published positions are where somebody was at that time, so that counts by place and time stay \
exact but for those left out. What is broken is the tie between where a track begins and where it \
ends. **Nothing is promised**: between two meetings a track is one person's, and whoever knows a \
position there knows the way from the meeting before to the one after. Play `nearest-track` to see \
how far that goes.
",
    capabilities: Capabilities { serves: &[], ignores: &["metric"], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl MovingAlgorithm for Swapping {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn promises(&self) -> bool {
        false
    }
    fn anonymize(&self, params: &Params, task: &MovingTask<'_>) -> Result<MovedTracks> {
        task.observer.begin("anonymize", 0, Unit::Rows);
        let pi = params.optional_integer("pi").map_or(1, i64::unsigned_abs);
        let found = cut(task.tracks, pi, 2);
        let radius = params.number("radius");
        let mut random = task.random()?;
        let mut moved = MovedTracks {
            tracks: vec![None; task.tracks.len()],
            ..MovedTracks::of(Vec::new(), pi, Some(radius))
        };
        for class in &found.classes {
            task.check_stopped()?;
            let own: Vec<&Synchronous> =
                class.iter().filter_map(|track| found.parts[*track as usize].as_ref()).collect();
            let Some(n_ticks) = own.first().map(|track| track.positions.len()) else { continue };
            // Whose way each published track goes, and who has met anybody.
            let mut goes_as: Vec<usize> = (0..own.len()).collect();
            let mut has_met = vec![false; own.len()];
            let mut new: Vec<Synchronous> = own
                .iter()
                .map(|track| Synchronous { start: track.start, positions: Vec::new() })
                .collect();
            let mut order: Vec<u32> = (0..own.len() as u32).collect();
            for tick in 0..n_ticks {
                let at = |one: usize| own[goes_as[one]].positions[tick];
                new.iter_mut().enumerate().for_each(|(one, new)| new.positions.push(at(one)));
                shuffle(&mut order, &mut random);
                let mut pairs: Vec<(usize, usize)> = Vec::new();
                let mut is_taken = vec![false; own.len()];
                for (place, one) in order.iter().map(|one| *one as usize).enumerate() {
                    if is_taken[one] {
                        continue;
                    }
                    let is_near = |other: &usize| {
                        !is_taken[*other] && task.plane.distance(at(one), at(*other)) <= radius
                    };
                    let mut others = order[place + 1..].iter().map(|other| *other as usize);
                    if let Some(other) = others.find(is_near) {
                        is_taken[one] = true;
                        is_taken[other] = true;
                        pairs.push((one, other));
                    }
                }
                for (one, other) in pairs {
                    goes_as.swap(one, other);
                    has_met[one] = true;
                    has_met[other] = true;
                }
            }
            for (at, track) in class.iter().enumerate().filter(|(at, _)| has_met[*at]) {
                let pairs = new[at].positions.iter().zip(&own[at].positions);
                let far = pairs.map(|(new, own)| task.plane.distance(*new, *own));
                moved.farthest = far.fold(moved.farthest, f64::max);
                moved.tracks[*track as usize] = Some(new[at].clone());
            }
        }
        task.observer.end();
        let left_out = moved.tracks.iter().filter(|track| track.is_none()).count();
        match left_out <= task.trash {
            true => Ok(moved),
            false => Err(Error::infeasible(format!(
                "{left_out} tracks never meet another, and {} may be left out",
                task.trash
            ))
            .hint("say a larger radius, or allow more with --max-suppression")),
        }
    }
}
