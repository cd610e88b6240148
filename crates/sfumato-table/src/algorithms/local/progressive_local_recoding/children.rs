//! The children of a group in one column: the rows after a step down its hierarchy, or a cut at the
//! median.

use crate::algorithms::shared::space::{Axis, Bounds};

/// The rows of a group by child, in the order of codes, without empty children. Fewer than two if
/// the column can't be specialised.
pub fn children(axis: &Axis<'_>, bounds: Bounds, rows: &[u32]) -> Vec<Vec<u32>> {
    if bounds.min == bounds.max {
        return Vec::new();
    }
    // Where some cells are missing, nothing can be said about the others until they part.
    if bounds.max == axis.missing {
        return by(axis, rows, &[axis.missing]);
    }
    match axis.tree {
        Some(tree) => {
            let nodes = tree.children(tree.smallest_cover(bounds.min, bounds.max + 1));
            let firsts: Vec<u32> = nodes.skip(1).map(|node| tree.lo(node)).collect();
            by(axis, rows, &firsts)
        }
        None => by(axis, rows, &[median_cut(axis, bounds, rows)]),
    }
}

/// Rows grouped by intervals, which are given by their first codes.
fn by(axis: &Axis<'_>, rows: &[u32], firsts: &[u32]) -> Vec<Vec<u32>> {
    let mut parts = vec![Vec::new(); firsts.len() + 1];
    for &row in rows {
        let code = axis.column.codes.get(row as usize);
        parts[firsts.partition_point(|&first| first <= code)].push(row);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The first code of the upper part: at the median or after it, whichever is more even.
fn median_cut(axis: &Axis<'_>, bounds: Bounds, rows: &[u32]) -> u32 {
    let mut codes: Vec<u32> = rows.iter().map(|&row| axis.column.codes.get(row as usize)).collect();
    let half = codes.len() / 2;
    let (_, &mut median, _) = codes.select_nth_unstable(half);
    let below = codes.iter().filter(|&&code| code < median).count();
    let up_to = codes.iter().filter(|&&code| code <= median).count();
    let uneven = |lower: usize| lower.abs_diff(codes.len() - lower);
    match median > bounds.min && (median == bounds.max || uneven(below) <= uneven(up_to)) {
        true => median,
        false => median + 1,
    }
}
