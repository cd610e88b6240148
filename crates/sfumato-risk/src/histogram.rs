//! Class sizes in buckets whose bounds don't depend on the data, so that two tables can be laid side by side.

/// Classes and people by class size, as `(from, to, classes, people)` with both bounds included, smallest first.
///
/// Buckets are 1, 2, 3-4, 5-9, 10-19, 20-49, 50-99, 100-199, ... cut at 1, 2 and 5 in each decade; pairs stand alone
/// because a class of two lets either member find the other. Empty buckets are left out, sizes of 0 passed over. The
/// last possible bucket ends at `u64::MAX`.
pub fn class_size_histogram(sizes: &[u64]) -> Vec<(u64, u64, u64, u64)> {
    let bounds = bounds();
    let mut buckets: Vec<_> = bounds.iter().map(|(from, to)| (*from, *to, 0, 0)).collect();
    for &size in sizes.iter().filter(|size| **size > 0) {
        let bucket = &mut buckets[bounds.partition_point(|(_, to)| *to < size)];
        bucket.2 += 1;
        bucket.3 += size;
    }
    buckets.retain(|bucket| bucket.2 > 0);
    buckets
}

fn bounds() -> Vec<(u64, u64)> {
    let decades = std::iter::successors(Some(1u64), |decade| decade.checked_mul(10));
    let mut starts: Vec<u64> =
        decades.flat_map(|d| [Some(d), d.checked_mul(2), d.checked_mul(5)]).flatten().collect();
    starts.insert(2, 3);
    let ends = starts[1..].iter().map(|start| start - 1).chain([u64::MAX]);
    starts.iter().copied().zip(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn buckets_tile_all_sizes() {
        let bounds = bounds();
        assert_eq!(
            bounds[..9],
            [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 199), (200, 499)]
        );
        assert!(bounds.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
        assert_eq!(bounds.last().unwrap().1, u64::MAX);
        assert_eq!(class_size_histogram(&[u64::MAX])[0].1, u64::MAX);
    }

    #[test]
    fn empty_buckets_and_classes_are_left_out() {
        assert!(class_size_histogram(&[]).is_empty() && class_size_histogram(&[0, 0]).is_empty());
        assert_eq!(class_size_histogram(&[3, 4]), [(3, 4, 2, 7)]);
        assert_eq!(
            class_size_histogram(&[1, 100, 0, 1, 2]),
            [(1, 1, 2, 2), (2, 2, 1, 2), (100, 199, 1, 100)]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_counting(sizes in prop::collection::vec(0..3000u64, 0..200)) {
            let histogram = class_size_histogram(&sizes);
            for (from, to, classes, people) in &histogram {
                let inside = || sizes.iter().filter(|size| (*from..=*to).contains(*size));
                prop_assert_eq!((*classes, *people), (inside().count() as u64, inside().sum::<u64>()));
            }
            prop_assert_eq!(histogram.iter().map(|bucket| bucket.3).sum::<u64>(), sizes.iter().sum::<u64>());
        }
    }
}
