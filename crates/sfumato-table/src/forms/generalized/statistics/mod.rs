//! Statistics of regions: the smallest, the largest and the mean value of a class's records,
//! together with the generalized text or instead of it.
//!
//! `forms` says which columns a job asks for, `grid` how a value is snapped and written,
//! `disclosure` when a statistic is withheld, `describe` computes them, `tell` is for the report.
//! The verifier's check of written statistics is in `cover_statistics.rs`, which shares only
//! `forms` with this module.

mod describe;
mod disclosure;
mod forms;
mod grid;
mod names;
mod tell;

pub use describe::{StatisticColumn, Statistics, Tallied, describe};
pub use disclosure::LEAST_PEOPLE;
pub use forms::{ColumnForms, FileColumn, Forms, Snap, resolve};
pub use names::with_statistics;
pub use tell::{shown, warnings};

/// A statistic that has a column of its own in the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RegionStatistic {
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The mean.
    Mean,
}

impl RegionStatistic {
    /// All of them, in the order of their columns.
    pub const ALL: [RegionStatistic; 3] =
        [RegionStatistic::Min, RegionStatistic::Max, RegionStatistic::Mean];

    /// The suffix of the column's name.
    pub fn word(self) -> &'static str {
        match self {
            RegionStatistic::Min => "min",
            RegionStatistic::Max => "max",
            RegionStatistic::Mean => "mean",
        }
    }

    /// The name of its column.
    pub fn name(self, column: &str) -> String {
        format!("{column}.{}", self.word())
    }
}
