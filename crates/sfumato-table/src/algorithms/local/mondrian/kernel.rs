//! The stable partition that moves a node's rows: one arrangement per split, one pass per column.
//!
//! Nothing here knows what a split means. The rows of a node are processed in chunks of 256. The
//! split column decides once per chunk which positions go left and which go right; every other
//! column is then moved by these positions, without a branch on the data and, because a position is
//! a byte, without a bounds check.

use super::cells::Cells;

/// The number of rows per chunk: as many as a byte can address.
pub const CHUNK: usize = 256;

/// Arrange rows by their codes: for each chunk, the positions that go left from the front, and
/// those that go right from the back (in reversed order). `lefts` gets how many of each chunk go
/// left. Returns how many go left in total.
pub fn arrange(
    cells: impl Cells,
    order: &mut [u8],
    lefts: &mut Vec<u16>,
    mut goes_left: impl FnMut(u32) -> bool,
) -> usize {
    lefts.clear();
    let mut total = 0;
    for (chunk, order) in order.chunks_mut(CHUNK).enumerate() {
        let start = chunk * CHUNK;
        let last = order.len() - 1;
        let mut n_left = 0usize;
        for (i, code) in cells.slice(start..start + order.len()).codes().enumerate() {
            // Both are written and only the right one is kept: cheaper than a branch that can't be
            // predicted. The wrong one lies between the two lists, and is overwritten.
            order[n_left] = i as u8;
            order[last + n_left - i] = i as u8;
            n_left += usize::from(goes_left(code));
        }
        lefts.push(n_left as u16);
        total += n_left;
    }
    total
}

/// Move a column by an arrangement with limited spare memory: if the smaller side is larger than
/// that, both halves are partitioned on their own and the two inner sides are swapped.
pub fn rearrange_in_pieces<T: Copy>(
    column: &mut [T],
    order: &[u8],
    lefts: &[u16],
    n_left: usize,
    buffer: &mut [T; CHUNK],
    spare: &mut [T],
) {
    let n = column.len();
    if n <= CHUNK || n_left.min(n - n_left) <= spare.len() {
        return rearrange(column, order, lefts, n_left, buffer, spare);
    }
    let chunks = lefts.len() / 2;
    let middle = chunks * CHUNK;
    let n_left_first = lefts[..chunks].iter().map(|n| usize::from(*n)).sum();
    let (first, second) = column.split_at_mut(middle);
    rearrange_in_pieces(first, &order[..middle], &lefts[..chunks], n_left_first, buffer, spare);
    rearrange_in_pieces(
        second,
        &order[middle..],
        &lefts[chunks..],
        n_left - n_left_first,
        buffer,
        spare,
    );
    column[n_left_first..middle + n_left - n_left_first].rotate_left(middle - n_left_first);
}

/// Move a column by an arrangement. The smaller side is copied to `spare`, so that half a column is
/// enough; the other side is compacted in place.
pub fn rearrange<T: Copy>(
    column: &mut [T],
    order: &[u8],
    lefts: &[u16],
    n_left: usize,
    buffer: &mut [T; CHUNK],
    spare: &mut [T],
) {
    let n = column.len();
    let n_right = n - n_left;
    if n <= CHUNK {
        buffer[..n].copy_from_slice(column);
        let (left, right) = column.split_at_mut(n_left);
        gather(left, order[..n_left].iter(), buffer);
        gather(right, order[n_left..].iter().rev(), buffer);
    } else if n_right <= n_left {
        let (mut left, mut right) = (0, 0);
        for (chunk, &n_chunk_left) in lefts.iter().enumerate() {
            let (start, end, n_chunk_left) = bounds(chunk, n, n_chunk_left);
            let (order_left, order_right) = order[start..end].split_at(n_chunk_left);
            let waiting = &mut spare[right..right + order_right.len()];
            let (done, rest) = column.split_at_mut(start);
            // When the gap behind the left side is wide enough, a chunk can be read where it lies.
            match (done.get_mut(left..left + order_left.len()), rest.first_chunk()) {
                (Some(target), Some(source)) => {
                    gather(target, order_left.iter(), source);
                    gather(waiting, order_right.iter().rev(), source);
                }
                _ => {
                    buffer[..end - start].copy_from_slice(&rest[..end - start]);
                    gather(&mut column[left..left + order_left.len()], order_left.iter(), buffer);
                    gather(waiting, order_right.iter().rev(), buffer);
                }
            }
            left += order_left.len();
            right += order_right.len();
        }
        column[n_left..].copy_from_slice(&spare[..n_right]);
    } else {
        // Compact the right side from the end: rows never move before the chunk they come from.
        let (mut left, mut right) = (n_left, n);
        for (chunk, &n_chunk_left) in lefts.iter().enumerate().rev() {
            let (start, end, n_chunk_left) = bounds(chunk, n, n_chunk_left);
            let (order_left, order_right) = order[start..end].split_at(n_chunk_left);
            let waiting = &mut spare[left - order_left.len()..left];
            let first_right = right - order_right.len();
            let (rest, done) = column.split_at_mut(end);
            let target = first_right.checked_sub(end).map(|first| &mut done[first..right - end]);
            match (target, rest[start..].first_chunk()) {
                (Some(target), Some(source)) => {
                    gather(target, order_right.iter().rev(), source);
                    gather(waiting, order_left.iter(), source);
                }
                _ => {
                    buffer[..end - start].copy_from_slice(&rest[start..]);
                    gather(&mut column[first_right..right], order_right.iter().rev(), buffer);
                    gather(waiting, order_left.iter(), buffer);
                }
            }
            left -= order_left.len();
            right = first_right;
        }
        column[..n_left].copy_from_slice(&spare[..n_left]);
    }
}

#[inline]
fn bounds(chunk: usize, n: usize, n_left: u16) -> (usize, usize, usize) {
    let start = chunk * CHUNK;
    (start, (start + CHUNK).min(n), usize::from(n_left))
}

#[inline]
fn gather<'a, T: Copy>(target: &mut [T], order: impl Iterator<Item = &'a u8>, buffer: &[T; CHUNK]) {
    for (cell, &position) in target.iter_mut().zip(order) {
        *cell = buffer[usize::from(position)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn is_a_stable_partition(
            n in 0usize..3000, threshold in 0u16..=300, seed in 1u32..10_000, room in 0usize..400,
        ) {
            let codes: Vec<u16> =
                (0..n as u32).map(|i| (i.wrapping_mul(seed * 2 + 1) >> 3) as u16 % 300).collect();
            let ids: Vec<u32> = (0..n as u32).collect();
            let (mut order, mut lefts) = (vec![0; n], Vec::new());
            let n_left = arrange(codes.as_slice(), &mut order, &mut lefts,
                |code| code < u32::from(threshold));
            let (mut moved_codes, mut moved_ids) = (codes.clone(), ids.clone());
            let mut spare = vec![0; n / 2];
            rearrange(&mut moved_codes, &order, &lefts, n_left, &mut [0; CHUNK], &mut spare);
            let mut spare = vec![0; n / 2];
            rearrange(&mut moved_ids, &order, &lefts, n_left, &mut [0; CHUNK], &mut spare);

            let (left, right): (Vec<u32>, Vec<u32>) =
                ids.iter().partition(|&&id| codes[id as usize] < threshold);
            prop_assert_eq!(left.len(), n_left);
            let (mut pieces, mut spare) = (ids.clone(), vec![0; room]);
            rearrange_in_pieces(&mut pieces, &order, &lefts, n_left, &mut [0; CHUNK], &mut spare);
            prop_assert_eq!(&pieces, &moved_ids);
            prop_assert_eq!(&moved_ids, &[left, right].concat());
            prop_assert!(moved_ids.iter().zip(&moved_codes)
                .all(|(&id, &code)| codes[id as usize] == code));
        }
    }
}
