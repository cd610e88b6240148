//! Splits a vector with one piece per record into blocks of records that threads can write at the
//! same time.

use std::ops::Range;

/// The number of records in a block.
const RECORDS: usize = 1 << 14;

/// The blocks: their records, and the pieces of these records together. `offsets` say where the
/// piece of each record begins, and where the last ends.
pub fn blocks<'a, T>(all: &'a mut [T], offsets: &[u64]) -> Vec<(Range<usize>, &'a mut [T])> {
    let n = offsets.len() - 1;
    let mut rest = all;
    let mut blocks = Vec::with_capacity(n / RECORDS + 1);
    for first in (0..n).step_by(RECORDS) {
        let end = n.min(first + RECORDS);
        let (piece, after) = rest.split_at_mut((offsets[end] - offsets[first]) as usize);
        blocks.push((first..end, piece));
        rest = after;
    }
    blocks
}
