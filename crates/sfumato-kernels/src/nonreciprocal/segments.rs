//! Cuts an order into segments at small gaps, by dynamic programming.
//!
//! With sizes from `min` to `max`, not every number of records can be covered: fewer than `min`, or
//! more than s * `max` and fewer than (s + 1) * `min` for some s. Fewer than `min` records are one
//! segment. Otherwise `max` is raised to the least that covers them with as many segments as `min`
//! allows: the records divided by their number s, rounded up (351 to 599 records: one segment of
//! all; 701 to 899: two of at most 450). No segment is ever shorter than `min` but a single one.

use std::collections::VecDeque;
use std::ops::Range;

use sfumato_core::{Error, Result};

/// The largest size that can be asked for: a segment has a table of all its distances.
const LARGEST: usize = 4096;

/// The smallest and the largest number of records of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentSizes {
    min: usize,
    max: usize,
}

impl Default for SegmentSizes {
    fn default() -> Self {
        SegmentSizes { min: 300, max: 350 }
    }
}

impl SegmentSizes {
    /// Make sizes from the smallest and the largest.
    pub fn new(min: usize, max: usize) -> Result<Self> {
        match min {
            0 => Err(Error::params("a segment needs at least one record")),
            _ if min > max => Err(Error::params(format!(
                "segments can't have at least {min} and at most {max} records"
            ))),
            _ if max > LARGEST => Err(Error::params(format!(
                "segments may have at most {LARGEST} records, not {max}"
            ))),
            _ => Ok(SegmentSizes { min, max }),
        }
    }

    /// The sizes that are used for `n` records: those asked for, or the smallest change that makes
    /// `n` possible.
    pub fn for_records(self, n: usize) -> (usize, usize) {
        match n / self.min {
            0 => (n, n),
            segments => (self.min, self.max.max(n.div_ceil(segments))),
        }
    }
}

/// Cut an order into segments such that the gaps at the borders have the least sum. `gaps[i]` is
/// the distance of record `i` from the one before; the first gap doesn't count. Among equal sums,
/// the last segments are as long as possible.
pub fn segments(gaps: &[u32], sizes: SegmentSizes) -> Vec<Range<usize>> {
    let n = gaps.len();
    if n == 0 {
        return Vec::new();
    }
    let (min, max) = sizes.for_records(n);
    // For each number of records: the least cost of cutting so many (nothing: it can't be done),
    // and where the last segment begins.
    let mut cost: Vec<Option<u64>> = vec![None; n + 1];
    let mut begin = vec![0; n + 1];
    cost[0] = Some(0);
    // Places where the last segment may begin, with what beginning there costs, ascending in both:
    // the first is the best.
    let mut best: VecDeque<(usize, u64)> = VecDeque::new();
    for end in min..=n {
        let enters = end - min;
        if let Some(before) = cost[enters] {
            let total = before + if enters == 0 { 0 } else { u64::from(gaps[enters]) };
            while best.back().is_some_and(|(_, other)| *other > total) {
                best.pop_back();
            }
            best.push_back((enters, total));
        }
        while best.front().is_some_and(|(place, _)| end - place > max) {
            best.pop_front();
        }
        if let Some((place, total)) = best.front() {
            (cost[end], begin[end]) = (Some(*total), *place);
        }
    }
    debug_assert!(cost[n].is_some(), "the sizes cover every number of records");
    let mut segments = Vec::new();
    let mut end = n;
    while end > 0 {
        segments.push(begin[end]..end);
        end = begin[end];
    }
    segments.reverse();
    segments
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least sum, by trying all ways to cut.
    fn least(gaps: &[u32], from: usize, min: usize, max: usize) -> Option<u64> {
        if from == gaps.len() {
            return Some(0);
        }
        let at = if from == 0 { 0 } else { u64::from(gaps[from]) };
        let ends = (from + min..=from + max).filter(|end| *end <= gaps.len());
        ends.filter_map(|end| least(gaps, end, min, max)).min().map(|rest| rest + at)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn borders_are_the_best(
            gaps in prop::collection::vec(0u32..9, 0..22),
            min in 1usize..6,
            more in 0usize..3,
        ) {
            let sizes = SegmentSizes::new(min, min + more).unwrap();
            let (least_size, most) = sizes.for_records(gaps.len());
            let found = segments(&gaps, sizes);
            prop_assert_eq!(found.iter().map(|segment| segment.len()).sum::<usize>(), gaps.len());
            prop_assert!(found.windows(2).all(|two| two[0].end == two[1].start));
            prop_assert!(found.iter().all(|segment| (least_size..=most).contains(&segment.len())));
            if !gaps.is_empty() {
                let sum: u64 =
                    found.iter().skip(1).map(|segment| u64::from(gaps[segment.start])).sum();
                prop_assert_eq!(Some(sum), least(&gaps, 0, least_size, most));
                // The sizes are changed only where those asked for can't do it.
                let possible = least(&gaps, 0, min, min + more).is_some();
                prop_assert_eq!(possible, (least_size, most) == (min, min + more));
            }
        }
    }

    #[test]
    fn every_number_of_records_is_covered() {
        let sizes = SegmentSizes::default();
        for n in (0..2000).chain([100_001]) {
            let found = segments(&vec![1; n], sizes);
            assert_eq!(found.iter().map(|segment| segment.len()).sum::<usize>(), n);
        }
        assert_eq!(sizes.for_records(6), (6, 6));
        assert_eq!(sizes.for_records(350), (300, 350));
        assert_eq!(sizes.for_records(351), (300, 351));
        assert_eq!(sizes.for_records(599), (300, 599));
        assert_eq!(sizes.for_records(899), (300, 450));
        assert_eq!(sizes.for_records(1799), (300, 360));
        assert_eq!(sizes.for_records(1800), (300, 350));
        assert!(SegmentSizes::new(0, 5).is_err());
        assert!(SegmentSizes::new(6, 5).is_err());
        assert!(SegmentSizes::new(6, 5000).is_err());
    }
}
