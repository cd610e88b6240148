//! Fingerprints of sets: the sum of a random number for each item, so that adding or removing an
//! item is one addition. They are used to find sets, which are then compared in full.

/// The random number of each rank.
pub struct Words(Vec<u64>);

impl Words {
    /// Fixed numbers from a mixing function. A bad function costs time, never a wrong answer.
    pub fn new(n_items: usize) -> Self {
        let mix = |rank: u64| {
            let x = (rank + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ (x >> 31)
        };
        Words((0..n_items as u64).map(mix).collect())
    }
    /// The random number of a rank.
    #[inline]
    pub fn of(&self, rank: u32) -> u64 {
        self.0[rank as usize]
    }
    /// The fingerprint of a set.
    pub fn print(&self, ranks: impl Iterator<Item = u32>) -> u64 {
        ranks.fold(0, |print, rank| print.wrapping_add(self.of(rank)))
    }
}
