//! How many records a record stands for, such that the usual case of one costs nothing.

/// Weights of the records of a class.
pub trait Weights: Default + Send + Sync {
    /// The weight of a record.
    fn of(&self, record: u32) -> u32;
    /// Put the weights of some records into `into`.
    fn gather(&self, records: &[u32], into: &mut Self);
    /// The total weight of some records.
    fn sum(&self, records: &[u32]) -> u32;
}

/// The weights of records that all stand for one.
#[derive(Default)]
pub struct Ones;

impl Weights for Ones {
    #[inline]
    fn of(&self, _: u32) -> u32 {
        1
    }
    #[inline]
    fn gather(&self, _: &[u32], _: &mut Self) {}
    #[inline]
    fn sum(&self, records: &[u32]) -> u32 {
        records.len() as u32
    }
}

impl Weights for Vec<u32> {
    #[inline]
    fn of(&self, record: u32) -> u32 {
        self[record as usize]
    }
    fn gather(&self, records: &[u32], into: &mut Self) {
        into.clear();
        into.extend(records.iter().map(|record| self[*record as usize]));
    }
    fn sum(&self, records: &[u32]) -> u32 {
        records.iter().map(|record| self[*record as usize]).sum()
    }
}
