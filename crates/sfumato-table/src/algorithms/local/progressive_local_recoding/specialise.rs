//! One step for one group: chooses the column whose children gain most, and which records move to
//! them or stay.

use rayon::prelude::*;

use super::children::children;
use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::space::{Bounds, Space};

/// Rows with the smallest region around them.
pub struct Group {
    /// The rows, at least one.
    pub rows: Vec<u32>,
    region: Vec<Bounds>,
    /// The cost of a record of the group.
    price: f64,
}

impl Group {
    /// A group of at least one row.
    pub fn new(space: &Space<'_>, rows: Vec<u32>) -> Self {
        let region = space.around(&rows);
        let price = space.price(&region);
        Group { rows, region, price }
    }

    fn cost(&self) -> f64 {
        self.price * self.rows.len() as f64
    }
}

/// The groups that result from a group, or `None` if no column gains anything.
pub fn specialise(space: &Space<'_>, judge: &Judge<'_>, group: &Group) -> Option<Vec<Group>> {
    if group.rows.len() <= judge.min_rows {
        return None;
    }
    let try_column = |column: usize| {
        let children = children(&space.axes[column], group.region[column], &group.rows);
        let parts = part(space, judge, children)?;
        let gain = group.cost() - parts.iter().map(Group::cost).sum::<f64>();
        (gain > 0.0).then_some((gain, column, parts))
    };
    let best = (0..space.n_columns())
        .into_par_iter()
        .filter_map(try_column)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    best.map(|(_, _, parts)| parts)
}

/// Let children leave that may be published; the others stay together. If the rows that stay can't
/// be published, some rows come back.
fn part(space: &Space<'_>, judge: &Judge<'_>, children: Vec<Vec<u32>>) -> Option<Vec<Group>> {
    if children.len() < 2 {
        return None;
    }
    let (leaving, staying): (Vec<Vec<u32>>, Vec<Vec<u32>>) =
        children.into_iter().partition(|rows| judge.holds(rows));
    let mut leaving: Vec<Group> = leaving.into_iter().map(|rows| Group::new(space, rows)).collect();
    let mut staying: Vec<u32> = staying.concat();
    while !staying.is_empty() && !leaving.is_empty() && !judge.holds(&staying) {
        staying = call_back(space, judge, &mut leaving, Group::new(space, staying));
    }
    if leaving.is_empty() {
        return None;
    }
    if !staying.is_empty() {
        leaving.push(Group::new(space, staying));
    }
    Some(leaving)
}

/// The cost of calling rows back, the child that they come from, and the rows.
type Recall = (f64, usize, Vec<u32>);

/// Call back the rows of one child, or only the needed ones if counts decide and the child can
/// spare them, whichever costs least. Returns all rows that stay then.
fn call_back(
    space: &Space<'_>,
    judge: &Judge<'_>,
    leaving: &mut Vec<Group>,
    staying: Group,
) -> Vec<u32> {
    let need = judge.min_rows.saturating_sub(staying.rows.len());
    let mut best: Option<Recall> = None;
    for (place, child) in leaving.iter().enumerate() {
        let whole = (recall_cost(space, &staying, child, &child.rows), place, child.rows.clone());
        let spares = judge.by_rows() && child.rows.len() >= judge.min_rows + need;
        let some = spares.then(|| {
            let rows = nearest(space, &staying, child, need);
            (recall_cost(space, &staying, child, &rows), place, rows)
        });
        for recall in [some, Some(whole)].into_iter().flatten() {
            if best.as_ref().is_none_or(|best| recall.0 < best.0) {
                best = Some(recall);
            }
        }
    }
    let (_, place, rows) = best.expect("somebody leaves");
    let mut left = leaving.remove(place).rows;
    if rows.len() < left.len() {
        let mut called = rows.clone();
        called.sort_unstable();
        left.retain(|row| called.binary_search(row).is_err());
        leaving.insert(place, Group::new(space, left));
    }
    staying.rows.into_iter().chain(rows).collect()
}

/// The additional cost of the rows that stay and those that are called back.
fn recall_cost(space: &Space<'_>, staying: &Group, child: &Group, rows: &[u32]) -> f64 {
    let region = hull(&staying.region, &space.around(rows));
    let together = (staying.rows.len() + rows.len()) as f64;
    space.price(&region) * together - staying.cost() - child.price * rows.len() as f64
}

/// The rows of a child that are nearest to those that stay.
fn nearest(space: &Space<'_>, staying: &Group, child: &Group, n: usize) -> Vec<u32> {
    let price = |&row: &u32| (space.price(&hull(&staying.region, &space.of_row(row))), row);
    let mut rows: Vec<(f64, u32)> = child.rows.iter().map(price).collect();
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    rows.into_iter().take(n).map(|(_, row)| row).collect()
}

fn hull(a: &[Bounds], b: &[Bounds]) -> Vec<Bounds> {
    a.iter().zip(b).map(|(a, b)| a.hull(*b)).collect()
}
