//! How many records a record stands for, such that the usual answer, one, costs nothing.

/// Weights of the records of a class.
pub trait Weights: Default + Send + Sync {
    /// That of a record.
    fn of(&self, record: u32) -> u32;
    /// Those of some records, put into `into`.
    fn gather(&self, records: &[u32], into: &mut Self);
    /// That of many records together.
    fn sum(&self, records: &[u32]) -> u32;
}

/// Every record stands for itself.
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
