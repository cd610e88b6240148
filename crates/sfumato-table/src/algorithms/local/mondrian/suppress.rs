//! Suppression: which subtree may suppress, when it pays, and the second check of a release that
//! has become smaller.
//!
//! The records that may be suppressed are divided among subtrees by their size, so that the result
//! doesn't depend on which thread is first. What a subtree doesn't use isn't passed on.

use sfumato_core::column::Codes;
use sfumato_core::{Error, Result};

use super::check::Check;
use super::leaves::Leaves;
use super::shape::{Bounds, Shape};
use super::split::Split;

/// The share of a budget for the rows `before..before + rows` of `total`. The shares of consecutive
/// parts add up to the budget.
pub fn share(budget: u64, before: usize, rows: usize, total: usize) -> u64 {
    let upto = |rows: usize| (u128::from(budget) * rows as u128 / (total as u128).max(1)) as u64;
    upto(before + rows) - upto(before)
}

/// Whether a split that suppresses records lowers the loss. A suppressed record counts as one in
/// which every cell is lost; the others gain because the split column gets narrower. Later splits
/// may gain more, so this is a conservative estimate.
pub fn pays(split: &Split, shapes: &[Shape<'_>], bounds: &[Bounds]) -> bool {
    let kept_of_a_record: f64 = shapes
        .iter()
        .zip(bounds)
        .map(|(shape, &b)| shape.column.weight * (1.0 - shape.spread(b)))
        .sum();
    let (shape, whole) = (&shapes[split.column], bounds[split.column]);
    let before = shape.weighted_spread(whole);
    let gain: f64 = split
        .parts
        .iter()
        .filter(|part| part.holds)
        .map(|part| part.rows as f64 * (before - shape.weighted_spread(part.region.clip(whole))))
        .sum();
    gain > split.dropped() as f64 * kept_of_a_record
}

/// Whether suppressing the records of a split that fail costs less than keeping them at the
/// parent's value, where they need further records to be a class.
pub fn beats_keeping(
    split: &Split,
    shapes: &[Shape<'_>],
    bounds: &[Bounds],
    min_rows: usize,
) -> bool {
    let kept_of_a_record: f64 = shapes
        .iter()
        .zip(bounds)
        .map(|(shape, &b)| shape.column.weight * (1.0 - shape.spread(b)))
        .sum();
    let dropped = split.dropped();
    let kept_at_parent = shapes[split.column].weighted_spread(bounds[split.column]);
    pays(split, shapes, bounds)
        && dropped as f64 * kept_of_a_record < dropped.max(min_rows) as f64 * kept_at_parent
}

/// Check every class again when the release is no longer the whole table, since models that compare
/// with the release see another one. Classes that fail now are suppressed too, until all hold or
/// too many records are suppressed.
pub fn settle(
    check: &Check<'_>,
    payload: &[Codes],
    leaves: &mut [Leaves],
    max_suppressed: u64,
) -> Result<()> {
    if !check.needs_reference() || leaves.iter().all(|leaves| leaves.suppressed() == 0) {
        return Ok(());
    }
    let tally = check.tally(payload);
    loop {
        let mut kept: Vec<u32> = Vec::new();
        let mut start = 0u32;
        for segment in leaves.iter().flat_map(Leaves::segments) {
            if segment.published {
                kept.extend(start..start + segment.rows);
            }
            start += segment.rows;
        }
        let release = tally.of_rows(&kept);
        drop(kept);

        let mut fails = false;
        let mut start = 0usize;
        for segment in leaves.iter_mut().flat_map(Leaves::segments_mut) {
            let end = start + segment.rows as usize;
            if segment.published && !check.holds(&tally.of_range(start..end), &release) {
                segment.published = false;
                fails = true;
            }
            start = end;
        }
        if !fails {
            return Ok(());
        }
        let suppressed: u64 = leaves.iter().map(Leaves::suppressed).sum();
        if suppressed > max_suppressed || suppressed == start as u64 {
            return Err(Error::infeasible(
                "no release is left when the classes that fail are suppressed",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        let sizes = [7usize, 1, 0, 20, 3];
        let total = sizes.iter().sum();
        for budget in [0, 1, 5, 30, 31, 1000] {
            let mut before = 0;
            let mut given = 0;
            for rows in sizes {
                given += share(budget, before, rows, total);
                before += rows;
            }
            assert_eq!(given, budget);
        }
        assert_eq!(share(10, 0, 50, 100), 5);
    }
}
