//! The levels of one quasi column: for each level, which codes are published alike and what that
//! costs.
//!
//! A hierarchy has its own levels. Ordered columns without one get levels by frequency: every
//! value, then ever fewer intervals with about equally many records. Levels that merge nothing more
//! than the one below are left out, so the lattice has no node that loses without a gain.

use crate::algorithms::shared::intervals::{intervals, numbered};
use crate::algorithms::shared::mix::mix;
use crate::algorithms::shared::space::{Axis, Bounds};

/// How many intervals of a level make one of the next, in ordered columns without a hierarchy.
const FAN_IN: usize = 4;

/// One level: for each code a number that identifies its group, and the price of a cell that is
/// published as that group.
pub struct Rung {
    /// Random numbers, equal for codes of one group, different between columns and levels. A
    /// record's group at a node of the lattice is known by their sum. Should two sums ever agree by
    /// chance, a class gets wider than needed and nothing worse.
    pub key: Vec<u64>,
    /// The price of a cell.
    pub price: Vec<f64>,
    n_groups: usize,
}

/// The levels of a column, from exact to everything.
pub struct Ladder {
    /// The levels, at least one.
    pub rungs: Vec<Rung>,
}

impl Ladder {
    /// The levels of a column, by the codes that occur in it: `counts[code]` records have each.
    pub fn new(place: usize, axis: &Axis<'_>, counts: &[u64]) -> Self {
        let mut ladder = Ladder { rungs: Vec::new() };
        let seed = |level: usize| mix(((place as u64) << 32 | level as u64).wrapping_add(1));
        for groups in levels(axis, counts) {
            let level = ladder.rungs.len();
            let rung = Rung::new(axis, counts, &groups, seed(level));
            match ladder.rungs.last() {
                Some(below) if below.n_groups == rung.n_groups => {}
                _ => ladder.rungs.push(rung),
            }
        }
        ladder
    }
}

impl Rung {
    fn new(axis: &Axis<'_>, counts: &[u64], groups: &[u32], seed: u64) -> Self {
        let n_groups = groups.iter().max().map_or(0, |&most| most as usize + 1);
        let mut hull: Vec<Option<Bounds>> = vec![None; n_groups];
        for (code, &group) in groups.iter().enumerate().filter(|(code, _)| counts[*code] > 0) {
            let bounds = Bounds::of(code as u32);
            let hull = &mut hull[group as usize];
            *hull = Some(hull.map_or(bounds, |hull| hull.hull(bounds)));
        }
        let prices: Vec<f64> =
            hull.iter().map(|hull| hull.map_or(0.0, |hull| axis.price(hull))).collect();
        Rung {
            key: groups.iter().map(|&group| mix(seed ^ u64::from(group))).collect(),
            price: groups.iter().map(|&group| prices[group as usize]).collect(),
            n_groups: hull.iter().flatten().count(),
        }
    }
}

/// The groups of all codes, missing included, level by level.
fn levels(axis: &Axis<'_>, counts: &[u64]) -> Vec<Vec<u32>> {
    let missing = axis.missing as usize;
    let mut levels: Vec<Vec<u32>> = Vec::new();
    match axis.tree {
        Some(tree) => {
            let mut nodes: Vec<u32> = (0..missing as u32).map(|code| tree.leaf(code)).collect();
            for level in 0..tree.n_levels() {
                for node in &mut nodes {
                    while tree.level(*node) < level {
                        *node = tree.parent(*node);
                    }
                }
                levels.push(numbered(&nodes));
            }
        }
        None => levels = intervals(&counts[..missing], FAN_IN),
    }
    // Missing stands alone until everything is one.
    for level in &mut levels {
        level.push(level.iter().max().map_or(0, |&most| most + 1));
    }
    levels.push(vec![0; missing + 1]);
    levels
}
