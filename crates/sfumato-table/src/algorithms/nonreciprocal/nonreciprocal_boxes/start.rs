//! The initial matches, as the places along the order of the records that each region contains.

use std::collections::BTreeMap;

use sfumato_core::registry::Params;
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, Result};

use crate::algorithms::local::mondrian::Mondrian;
use crate::algorithms::local::peel::Peel;
use crate::algorithms::shared::space::Space;

/// The largest number of records for which `peel` is worth its time.
const PEEL_ROWS: usize = 500_000;

/// The order, changed if that helps, and the places of k records for each place, one place after
/// the other. Every place occurs k times among them.
pub fn start(
    params: &Params,
    task: &Task<'_>,
    space: &Space<'_>,
    order: Vec<u32>,
    k: usize,
) -> Result<(Vec<u32>, Vec<u32>)> {
    if params.text("start") == Some("ring") {
        let members = in_ring(0, order.len(), k).collect();
        return Ok((order, members));
    }
    let has_trees = space.axes.iter().all(|axis| axis.tree.is_some());
    match has_trees && order.len() <= PEEL_ROWS {
        true => in_classes(&Peel, task, &order, k),
        false => in_classes(&Mondrian, task, &order, k),
    }
}

/// Some neighbouring places as a ring: each with those of the k - 1 before it.
fn in_ring(first: usize, n: usize, k: usize) -> impl Iterator<Item = u32> {
    (0..n).flat_map(move |place| (0..k).map(move |step| (first + (place + n - step) % n) as u32))
}

/// The classes of another algorithm, each as a ring of its own, in the order of their first
/// records.
fn in_classes(
    algorithm: &dyn Algorithm,
    task: &Task<'_>,
    order: &[u32],
    k: usize,
) -> Result<(Vec<u32>, Vec<u32>)> {
    let params = Params::check(algorithm.info(), &BTreeMap::new())?;
    let recoding =
        algorithm.anonymize(&params, &Task { max_suppressed: 0, workload: None, ..*task })?;
    let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); recoding.n_classes()];
    let mut met = Vec::new();
    for row in order {
        let class = recoding.class_of_row()[*row as usize];
        let rows = rows_of.get_mut(class as usize);
        let rows = rows.ok_or_else(|| Error::internal("a record is in no class"))?;
        if rows.is_empty() {
            met.push(class);
        }
        rows.push(*row);
    }
    let (mut ordered, mut members) =
        (Vec::with_capacity(order.len()), Vec::with_capacity(order.len() * k));
    for class in met {
        let rows = &rows_of[class as usize];
        members.extend(in_ring(ordered.len(), rows.len(), k));
        ordered.extend_from_slice(rows);
    }
    Ok((ordered, members))
}
