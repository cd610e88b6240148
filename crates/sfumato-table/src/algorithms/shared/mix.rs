//! Small deterministic random numbers: the same on every machine, for choices on which no privacy
//! depends.

/// A hash of a number (the finalizer of SplitMix64).
#[inline]
pub fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Stream(u64);

impl Stream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Stream(mix(seed))
    }
    /// The next number.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }
    /// A number below `n`, which is below 2^32.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        (((self.draw() >> 32) * n as u64) >> 32) as usize
    }
    /// A number from 0 to 1, 1 left out.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }
}
