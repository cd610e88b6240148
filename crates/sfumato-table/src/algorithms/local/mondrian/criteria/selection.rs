//! Selection: how many records a predicate selects wrongly. Over a release it selects every region
//! that overlaps its rectangle, so a split helps if it puts records into a part that doesn't
//! overlap.

use std::ops::Range;

use sfumato_core::workload::Selection;

use super::super::shape::Bounds;
use super::{Parts, Slots};

/// The selections that a node's box overlaps.
#[derive(Debug, Default)]
pub struct Overlapping<'a> {
    selections: Vec<&'a Selection>,
}

fn overlaps(interval: &Option<Range<u32>>, first: u32, last: u32) -> bool {
    interval.as_ref().is_none_or(|interval| interval.start <= last && first < interval.end)
}

impl<'a> Overlapping<'a> {
    /// The selections that overlap a box.
    pub fn new(selections: &'a [Selection], region: &[Bounds]) -> Self {
        let inside = |selection: &&Selection| {
            selection
                .intervals
                .iter()
                .zip(region)
                .all(|(interval, b)| overlaps(interval, b.min, b.max))
        };
        Overlapping { selections: selections.iter().filter(inside).collect() }
    }

    /// Whether no split can help.
    pub fn is_empty(&self) -> bool {
        self.selections.is_empty()
    }

    /// Add the weighted number of records that a cut of a column before each slot puts outside a
    /// selection.
    pub fn add_cuts(
        &self,
        column: usize,
        slots: &Slots,
        cuts: Range<usize>,
        n_rows: usize,
        gains: &mut [f64],
    ) {
        // Both ends of the codes occur.
        let (first, last) = (slots.code(0), slots.code(slots.len() - 1));
        for selection in &self.selections {
            let interval = &selection.intervals[column];
            if interval.is_none() {
                continue;
            }
            let mut last_left = first;
            for slot in (0..cuts.end).filter(|slot| slots.rows_before(*slot) != slots.ends[*slot]) {
                if slot >= cuts.start {
                    // The sides reach up to their outermost cells.
                    let left = f64::from(slots.rows_before(slot));
                    let out_left = if overlaps(interval, first, last_left) { 0.0 } else { left };
                    let out_right = if overlaps(interval, slots.code(slot), last) {
                        0.0
                    } else {
                        n_rows as f64 - left
                    };
                    gains[slot - cuts.start] += selection.weight * (out_left + out_right);
                }
                last_left = slots.code(slot);
            }
        }
    }

    /// The weighted number of records that a split into parts, each with its own interval of codes,
    /// puts outside a selection.
    pub fn of_parts(&self, column: usize, slots: &Slots, parts: &Parts<'_>) -> f64 {
        let mut of_part = vec![(u32::MAX, 0u32, 0u32); parts.n];
        for slot in 0..slots.len() {
            let rows = slots.ends[slot] - slots.rows_before(slot);
            if rows > 0 {
                let (first, last, n) = &mut of_part[parts.of_slot[slot] as usize];
                (*first, *last, *n) =
                    ((*first).min(slots.code(slot)), (*last).max(slots.code(slot)), *n + rows);
            }
        }
        let mut gain = 0.0;
        for selection in &self.selections {
            let out = |(first, last, rows): &(u32, u32, u32)| {
                if overlaps(&selection.intervals[column], *first, *last) {
                    0.0
                } else {
                    f64::from(*rows)
                }
            };
            gain += selection.weight * of_part.iter().map(out).sum::<f64>();
        }
        gain
    }
}
