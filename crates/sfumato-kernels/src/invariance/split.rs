//! Partition: a balanced bucket becomes groups with one record of each value, near each other.

use super::Bucket;

/// Records that are published alike, one of each value of their signature.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// Its sensitive values, ascending.
    pub signature: Vec<u32>,
    /// The records of people.
    pub rows: Vec<u32>,
    /// The values of the records that are made up.
    pub made_up: Vec<u32>,
}

/// Divide a bucket into groups. `points` has for each column where each record is, `widths` how
/// wide each column is. Made-up records are nowhere, and stand where their value is missing. A
/// group of made-up records alone is left out: it is about nobody.
pub fn split(bucket: Bucket, points: &[Vec<u32>], widths: &[f64]) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut open = vec![bucket];
    while let Some(bucket) = open.pop() {
        let depth = bucket.depth();
        if depth > 1 {
            let (left, right) = halves(bucket, points, widths, depth);
            open.extend([right, left]);
            continue;
        }
        let made_up = bucket.signature.iter().zip(&bucket.made_up).filter(|(_, n)| **n > 0);
        let group = Group {
            made_up: made_up.map(|(value, _)| *value).collect(),
            rows: bucket.rows.concat(),
            signature: bucket.signature,
        };
        if !group.rows.is_empty() {
            groups.push(group);
        }
    }
    groups
}

/// Cut every section at the middle of the column that leaves the smallest halves.
fn halves(bucket: Bucket, points: &[Vec<u32>], widths: &[f64], depth: usize) -> (Bucket, Bucket) {
    let along = |column: Option<usize>| {
        let (left, right) = cut(bucket.clone(), column.map(|at| points[at].as_slice()), depth);
        let extent = extent(&left, points, widths) + extent(&right, points, widths);
        (extent, left, right)
    };
    let cuts = (0..points.len()).map(|column| along(Some(column)));
    let best = cuts.min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, left, right) = best.unwrap_or_else(|| along(None));
    (left, right)
}

/// Half of each section: the records that come first, with their share of those made up.
fn cut(mut bucket: Bucket, along: Option<&[u32]>, depth: usize) -> (Bucket, Bucket) {
    let half = depth / 2;
    let mut right = Bucket { signature: bucket.signature.clone(), ..Bucket::default() };
    for (rows, made_up) in bucket.rows.iter_mut().zip(&mut bucket.made_up) {
        if let Some(points) = along {
            rows.sort_by_key(|row| (points[*row as usize], *row));
        }
        let share = (rows.len() * half).div_ceil(depth);
        let here = share.clamp(half.saturating_sub(*made_up), half.min(rows.len()));
        right.rows.push(rows.split_off(here));
        right.made_up.push(*made_up - (half - here));
        *made_up = half - here;
    }
    (bucket, right)
}

/// How wide the records are spread, over all columns.
fn extent(bucket: &Bucket, points: &[Vec<u32>], widths: &[f64]) -> f64 {
    let of_column = |(points, width): (&Vec<u32>, &f64)| {
        let at = || bucket.rows.iter().flatten().map(|row| points[*row as usize]);
        match (at().min(), at().max()) {
            (Some(low), Some(high)) => f64::from(high - low) / width.max(1.0),
            _ => 0.0,
        }
    };
    points.iter().zip(widths).map(of_column).sum()
}
