//! All Hamming distances among the sets of a segment, and the nearest of each.

use sfumato_core::column::Code;

/// A square table of distances, and for each set its nearest others.
pub(super) struct Distances {
    n: usize,
    table: Vec<u32>,
    n_near: usize,
    near: Vec<u32>,
}

impl Distances {
    /// The distances of some sets, and the `n_near` nearest of each.
    ///
    /// Bits of the items that occur are compared word by word: the table is needed whole, and counting bits is faster than merging lists.
    pub fn new<C: Code>(sets: &[&[C]], n_near: usize) -> Self {
        let n = sets.len();
        let mut items: Vec<C> = sets.concat();
        items.sort_unstable();
        items.dedup();
        let n_words = items.len().div_ceil(64);
        let mut words = vec![0u64; n * n_words];
        for (i, set) in sets.iter().enumerate() {
            let row = &mut words[i * n_words..][..n_words];
            for code in *set {
                let item = items.partition_point(|item| item < code);
                row[item / 64] |= 1 << (item % 64);
            }
        }
        let row = |i: usize| &words[i * n_words..][..n_words];
        let mut table = vec![0; n * n];
        for i in 0..n {
            for j in 0..i {
                let distance = row(i).iter().zip(row(j)).map(|(a, b)| (a ^ b).count_ones()).sum();
                table[i * n + j] = distance;
                table[j * n + i] = distance;
            }
        }
        let n_near = n_near.min(n.saturating_sub(1));
        let mut distances = Distances { n, table, n_near, near: Vec::with_capacity(n * n_near) };
        distances.find_nearest();
        distances
    }

    fn find_nearest(&mut self) {
        let mut others: Vec<(u32, u32)> = Vec::with_capacity(self.n);
        for i in 0..self.n {
            others.clear();
            let row = &self.table[i * self.n..][..self.n];
            others.extend(row.iter().zip(0u32..).filter(|(_, j)| *j as usize != i).map(|(d, j)| (*d, j)));
            if self.n_near < others.len() {
                others.select_nth_unstable(self.n_near);
                others.truncate(self.n_near);
            }
            others.sort_unstable();
            self.near.extend(others.iter().map(|(_, j)| *j));
        }
    }

    /// How many sets.
    pub fn n(&self) -> usize {
        self.n
    }
    /// The distance of two sets.
    #[inline]
    pub fn get(&self, i: u32, j: u32) -> i64 {
        i64::from(self.table[i as usize * self.n + j as usize])
    }
    /// The nearest others of a set, the nearest first.
    #[inline]
    pub fn near(&self, i: u32) -> &[u32] {
        &self.near[i as usize * self.n_near..][..self.n_near]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_distances_of_the_lists() {
        let lists: Vec<Vec<u16>> =
            (0..40u16).map(|i| (0..200).filter(|j| (i * 7 + j * j) % 5 < 2).collect()).collect();
        let sets: Vec<&[u16]> = lists.iter().map(Vec::as_slice).collect();
        let distances = Distances::new(&sets, 6);
        for i in 0..40u32 {
            for j in 0..40u32 {
                let expected = super::super::hamming::hamming(sets[i as usize], sets[j as usize]);
                assert_eq!(distances.get(i, j), i64::from(expected));
            }
            let mut others: Vec<u32> = (0..40).filter(|j| *j != i).collect();
            others.sort_by_key(|j| (distances.get(i, *j), *j));
            assert_eq!(distances.near(i), &others[..6]);
        }
        assert_eq!(Distances::new(&sets[..1], 6).near(0), &[] as &[u32]);
        assert_eq!(Distances::new::<u16>(&[], 6).n(), 0);
    }
}
