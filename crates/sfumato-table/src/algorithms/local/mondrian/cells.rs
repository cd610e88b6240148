//! Reads the codes of one column, whether they are stored alone or packed with those of other
//! columns.

use std::ops::Range;

use sfumato_core::column::Code;

/// The codes of a column at consecutive places.
pub trait Cells: Copy {
    /// The number of codes.
    fn len(self) -> usize;
    /// A range of codes.
    fn slice(self, range: Range<usize>) -> Self;
    /// The code at a place.
    fn at(self, place: usize) -> u32;
    /// All codes.
    fn codes(self) -> impl Iterator<Item = u32> + Clone;
}

impl<C: Code> Cells for &[C] {
    #[inline]
    fn len(self) -> usize {
        <[C]>::len(self)
    }
    #[inline]
    fn slice(self, range: Range<usize>) -> Self {
        &self[range]
    }
    #[inline]
    fn at(self, place: usize) -> u32 {
        self[place].widen()
    }
    #[inline]
    fn codes(self) -> impl Iterator<Item = u32> + Clone {
        <[C]>::iter(self).map(|code| code.widen())
    }
}

/// One byte of each packed record.
#[derive(Debug, Clone, Copy)]
pub struct Lane<'a, const N: usize> {
    /// The records.
    pub records: &'a [[u8; N]],
    /// The place of the byte in a record.
    pub lane: usize,
}

impl<const N: usize> Cells for Lane<'_, N> {
    #[inline]
    fn len(self) -> usize {
        self.records.len()
    }
    #[inline]
    fn slice(self, range: Range<usize>) -> Self {
        Lane { records: &self.records[range], lane: self.lane }
    }
    #[inline]
    fn at(self, place: usize) -> u32 {
        u32::from(self.records[place][self.lane % N])
    }
    #[inline]
    fn codes(self) -> impl Iterator<Item = u32> + Clone {
        // The remainder shows the compiler that the index is in bounds.
        let lane = self.lane % N;
        self.records.iter().map(move |record| u32::from(record[lane]))
    }
}

/// The smallest and the largest code of a nonempty slice.
#[inline]
pub fn min_max<C: Code>(codes: &[C]) -> (u32, u32) {
    let first = codes.first().copied().unwrap_or_default();
    let (min, max) =
        codes.iter().fold((first, first), |(min, max), &code| (min.min(code), max.max(code)));
    (min.widen(), max.widen())
}

/// The number of bytes compared at once; every record length divides it.
const BATCH: usize = 32;

/// The smallest and the largest byte of each lane.
#[inline]
pub fn min_max_of_lanes<const N: usize>(records: &[[u8; N]]) -> [(u32, u32); N] {
    let (mut min, mut max) = ([u8::MAX; BATCH], [0; BATCH]);
    let (batches, rest) = records.as_flattened().as_chunks::<BATCH>();
    for batch in batches {
        for i in 0..BATCH {
            min[i] = min[i].min(batch[i]);
            max[i] = max[i].max(batch[i]);
        }
    }
    for (i, &byte) in rest.iter().enumerate() {
        min[i] = min[i].min(byte);
        max[i] = max[i].max(byte);
    }
    let mut lanes = [(u32::from(u8::MAX), 0); N];
    for i in 0..BATCH {
        let lane = &mut lanes[i % N];
        *lane = (lane.0.min(u32::from(min[i])), lane.1.max(u32::from(max[i])));
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn lanes_have_the_bounds_of_their_bytes(records in prop::collection::vec(any::<[u8; 4]>(),
            1..60)) {
            for (lane, bounds) in min_max_of_lanes(&records).into_iter().enumerate() {
                let codes: Vec<u32> = Lane { records: &records, lane }.codes().collect();
                prop_assert_eq!(bounds, min_max(&codes));
                prop_assert_eq!(bounds,
                    (*codes.iter().min().unwrap(), *codes.iter().max().unwrap()));
            }
        }
    }
}
