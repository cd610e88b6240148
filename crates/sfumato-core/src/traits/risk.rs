//! Risks: what an attacker may achieve, estimated from class sizes.

use crate::FastMap;
use crate::registry::Info;

/// The sizes of all classes of a table or release, in people: how many classes have each size, so
/// that it doesn't matter how many classes there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassSizes {
    /// Sizes and how many classes have them, smallest size first; no zeros.
    sizes: Vec<(u64, u64)>,
    /// How many people the data was drawn from, if known.
    pub population: Option<u64>,
}

impl ClassSizes {
    /// From the size of each class; a size of 0 is no class.
    pub fn from_sizes(sizes: impl IntoIterator<Item = u64>) -> Self {
        Self::from_counts(sizes.into_iter().map(|size| (size, 1)))
    }

    /// From sizes and how many classes have them, in any order; equal sizes are added.
    pub fn from_counts(counts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut classes: FastMap<u64, u64> = FastMap::default();
        for (size, n) in counts.into_iter().filter(|(size, n)| *size > 0 && *n > 0) {
            *classes.entry(size).or_default() += n;
        }
        let mut sizes: Vec<(u64, u64)> = classes.into_iter().collect();
        sizes.sort_unstable();
        ClassSizes { sizes, population: None }
    }

    /// The same classes, drawn from so many people.
    pub fn drawn_from(self, population: Option<u64>) -> Self {
        ClassSizes { population, ..self }
    }

    /// Add other classes.
    pub fn merge(&mut self, other: &ClassSizes) {
        let population = self.population;
        *self = Self::from_counts(self.iter().chain(other.iter()));
        self.population = population;
    }

    /// People in all classes.
    pub fn people(&self) -> u64 {
        self.iter().map(|(size, classes)| size * classes).sum()
    }
    /// How many classes.
    pub fn classes(&self) -> u64 {
        self.iter().map(|(_, classes)| classes).sum()
    }
    /// People in the smallest class.
    pub fn smallest(&self) -> Option<u64> {
        self.sizes.first().map(|(size, _)| *size)
    }
    /// Sizes and how many classes have them, smallest size first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + Clone + '_ {
        self.sizes.iter().copied()
    }
}

/// A re-identification risk: an entry of the registry.
pub trait Risk: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// The risk, usually a probability or a share; `None` when it can't be said (no classes, no
    /// population).
    fn estimate(&self, classes: &ClassSizes) -> Option<f64>;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn sizes_are_counted(sizes in prop::collection::vec(0u64..9, 0..50), cut in 0usize..50) {
            let cut = cut.min(sizes.len());
            let all = ClassSizes::from_sizes(sizes.iter().copied());
            prop_assert_eq!(all.people(), sizes.iter().sum::<u64>());
            prop_assert_eq!(all.classes(), sizes.iter().filter(|size| **size > 0).count() as u64);
            prop_assert_eq!(all.smallest(), sizes.iter().copied().filter(|size| *size > 0).min());
            let times = |size: u64| sizes.iter().filter(|other| **other == size).count() as u64;
            let counted = all.iter().all(|(size, n)| n == times(size));
            prop_assert!(all.iter().is_sorted() && counted);
            let mut merged = ClassSizes::from_sizes(sizes[..cut].iter().copied());
            merged.merge(&ClassSizes::from_sizes(sizes[cut..].iter().copied()));
            prop_assert_eq!(merged, all);
        }
    }
}
