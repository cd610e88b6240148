//! Risks: estimates of an attacker's success from the sizes of classes.

use crate::FastMap;
use crate::registry::Info;

/// The sizes of all classes of a table or release, in people: how many classes have each size, so
/// that it doesn't matter how many classes there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassSizes {
    /// Sizes with the number of classes that have them, smallest size first, without zeros.
    sizes: Vec<(u64, u64)>,
    /// The size of the population from which the data were drawn, if known.
    pub population: Option<u64>,
}

impl ClassSizes {
    /// Make it from the size of each class. A size of 0 is no class.
    pub fn from_sizes(sizes: impl IntoIterator<Item = u64>) -> Self {
        Self::from_counts(sizes.into_iter().map(|size| (size, 1)))
    }

    /// Make it from sizes and how many classes have them, in any order. Equal sizes are added.
    pub fn from_counts(counts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut classes: FastMap<u64, u64> = FastMap::default();
        for (size, n) in counts.into_iter().filter(|(size, n)| *size > 0 && *n > 0) {
            *classes.entry(size).or_default() += n;
        }
        let mut sizes: Vec<(u64, u64)> = classes.into_iter().collect();
        sizes.sort_unstable();
        ClassSizes { sizes, population: None }
    }

    /// The same classes with the size of the population from which their people were drawn.
    pub fn drawn_from(self, population: Option<u64>) -> Self {
        ClassSizes { population, ..self }
    }

    /// Add other classes.
    pub fn merge(&mut self, other: &ClassSizes) {
        let population = self.population;
        *self = Self::from_counts(self.iter().chain(other.iter()));
        self.population = population;
    }

    /// The number of people in all classes.
    pub fn people(&self) -> u64 {
        self.iter().map(|(size, classes)| size * classes).sum()
    }
    /// The number of classes.
    pub fn classes(&self) -> u64 {
        self.iter().map(|(_, classes)| classes).sum()
    }
    /// The number of people in the smallest class.
    pub fn smallest(&self) -> Option<u64> {
        self.sizes.first().map(|(size, _)| *size)
    }
    /// Sizes with the number of classes that have them, smallest size first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, u64)> + Clone + '_ {
        self.sizes.iter().copied()
    }
}

/// A re-identification risk: an entry of the registry.
pub trait Risk: Sync {
    /// The name, summary and parameters of the risk.
    fn info(&self) -> &'static Info;
    /// Estimate the risk, usually a probability or a share. `None` if there are no classes, or the
    /// population is needed and unknown.
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
