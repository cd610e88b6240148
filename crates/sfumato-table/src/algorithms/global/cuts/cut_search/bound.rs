//! A lower bound of the cost of every release between two sets of splits.
//!
//! The classes of the finest set that is still within reach are parts of the classes of any release
//! between: each is published as a whole or suppressed as a whole. Published, its cells cost at
//! least what the finest values within reach do, and more in at least one column if it is too small
//! to stand alone; its share in the price of a class is at least that of the smallest class it can
//! be in; and records that are outsiders in it are outsiders in anything larger.

use sfumato_core::traits::Join;

use super::items::Items;
use super::reach::{Reach, reach};
use super::records::Records;
use super::state::State;

/// A lower bound.
pub struct Bound {
    /// The bound: no release between the two sets costs less.
    pub total: f64,
    /// The contribution of each distinct record to the bound. Empty if nothing may be suppressed.
    pub shares: Vec<f64>,
}

/// The bound of all sets of splits that contain those of a state and are contained in `finest`.
pub fn bound(records: &Records<'_>, head: &State, finest: &Items) -> Bound {
    let task = &records.task;
    let columns: Vec<Reach> = records
        .choices
        .columns
        .iter()
        .enumerate()
        .map(|(place, column)| reach(place, column, &head.on, finest, task.objective))
        .collect();
    let borrowed: Vec<&Reach> = columns.iter().collect();
    let (of_point, n) = records.partition(&borrowed);
    let suppresses = task.max_suppressed > 0;
    let mut doomed = vec![false; if suppresses { records.len() } else { 0 }];
    if suppresses {
        let points = head.doomed(records).flat_map(|class| &class.points);
        points.for_each(|&point| doomed[point as usize] = true);
    }
    let mut bound = Bound { total: 0.0, shares: vec![0.0; doomed.len()] };
    for points in records.members(&of_point, n) {
        let rows: u64 = points.iter().map(|&point| records.weight[point as usize]).sum();
        let published = match suppresses && doomed[points[0] as usize] {
            true => f64::INFINITY,
            false => published(records, &borrowed, &points, rows),
        };
        let suppressed = match suppresses {
            true => rows as f64 * task.objective.suppressed,
            false => f64::INFINITY,
        };
        let least = published.min(suppressed);
        bound.total += least;
        if suppresses {
            for &point in &points {
                bound.shares[point as usize] =
                    least * records.weight[point as usize] as f64 / rows as f64;
            }
        }
    }
    bound
}

/// The least cost of a class of the finest set if it is published.
fn published(records: &Records<'_>, columns: &[&Reach], points: &[u32], rows: u64) -> f64 {
    let point = points[0] as usize;
    let in_column =
        |place: usize| columns[place].of[records.values[place][point] as usize] as usize;
    let least = |place: usize| columns[place].least[in_column(place)];
    let places = 0..columns.len();
    // Fewer rows are fewer people too.
    let cells = match rows < records.min_people {
        false => records.task.objective.join().all(places.map(least)),
        true => {
            let coarser = |place: usize| columns[place].coarser[in_column(place)];
            match records.task.objective.join() {
                Join::Sum => {
                    let more = places.clone().map(|place| (coarser(place) - least(place)).max(0.0));
                    places.clone().map(least).sum::<f64>() + more.fold(f64::INFINITY, f64::min)
                }
                Join::Product => {
                    let with = |raised: usize| {
                        let cell =
                            |place| if place == raised { coarser(place) } else { least(place) };
                        match coarser(raised).is_finite() {
                            true => places.clone().map(cell).product(),
                            false => f64::INFINITY,
                        }
                    };
                    places.clone().map(with).fold(f64::INFINITY, f64::min)
                }
            }
        }
    };
    let size = rows.max(records.min_people).min(records.least_share.len() as u64 - 1);
    rows as f64 * (cells + records.least_share[size as usize]) + records.outsiders(points)
}
