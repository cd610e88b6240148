//! Regions of a local recoding overlap: a new row may lie in several, and the smallest needn't be
//! the one that needs it. This module moves rows between the regions that contain them until every
//! class that can be filled satisfies the models.

use rayon::prelude::*;
use sfumato_core::FastSet;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::traits::Task;

use crate::recoding_file::box_tree::{BoxTree, Region};

/// The number of rounds over all classes.
const ROUNDS: usize = 8;
/// The largest number of rows that a class which lacks some asks for.
const MOST_ASKED: usize = 10_000;
const MOST_PAIRS: usize = 1 << 30;

/// The new rows, and the regions to which they may go.
pub struct Rows<'a> {
    /// The different rows, as codes.
    pub tuples: &'a [Vec<u32>],
    /// For each row, which of the different rows it is.
    pub tuple_of_row: &'a [u32],
    /// The regions.
    pub tree: &'a BoxTree,
}

/// Move rows so that fewer classes fail. `regions[class]` is the region of a class, if it has one
/// of its own.
pub fn balance(
    task: &Task<'_>,
    rows: &Rows<'_>,
    regions: &[Option<&Region>],
    class_of_row: &mut [u32],
) {
    let tally = task.tally();
    let mut banned: FastSet<u32> = FastSet::default();
    for _ in 0..ROUNDS {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); regions.len()];
        for (row, class) in
            class_of_row.iter().enumerate().filter(|(_, class)| **class != SUPPRESSED)
        {
            members[*class as usize].push(row as u32);
        }
        let kept: Vec<u32> = members.iter().flatten().copied().collect();
        let release = tally.of_rows(&kept);
        let holds = |rows: &[u32]| task.requirements.holds(&tally.of_rows(rows), &release);
        let mut failing: Vec<u32> = (0..regions.len() as u32)
            .into_par_iter()
            .filter(|&class| {
                !members[class as usize].is_empty() && !holds(&members[class as usize])
            })
            .collect();
        if failing.is_empty() || failing.len().saturating_mul(rows.tuples.len()) > MOST_PAIRS {
            return;
        }
        let loss = |class: u32| regions[class as usize].map_or(f64::INFINITY, |region| region.loss);
        // Costly regions first: their rows have the fewest other places.
        failing.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)).then(a.cmp(&b)));
        for class in failing {
            if let Some(region) = regions[class as usize] {
                fill(class, region, rows, class_of_row, &mut members, &holds, &loss);
            }
            if holds(&members[class as usize]) {
                continue;
            }
            banned.insert(class);
            for row in std::mem::take(&mut members[class as usize]) {
                let tuple = &rows.tuples[rows.tuple_of_row[row as usize] as usize];
                let next = rows
                    .tree
                    .smallest_containing(tuple.as_slice(), |other| !banned.contains(&other));
                // Nowhere else to go: it stays, and is suppressed if the class still fails at the
                // end.
                let next = if next == SUPPRESSED { class } else { next };
                class_of_row[row as usize] = next;
                members[next as usize].push(row);
            }
        }
    }
}

/// Let a class take rows that it contains from classes that can spare them, beginning with those
/// that lose least.
fn fill(
    class: u32,
    region: &Region,
    rows: &Rows<'_>,
    class_of_row: &mut [u32],
    members: &mut [Vec<u32>],
    holds: &impl Fn(&[u32]) -> bool,
    loss: &impl Fn(u32) -> f64,
) {
    let inside: Vec<bool> =
        rows.tuples.par_iter().map(|tuple| region.contains(tuple.as_slice())).collect();
    let mut asked: Vec<u32> = (0..class_of_row.len() as u32)
        .filter(|&row| {
            let now = class_of_row[row as usize];
            inside[rows.tuple_of_row[row as usize] as usize] && now != class && now != SUPPRESSED
        })
        .collect();
    asked.sort_by(|&a, &b| {
        let now = |row: u32| loss(class_of_row[row as usize]);
        now(b).total_cmp(&now(a)).then(a.cmp(&b))
    });
    for row in asked.into_iter().take(MOST_ASKED) {
        if holds(&members[class as usize]) {
            return;
        }
        let from = class_of_row[row as usize] as usize;
        let without: Vec<u32> =
            members[from].iter().copied().filter(|&other| other != row).collect();
        if !without.is_empty() && holds(&without) {
            members[from] = without;
            members[class as usize].push(row);
            class_of_row[row as usize] = class;
        }
    }
}
