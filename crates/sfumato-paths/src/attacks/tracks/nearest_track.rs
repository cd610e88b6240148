//! Nearest track: whoever knows some positions of somebody takes the published track that is
//! nearest to them.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TrackStage;
use super::assignment::{MOST, cheapest};
use crate::data::plane::Position;
use crate::data::tracks::{Fix, along};

/// What a track costs that isn't there at the time: more than any that is.
const NEVER: f64 = 1e12;

/// The attack.
pub struct NearestTrack;

static INFO: Info = Info {
    name: "nearest-track",
    summary: "guesses that the published track that is nearest to some known positions of a person \
              is theirs",
    papers: &[Paper {
        authors: "R. Trujillo-Rasua, J. Domingo-Ferrer",
        title: "On the privacy offered by (k,delta)-anonymity",
        venue: "Information Systems",
        year: 2013,
    }],
    params: &[
        ParamSpec::with_default(
            "points",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "3",
            "how many positions of somebody the attacker knows, with their times, drawn at random",
        ),
        ParamSpec::with_default(
            "beside",
            ParamKind::Flag,
            "true",
            "whether the attacker knows the columns beside the track that are named with --qi",
        ),
        ParamSpec::with_default(
            "people",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "1000",
            "how many tracks are asked about, drawn at random; all if there are no more",
        ),
    ],
    doc: "\
Of each track of the original `points` times of the release are drawn at which the track is known; \
the attacker knows where it was then, exactly, and the columns of `--qi` where `beside` says so; \
values that were generalized exclude nobody. They take the published track with the smallest sum \
of distances, one at random if several are equally near. Which published track is made from which \
isn't in the files: the judge takes the assignment of published tracks to originals with the \
smallest total distance, of positions at the same times or, where times were moved, of those with \
the same share of positions before them. About a track that is left out every guess is wrong. With \
k-delta-anonymity and a delta above 0 the rate is often far above 1 / k; with \
microaggregation it is not.
",
    ..Info::DEFAULT
};

impl Attack<TrackStage> for NearestTrack {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["moved"]
    }
    fn lacks(&self, _: &Params, stage: &TrackStage) -> Option<String> {
        let is_small = stage.original.len() <= MOST;
        (!is_small).then(|| format!("at most {MOST} tracks: the judge compares each with each"))
    }
    fn play(&self, params: &Params, stage: &TrackStage, chance: &mut Chance) -> Result<Outcome> {
        let points = usize::try_from(params.count("points")).unwrap_or(usize::MAX);
        let n = usize::try_from(params.count("people")).unwrap_or(usize::MAX);
        let everybody = stage.original.len() <= n;
        let people = chance.sample(n, stage.original.len());
        // What is asked about somebody: their positions at all times of published tracks at which
        // they are known, of which some are known to the attacker.
        let mut times: Vec<f64> = stage.published.iter().flatten().map(|fix| fix.time).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let asked: Vec<(u32, Vec<Fix>)> = people
            .into_iter()
            .map(|person| {
                let own = at_times(&stage.original[person as usize], &times);
                let known = chance.sample(points, own.len());
                let known = known.into_iter().map(|at| own[at as usize]).collect();
                (person, known)
            })
            .collect();
        let own_of = own_tracks(stage);
        let knows_beside = params.flag("beside");
        let right = |(person, known): &(u32, Vec<Fix>)| {
            let fits = |track: u32| !knows_beside || stage.may_be_of(track, *person);
            let taken = nearest(stage, known, fits);
            let is_theirs = own_of[*person as usize].is_some_and(|own| taken.contains(&own));
            if is_theirs { 1.0 / taken.len() as f64 } else { 0.0 }
        };
        let chances: Vec<f64> = asked.par_iter().map(right).collect();
        let mut score = Score::default();
        chances.iter().for_each(|chance| score.add(*chance));
        let worst = asked
            .iter()
            .zip(&chances)
            .map(|((person, _), chance)| Worst { record: u64::from(*person) + 1, chance: *chance });
        Ok(Outcome {
            score,
            baseline: 1.0 / stage.published.len().max(1) as f64,
            everybody,
            worst: Outcome::worst_of(worst),
            ..Outcome::default()
        })
    }
}

/// The published track that is made from each original one, as far as that can be told.
pub(super) fn own_tracks(stage: &TrackStage) -> Vec<Option<u32>> {
    let (rows, columns) = (stage.published.len(), stage.original.len());
    let mut own_of = vec![None; columns];
    // A file with more tracks than the original isn't made from it.
    if rows > columns {
        return own_of;
    }
    let cost_of = |published: &Vec<Fix>| -> Vec<f64> {
        let times: Vec<f64> = published.iter().map(|fix| fix.time).collect();
        let cost = |original: &Vec<Fix>| {
            let own = at_times(original, &times);
            if own.len() != published.len() || own.is_empty() {
                return NEVER;
            }
            let pairs = own.iter().zip(published);
            let sum: f64 = pairs.map(|(a, b)| stage.plane.distance(a.position, b.position)).sum();
            sum / own.len() as f64
        };
        stage.original.iter().map(cost).collect()
    };
    let mut costs: Vec<Vec<f64>> = stage.published.par_iter().map(cost_of).collect();
    // A track that nobody can have made at its times says that times were moved.
    if costs.iter().any(|row| row.iter().all(|cost| *cost == NEVER)) {
        costs = stage.published.par_iter().map(|track| paired_costs(stage, track)).collect();
    }
    // What stands beside a track is true: it isn't made from that of somebody with other values.
    for (row, costs) in (0..).zip(&mut costs) {
        let others = (0..).zip(costs).filter(|(column, _)| !stage.may_be_of(row, *column));
        others.for_each(|(_, cost)| *cost = NEVER);
    }
    let assigned = cheapest(rows, columns, &|row, column| costs[row][column]);
    for (row, column) in assigned.into_iter().enumerate() {
        own_of[column] = (costs[row][column] < NEVER).then_some(row as u32);
    }
    own_of
}

/// At how many places along their ways tracks are compared whose times were moved.
const SAMPLES: usize = 16;

/// How far a published track is from each of the original, position by position and not time by
/// time; a second counts as a metre.
fn paired_costs(stage: &TrackStage, published: &[Fix]) -> Vec<f64> {
    let shares = (0..SAMPLES).map(|at| (at as f64 + 0.5) / SAMPLES as f64);
    let cost = |original: &Vec<Fix>| {
        if original.is_empty() || published.is_empty() {
            return NEVER;
        }
        let pair = |share: f64| {
            let (own, found) = (along(original, share), along(published, share));
            stage.plane.distance(own.position, found.position).hypot(own.time - found.time)
        };
        shares.clone().map(pair).sum::<f64>() / SAMPLES as f64
    };
    stage.original.iter().map(cost).collect()
}

/// Where a track is at given times that lie within it.
fn at_times(track: &[Fix], times: &[f64]) -> Vec<Fix> {
    let (Some(first), Some(last)) = (track.first(), track.last()) else { return Vec::new() };
    let from = times.partition_point(|time| *time < first.time);
    let until = times.partition_point(|time| *time <= last.time);
    let at = |time: &f64| {
        let next = track.partition_point(|fix| fix.time < *time);
        let (after, before) = (track[next], track[next.saturating_sub(1)]);
        let length = after.time - before.time;
        let part = if length > 0.0 { (time - before.time) / length } else { 1.0 };
        let between = |a: f64, b: f64| a + (b - a) * part;
        let position = Position {
            x: between(before.position.x, after.position.x),
            y: between(before.position.y, after.position.y),
        };
        Fix { time: *time, position }
    };
    times[from..until].iter().map(at).collect()
}

/// The published tracks with the smallest mean distance from positions, over those that are there
/// at most of the times.
fn nearest(stage: &TrackStage, known: &[Fix], fits: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut best: (usize, f64, Vec<u32>) = (0, f64::INFINITY, Vec::new());
    for (at, track) in (0..).zip(&stage.published).filter(|(at, _)| fits(*at)) {
        let (mut sum, mut met) = (0.0, 0);
        for fix in known {
            // Tracks that don't keep a common clock are between positions at the time.
            if let [own] = at_times(track, &[fix.time])[..] {
                sum += stage.plane.distance(own.position, fix.position);
                met += 1;
            }
        }
        if met == 0 || met < best.0 {
            continue;
        }
        // A centimetre is what rounding leaves.
        if met > best.0 || sum < best.1 - 0.01 {
            best = (met, sum, vec![at]);
        } else if (sum - best.1).abs() <= 0.01 {
            best.2.push(at);
        }
    }
    best.2
}
