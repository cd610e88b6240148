//! Microaggregation of tracks: groups of k near ones are published as their mean.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};

use super::distance::Distance;
use super::exchange::{exchange, points_of};
use super::intervals::cut_for;
use super::{MovedTracks, MovingAlgorithm, MovingTask, PI, together};
use crate::data::plane::mean;
use crate::data::synchronous::Synchronous;

/// The algorithm.
pub struct TrackMicroaggregation;

static INFO: Info = Info {
    name: "track-microaggregation",
    summary: "cut tracks to common intervals, and publish groups of at least k near ones as their \
              mean",
    papers: &[Paper {
        authors: "J. Domingo-Ferrer, R. Trujillo-Rasua",
        title: "Microaggregation- and permutation-based anonymization of movement data",
        venue: "Information Sciences",
        year: 2012,
    }],
    params: &[
        PI,
        ParamSpec::with_default(
            "exchange",
            ParamKind::Flag,
            "true",
            "whether tracks change groups at the end, as long as the sum of squared distances from \
             the means falls",
        ),
    ],
    doc: "\
Groups are made as MDAV makes them for numbers: the track that is farthest from the mean of those \
that are left with its k - 1 nearest, then the one that is farthest from it with its own; what is \
left at the end is the last group, of k to 2k - 1. Then tracks change to other groups, and pairs \
of them change places, as long as the sum of squared distances from the means falls. All tracks of \
a group are published as their mean at each tick, so that they are alike: k-delta-anonymity holds \
for every delta, 0 included, and the objections to a delta above 0 don't apply.

Tracks are cut as by `never-walk-alone`; those of intervals that fewer than k have are left out.
",
    capabilities: Capabilities {
        serves: &[Fact::Tracks],
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl MovingAlgorithm for TrackMicroaggregation {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &MovingTask<'_>) -> Result<MovedTracks> {
        task.observer.begin("anonymize", 0, Unit::Rows);
        let cut = cut_for(task, params.optional_integer("pi").map(i64::unsigned_abs))?;
        let mut groups = Vec::new();
        let exchanges = params.flag("exchange");
        for class in &cut.classes {
            groups.extend(mdav(task, &cut.parts, class, exchanges)?);
        }
        task.observer.end();
        together(task, &cut.parts, groups, 0.0, (cut.pi, None))
    }
}

/// Groups of k, the last of up to 2k - 1; others if tracks may change groups.
fn mdav(
    task: &MovingTask<'_>,
    parts: &[Option<Synchronous>],
    class: &[u32],
    exchanges: bool,
) -> Result<Vec<Vec<u32>>> {
    let k = usize::try_from(task.asked.k).unwrap_or(usize::MAX).max(1);
    let tracks: Vec<&Synchronous> =
        class.iter().filter_map(|track| parts[*track as usize].as_ref()).collect();
    let between = |a: usize, b: &Synchronous| Distance::Euclid.between(task.plane, tracks[a], b);
    let mut left: Vec<usize> = (0..tracks.len()).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut take = |left: &mut Vec<usize>, from: &Synchronous| -> Option<usize> {
        let farthest = left.iter().map(|at| (between(*at, from), *at));
        let (_, first) = farthest.reduce(|one, other| if other.0 > one.0 { other } else { one })?;
        let mut near: Vec<(f64, usize)> =
            left.iter().map(|at| (between(*at, tracks[first]), *at)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // The first is at no distance from itself, and so may others be.
        near.retain(|(_, at)| *at != first);
        near.truncate(k - 1);
        let members: Vec<usize> =
            std::iter::once(first).chain(near.into_iter().map(|(_, at)| at)).collect();
        left.retain(|at| !members.contains(at));
        groups.push(members);
        Some(first)
    };
    while left.len() >= 2 * k {
        task.check_stopped()?;
        let centre = Synchronous {
            start: tracks[0].start,
            positions: (0..tracks[0].positions.len())
                .map(|tick| mean(left.iter().map(|at| tracks[*at].positions[tick])))
                .collect(),
        };
        let first = take(&mut left, &centre);
        if let Some(first) = first.filter(|_| left.len() >= 2 * k) {
            take(&mut left, tracks[first]);
        }
    }
    if !left.is_empty() {
        groups.push(left);
    }
    if exchanges {
        exchange(task, &points_of(task, &tracks), &mut groups, k)?;
    }
    let name = |members: Vec<usize>| members.into_iter().map(|at| class[at]).collect();
    Ok(groups.into_iter().map(name).collect())
}
