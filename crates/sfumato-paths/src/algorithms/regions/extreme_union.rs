//! Extreme union: everybody is put together with their nearest, at all times that are known of any
//! of them.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::{CELL, Classes, ORDER, RegionAlgorithm, RegionTask, SNAP, join};

/// The algorithm.
pub struct ExtremeUnion;

static INFO: Info = Info {
    name: "extreme-union",
    summary: "put everybody together with the k - 1 nearest, at all times known of any of them",
    papers: &[Paper {
        authors: "R. Yarovoy, F. Bonchi, L. V. S. Lakshmanan, W. H. Wang",
        title: "Anonymizing moving objects: how to hide a MOB in a crowd?",
        venue: "EDBT",
        year: 2009,
    }],
    params: &[ORDER, SNAP, CELL],
    doc: "\
The anonymity group of a person are the k - 1 others that are nearest at the person's known times, \
by their numbers on a Hilbert curve (threshold algorithm). At each time that is known of any \
member \
of a group, the group shares a box; groups that share a member share one box there. So every track \
of a group fits every member of it, and any two can be exchanged.

The published page lists known times of the person alone in one place, which would give a release \
in which two people are found; all known times of the group are needed, and taken.
",
    capabilities: Capabilities {
        serves: &[Fact::AttackGraph],
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl RegionAlgorithm for ExtremeUnion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self, params: &Params, task: &RegionTask<'_>) -> Result<Classes> {
        let n = task.tracks.len();
        task.observer.begin("anonymize", n as u64, Unit::Rows);
        let near = task.neighbours(params);
        let others = usize::try_from(task.k).unwrap_or(usize::MAX).saturating_sub(1);
        let mut groups: Vec<(Vec<u32>, Vec<i64>)> = Vec::with_capacity(n);
        for track in 0..n as u32 {
            task.check_stopped()?;
            let known = &task.known[track as usize];
            let mut members = near.nearest(track, known, others, &|_| false);
            members.push(track);
            let mut ticks: Vec<i64> =
                members.iter().flat_map(|one| task.known[*one as usize].iter().copied()).collect();
            ticks.sort_unstable();
            ticks.dedup();
            groups.push((members, ticks));
            task.observer.advance(1);
        }
        task.observer.end();
        Ok(join(n, groups.iter().map(|(members, ticks)| (&members[..], &ticks[..]))))
    }
}
