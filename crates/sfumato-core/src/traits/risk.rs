//! Risks: what an attacker may achieve, estimated from class sizes.

use crate::registry::Info;

/// The sizes of all classes of a table or release, in people: how many classes have each size. A file may have more classes than memory has room for
/// numbers, but never many different sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassSizes {
    /// Each size that occurs with the number of classes that have it, smallest first; no zeros.
    counts: Vec<(u64, u64)>,
    /// How many people the data was drawn from, if known.
    pub population: Option<u64>,
}

impl ClassSizes {
    /// From the size of each class; a size of 0 is no class.
    pub fn from_sizes(sizes: impl IntoIterator<Item = u64>) -> Self {
        let mut sizes: Vec<u64> = sizes.into_iter().filter(|size| *size > 0).collect();
        sizes.sort_unstable();
        let counts = sizes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect();
        ClassSizes { counts, population: None }
    }

    /// From sizes with the number of classes that have each, in any order.
    pub fn from_counts(counts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut counts: Vec<(u64, u64)> =
            counts.into_iter().filter(|(size, classes)| *size > 0 && *classes > 0).collect();
        counts.sort_unstable();
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        ClassSizes { counts, population: None }
    }

    /// Add the classes of another part.
    pub fn merge(&mut self, other: &ClassSizes) {
        let counts = self.counts.iter().chain(&other.counts).copied();
        self.counts = Self::from_counts(counts).counts;
    }

    /// Each size with the number of classes that have it, smallest first.
    pub fn counts(&self) -> &[(u64, u64)] {
        &self.counts
    }
    /// The size of the smallest class.
    pub fn smallest(&self) -> Option<u64> {
        self.counts.first().map(|(size, _)| *size)
    }
    /// How many classes.
    pub fn classes(&self) -> u64 {
        self.counts.iter().map(|(_, classes)| classes).sum()
    }
    /// People in all classes.
    pub fn people(&self) -> u64 {
        self.counts.iter().map(|(size, classes)| size * classes).sum()
    }
}

/// A re-identification risk: an entry of the registry.
pub trait Risk: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// The risk, usually a probability or a share; `None` when it can't be said (no classes, no population).
    fn estimate(&self, classes: &ClassSizes) -> Option<f64>;
}
