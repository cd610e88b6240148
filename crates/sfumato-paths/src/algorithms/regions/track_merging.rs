//! Track merging: the two groups that stretch least when they are put together are merged, until
//! every group has k tracks.

use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::{Error, Result};

use super::{CELL, Classes, RegionAlgorithm, RegionTask, SNAP, join};
use crate::data::region::Region;

/// The most tracks that are compared each with each.
const MOST: usize = 5000;

/// The algorithm.
pub struct TrackMerging;

static INFO: Info = Info {
    name: "track-merging",
    summary: "merge the tracks that stretch least when they share boxes, until every group has k",
    papers: &[Paper {
        authors: "M. Gramaglia, M. Fiore",
        title: "Hiding mobile traffic fingerprints with GLOVE",
        venue: "CoNEXT",
        year: 2015,
    }],
    params: &[SNAP, CELL],
    doc: "\
Everybody begins as a group of their own. The two groups of fewer than k tracks, or one such and \
any \
other, whose boxes grow least when they become one are merged, until no group has fewer than k. At \
every time that is known of anybody a group shares a box: all of its tracks are published alike \
there, so that k-anonymity holds whatever times are known of whom.

Growth is how much wider and higher boxes become, summed over times and weighted with the number \
of \
tracks. The published method also stretches time: put tracks on a coarser clock with `every=..` \
for \
that.

Time grows with the square of the number of tracks, which may be 5,000.
",
    capabilities: Capabilities {
        serves: &[Fact::AttackGraph],
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

struct Group {
    members: Vec<u32>,
    boxes: Vec<Region>,
}

impl Group {
    /// How much the boxes of two groups grow when they become one.
    fn growth(&self, other: &Group) -> f64 {
        let size = |region: &Region| region.to.x - region.from.x + region.to.y - region.from.y;
        let (own, others) = (self.members.len() as f64, other.members.len() as f64);
        let pairs = self.boxes.iter().zip(&other.boxes);
        pairs
            .map(|(a, b)| {
                let both = size(&union(a, b));
                (both - size(a)) * own + (both - size(b)) * others
            })
            .sum()
    }
}

fn union(a: &Region, b: &Region) -> Region {
    let corners = [a.from, a.to, b.from, b.to];
    Region::around(corners.into_iter()).unwrap_or(*a)
}

impl RegionAlgorithm for TrackMerging {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self, _: &Params, task: &RegionTask<'_>) -> Result<Classes> {
        let n = task.tracks.len();
        if n > MOST {
            return Err(Error::resources(format!(
                "track-merging compares each track with each, and {n} are more than {MOST}"
            ))
            .hint("take symmetric-anonymization"));
        }
        task.observer.begin("anonymize", n as u64, Unit::Rows);
        let mut ticks: Vec<i64> = task.known.iter().flatten().copied().collect();
        ticks.sort_unstable();
        ticks.dedup();
        let start = |track: u32| Group {
            members: vec![track],
            boxes: ticks.iter().map(|tick| Region::point(task.position(track, *tick))).collect(),
        };
        let groups = merge(task, (0..n as u32).map(start).collect())?;
        task.observer.end();
        Ok(join(n, groups.iter().map(|members| (&members[..], &ticks[..]))))
    }
}

/// Merge groups until all have k tracks.
fn merge(task: &RegionTask<'_>, start: Vec<Group>) -> Result<Vec<Vec<u32>>> {
    let k = usize::try_from(task.k).unwrap_or(usize::MAX);
    let mut groups: Vec<Option<Group>> = start.into_iter().map(Some).collect();
    // The nearest other group of each that is too small.
    let nearest = |groups: &[Option<Group>], of: usize| -> Option<(f64, usize)> {
        let own = groups[of].as_ref().filter(|group| group.members.len() < k)?;
        let mut best: Option<(f64, usize)> = None;
        for (at, other) in groups.iter().enumerate() {
            let Some(other) = other.as_ref().filter(|_| at != of) else { continue };
            let growth = own.growth(other);
            if best.is_none_or(|best| growth < best.0) {
                best = Some((growth, at));
            }
        }
        best
    };
    let mut near: Vec<Option<(f64, usize)>> =
        (0..groups.len()).map(|of| nearest(&groups, of)).collect();
    loop {
        task.check_stopped()?;
        let found = near.iter().enumerate().filter_map(|(of, near)| Some((of, (*near)?)));
        let Some((one, (_, other))) = found.reduce(|a, b| if b.1.0 < a.1.0 { b } else { a }) else {
            break;
        };
        let (into, gone) = (one.min(other), one.max(other));
        let Some(taken) = groups[gone].take() else { break };
        if let Some(group) = &mut groups[into] {
            group
                .boxes
                .iter_mut()
                .zip(&taken.boxes)
                .for_each(|(own, more)| *own = union(own, more));
            group.members.extend(taken.members);
        }
        task.observer.advance(1);
        near[gone] = None;
        for of in 0..groups.len() {
            let is_about = near[of].is_some_and(|(_, other)| other == into || other == gone);
            if of == into || is_about {
                near[of] = nearest(&groups, of);
            } else if let (Some(own), Some(new), Some(known)) =
                (&groups[of], &groups[into], &mut near[of])
            {
                // The merged group may have come nearer than the nearest.
                let growth = own.growth(new);
                if growth < known.0 {
                    *known = (growth, into);
                }
            }
        }
    }
    Ok(groups.into_iter().flatten().map(|group| group.members).collect())
}
