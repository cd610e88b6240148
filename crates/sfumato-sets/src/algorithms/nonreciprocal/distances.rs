//! All Hamming distances between the sets of a segment.

use sfumato_core::column::Code;

use sfumato_kernels::nonreciprocal::Distances;

/// The distances of some sets, and the `n_near` nearest sets of each.
///
/// Sets are compared word by word as bits of the items that occur: all distances are needed, and
/// counting bits is faster than merging lists.
pub(super) fn distances<C: Code>(sets: &[&[C]], n_near: usize) -> Distances {
    let mut items: Vec<C> = sets.concat();
    items.sort_unstable();
    items.dedup();
    let n_words = items.len().div_ceil(64);
    let mut words = vec![0u64; sets.len() * n_words];
    for (i, set) in sets.iter().enumerate() {
        let row = &mut words[i * n_words..][..n_words];
        for code in *set {
            let item = items.partition_point(|item| item < code);
            row[item / 64] |= 1 << (item % 64);
        }
    }
    let row = |i: usize| &words[i * n_words..][..n_words];
    let between =
        |i: usize, j: usize| row(i).iter().zip(row(j)).map(|(a, b)| (a ^ b).count_ones()).sum();
    Distances::new(sets.len(), n_near, between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_distances_of_the_lists() {
        let lists: Vec<Vec<u16>> =
            (0..40u16).map(|i| (0..200).filter(|j| (i * 7 + j * j) % 5 < 2).collect()).collect();
        let sets: Vec<&[u16]> = lists.iter().map(Vec::as_slice).collect();
        let found = distances(&sets, 6);
        for i in 0..40u32 {
            for j in 0..40u32 {
                let expected = super::super::hamming::hamming(sets[i as usize], sets[j as usize]);
                assert_eq!(found.get(i, j), i64::from(expected));
            }
            let mut others: Vec<u32> = (0..40).filter(|j| *j != i).collect();
            others.sort_by_key(|j| (found.get(i, *j), *j));
            assert_eq!(found.near(i), &others[..6]);
        }
        assert_eq!(distances(&sets[..1], 6).near(0), &[] as &[u32]);
        assert_eq!(distances::<u16>(&[], 6).n(), 0);
    }
}
