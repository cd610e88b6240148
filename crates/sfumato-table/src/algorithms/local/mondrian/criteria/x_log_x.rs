//! `x ln x` of counts, looked up for small counts, which most are.

/// Counts below this bound are looked up.
const LOOKED_UP: usize = 4096;

/// The function `x ln x` with its table.
#[derive(Debug)]
pub struct XLogX {
    table: Vec<f64>,
}

impl XLogX {
    /// Fill the table.
    pub fn new() -> Self {
        XLogX { table: (0..LOOKED_UP).map(exact).collect() }
    }

    /// `count ln count`, 0 for 0.
    #[inline]
    pub fn of(&self, count: u32) -> f64 {
        match self.table.get(count as usize) {
            Some(known) => *known,
            None => exact(count as usize),
        }
    }
}

fn exact(count: usize) -> f64 {
    if count == 0 { 0.0 } else { count as f64 * (count as f64).ln() }
}
