//! Symmetric anonymization: whoever hides somebody is hidden by them.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::observer::Unit;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::{CELL, Classes, ORDER, RegionAlgorithm, RegionTask, SNAP, join};

/// The algorithm.
pub struct SymmetricAnonymization;

static INFO: Info = Info {
    name: "symmetric-anonymization",
    summary: "put everybody together with the nearest others at their known times, such that \
              whoever hides somebody is hidden by them",
    papers: &[Paper {
        authors: "R. Yarovoy, F. Bonchi, L. V. S. Lakshmanan, W. H. Wang",
        title: "Anonymizing moving objects: how to hide a MOB in a crowd?",
        venue: "EDBT",
        year: 2009,
    }],
    params: &[ORDER, SNAP, CELL],
    doc: "\
People are looked at one after the other. Everybody has a hiding set: themselves, those whom they \
hide already, and as many of the nearest at their known times as are missing to k, by their \
numbers \
on a Hilbert curve (threshold algorithm); whoever is taken gets the person into their own hiding \
set. At each known time of a person their hiding set shares a box; sets that share a track share \
one box there. So any two of a hiding set can be exchanged.

Boxes are needed only at times that are known of the person, unlike with `extreme-union`; neither \
is always better.
",
    capabilities: Capabilities {
        serves: &[Fact::AttackGraph],
        ignores: &["metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl RegionAlgorithm for SymmetricAnonymization {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn classes(&self, params: &Params, task: &RegionTask<'_>) -> Result<Classes> {
        let hiding = hiding_sets(params, task)?;
        let groups = hiding.iter().zip(task.known).map(|(set, known)| (&set[..], &known[..]));
        Ok(join(task.tracks.len(), groups))
    }
}

/// The hiding set of each track, with the track itself first.
pub fn hiding_sets(params: &Params, task: &RegionTask<'_>) -> Result<Vec<Vec<u32>>> {
    let n = task.tracks.len();
    task.observer.begin("anonymize", n as u64, Unit::Rows);
    let near = task.neighbours(params);
    let k = usize::try_from(task.k).unwrap_or(usize::MAX);
    let mut sets: Vec<Vec<u32>> = (0..n as u32).map(|track| vec![track]).collect();
    for track in 0..n as u32 {
        task.check_stopped()?;
        let own = &sets[track as usize];
        let missing = k.saturating_sub(own.len());
        let is_in = |other: u32| own.contains(&other);
        let more = near.nearest(track, &task.known[track as usize], missing, &is_in);
        for other in more {
            sets[track as usize].push(other);
            sets[other as usize].push(track);
        }
        task.observer.advance(1);
    }
    task.observer.end();
    Ok(sets)
}
