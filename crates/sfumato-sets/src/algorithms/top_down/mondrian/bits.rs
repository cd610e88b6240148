//! The number of bits that it takes to say for each record of a class whether it has an item.

/// The largest number whose x log x is in a table.
const TABLE: usize = 1 << 16;

/// A table of x log x.
pub struct Bits(Vec<f64>);

impl Bits {
    /// A table for classes of up to `most` records.
    pub fn new(most: u32) -> Self {
        Bits((0..=TABLE.min(most as usize)).map(|x| x_log_x(x as f64)).collect())
    }
    #[inline]
    fn of(&self, x: u32) -> f64 {
        self.0.get(x as usize).copied().unwrap_or_else(|| x_log_x(f64::from(x)))
    }
    /// The bits for `n` records of which `count` have the item.
    #[inline]
    pub fn to_tell(&self, count: u32, n: u32) -> f64 {
        self.of(n) - self.of(count) - self.of(n - count)
    }
}

fn x_log_x(x: f64) -> f64 {
    if x > 0.0 { x * x.log2() } else { 0.0 }
}
