//! Splits a group that is large enough for two: as few records as may be published leave, beginning
//! with an outer one.

use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::points::{Points, grow};
use crate::algorithms::shared::space::Bounds;

/// The largest number of distinct records of a group that is split: only models that need large
/// groups make larger ones, and a split there costs more time than it gains.
const MOST_POINTS: usize = 1000;

/// A part and the rest, both of which may be published. Of the parts around two distant records,
/// the one that costs less.
pub fn halve(
    points: &Points<'_>,
    judge: &Judge<'_>,
    point_of_row: &[u32],
    rows: &[u32],
) -> Option<(Vec<u32>, Vec<u32>)> {
    if rows.len() < 2 * judge.min_rows {
        return None;
    }
    let members = Members::new(point_of_row, rows);
    if members.points.len() < 2 || members.points.len() > MOST_POINTS {
        return None;
    }
    let first = points.furthest(members.points[0] as usize, &members.points)?;
    let second = points.furthest(members.points[first] as usize, &members.points)?;
    let mut best: Option<(f64, Vec<u32>, Vec<u32>)> = None;
    for seed in [first, second] {
        let Some((part, left)) = leave(points, judge, &members, seed) else { continue };
        let price = cost(points, point_of_row, &part) + cost(points, point_of_row, &left);
        if best.as_ref().is_none_or(|best| price < best.0) {
            best = Some((price, part, left));
        }
    }
    best.map(|(_, part, left)| (part, left))
}

/// The rows of a group by distinct record.
struct Members {
    points: Vec<u32>,
    rows: Vec<Vec<u32>>,
}

impl Members {
    fn new(point_of_row: &[u32], rows: &[u32]) -> Self {
        let mut sorted: Vec<(u32, u32)> =
            rows.iter().map(|&row| (point_of_row[row as usize], row)).collect();
        sorted.sort_unstable();
        let mut members = Members { points: Vec::new(), rows: Vec::new() };
        for (point, row) in sorted {
            if members.points.last() != Some(&point) {
                members.points.push(point);
                members.rows.push(Vec::new());
            }
            members.rows.last_mut().expect("a list was just pushed").push(row);
        }
        members
    }
}

/// Grow a part from a seed by the record that keeps it cheapest, until it may be published.
fn leave(
    points: &Points<'_>,
    judge: &Judge<'_>,
    members: &Members,
    seed: usize,
) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut taken = vec![0usize; members.points.len()];
    let mut part = Vec::new();
    let mut summary = judge.summary(&[]);
    let mut region: Vec<Bounds> = points.region(members.points[seed] as usize).to_vec();
    let mut next = Some(seed);
    'growing: while let Some(member) = next {
        grow(&mut region, points.region(members.points[member] as usize));
        for &row in &members.rows[member] {
            part.push(row);
            taken[member] += 1;
            if !judge.by_rows() {
                summary.merge(&judge.summary(&[row]));
            }
            let enough =
                part.len() >= judge.min_rows && (judge.by_rows() || judge.allows(&summary));
            if enough {
                break 'growing;
            }
        }
        let open = (0..taken.len()).filter(|&other| taken[other] == 0);
        let priced = open.map(|other| {
            (
                points.hull_price(
                    &region,
                    points.region(members.points[other] as usize),
                    f64::INFINITY,
                ),
                other,
            )
        });
        next =
            priced.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, other)| other);
    }
    let left: Vec<u32> = members
        .rows
        .iter()
        .zip(&taken)
        .flat_map(|(rows, &taken)| rows[taken..].iter().copied())
        .collect();
    (!left.is_empty() && judge.holds(&part) && judge.holds(&left)).then_some((part, left))
}

/// The total cost of the records of a group.
fn cost(points: &Points<'_>, point_of_row: &[u32], rows: &[u32]) -> f64 {
    let region_of = |row: u32| points.region(point_of_row[row as usize] as usize);
    let mut region = region_of(rows[0]).to_vec();
    rows.iter().for_each(|&row| grow(&mut region, region_of(row)));
    points.price(&region) * rows.len() as f64
}
