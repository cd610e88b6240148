//! What a sample says of the records it was drawn from: the size of the error, and a group that is worse by that much.

use crate::group::{Histogram, Summary};

/// A simple random sample, drawn without replacement.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// Records that it was drawn from.
    pub population: u64,
    /// Records drawn.
    pub sample: u64,
    /// How often a group may be taken for publishable that isn't.
    pub alpha: f64,
    /// The point of the standard normal distribution that a share leaves above it. Core has no statistics of its own.
    pub z: fn(f64) -> f64,
}

impl Sampling {
    /// Whether everything was drawn.
    pub fn is_whole(&self) -> bool {
        self.sample >= self.population
    }
    /// The share of the variance that is left because the population is finite.
    pub fn correction(&self) -> f64 {
        let (all, drawn) = (self.population as f64, self.sample as f64);
        ((all - drawn) / all).max(0.0)
    }
    /// The quantile for one of so many parts that are tested together.
    pub fn quantile(&self, n_parts: usize) -> f64 {
        (self.z)(self.alpha / n_parts.max(1) as f64)
    }
    /// Sampled records that a part needs, one of so many, so that it has at least `least` records of the population with high confidence.
    pub fn needed(&self, least: u64, n_parts: usize) -> u64 {
        if self.is_whole() {
            return least;
        }
        let (all, drawn) = (self.population as f64, self.sample as f64);
        let p = least as f64 / all;
        let variance = p * (1.0 - p).max(0.0) / (drawn - 1.0).max(1.0) * self.correction();
        ((p + self.quantile(n_parts) * variance.sqrt()) * drawn).ceil() as u64
    }
    /// The population's group as the sample shows it: all counts in proportion.
    pub fn scaled(&self, group: &Summary) -> Summary {
        self.shifted(group, 0.0)
    }
    /// The same, with the most frequent value of each sensitive column more frequent and all others less by the error that one of
    /// so many parts may have: what a model without a test of its own is asked about.
    pub fn skewed(&self, group: &Summary, n_parts: usize) -> Summary {
        self.shifted(group, self.quantile(n_parts))
    }

    fn shifted(&self, group: &Summary, z: f64) -> Summary {
        if self.is_whole() {
            return group.clone();
        }
        let factor = self.population as f64 / self.sample.max(1) as f64;
        let histogram = |histogram: &Histogram| {
            let most =
                histogram.entries().iter().max_by_key(|(code, count)| (*count, std::cmp::Reverse(*code)));
            let most = most.map(|(code, _)| *code);
            let total = histogram.total() as f64;
            let count = |&(code, count): &(u32, u64)| {
                let share = count as f64 / total;
                let error = z * (total * share * (1.0 - share) * self.correction()).sqrt();
                let count = if Some(code) == most { count as f64 + error } else { count as f64 - error };
                (code, (count.max(0.0) * factor).floor() as u64)
            };
            Histogram::from_counts(histogram.entries().iter().map(count))
        };
        let people = |n: u64| (n as f64 * factor).floor() as u64;
        Summary::estimated(
            people(group.rows),
            people(group.people),
            group.histograms.iter().map(histogram).collect(),
        )
    }
}
