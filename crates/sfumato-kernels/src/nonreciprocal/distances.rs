//! All distances between the places of a segment, and the nearest neighbours of each place.

/// A square table of distances, and for each place its nearest others.
pub struct Distances {
    n: usize,
    table: Vec<u32>,
    n_near: usize,
    near: Vec<u32>,
}

impl Distances {
    /// Compute the table from a function that gives the distance of each place from those before
    /// it, and find the `n_near` nearest places of each.
    pub fn new(n: usize, n_near: usize, mut between: impl FnMut(usize, usize) -> u32) -> Self {
        let mut table = vec![0; n * n];
        for i in 0..n {
            for j in 0..i {
                let distance = between(i, j);
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
            others.extend(
                row.iter().zip(0u32..).filter(|(_, j)| *j as usize != i).map(|(d, j)| (*d, j)),
            );
            if self.n_near < others.len() {
                others.select_nth_unstable(self.n_near);
                others.truncate(self.n_near);
            }
            others.sort_unstable();
            self.near.extend(others.iter().map(|(_, j)| *j));
        }
    }

    /// The number of places.
    pub fn n(&self) -> usize {
        self.n
    }
    /// The distance of two places.
    #[inline]
    pub fn get(&self, i: u32, j: u32) -> i64 {
        i64::from(self.table[i as usize * self.n + j as usize])
    }
    /// The nearest other places of a place, the nearest first.
    #[inline]
    pub fn near(&self, i: u32) -> &[u32] {
        &self.near[i as usize * self.n_near..][..self.n_near]
    }
}
