//! Metrics for supernodes: how uncertain an analyst is, and how far graphs that fit are from the
//! original. One file each, listed once.

use sfumato_core::registry::Info;

use crate::data::{Graph, Supernodes};

/// How many graphs that fit are looked at.
pub const WORLDS: u64 = 10;

/// A metric for supernodes: an entry of the registry.
pub trait SupernodeMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure a release. `None` if the metric isn't defined for it.
    fn measure(&self, view: &SupernodeView<'_>) -> Option<f64>;
    /// What is measured of one graph that fits, where the metric is a mean over such.
    fn of_world(&self, _: &SupernodeView<'_>, _world: &Graph) -> Option<f64> {
        None
    }
}

sfumato_core::registry! {
    /// Every metric for supernodes.
    dyn SupernodeMetric:
    uncertainty::Uncertainty,
    degree_distribution::DegreeDistribution,
    clustering_change::ClusteringChange,
    largest_component_change::LargestComponentChange,
    path_length_change::PathLengthChange,
}

/// What a metric sees: the original, what is published, and graphs that fit.
pub struct SupernodeView<'a> {
    /// The original.
    pub original: &'a Graph,
    /// What is published.
    pub published: &'a Supernodes,
    /// The supernode of each node.
    pub of: &'a [u32],
    /// Graphs that fit.
    pub worlds: Vec<Graph>,
}

impl<'a> SupernodeView<'a> {
    /// A view with graphs drawn from the same places in every run: they are no secret.
    pub fn new(original: &'a Graph, published: &'a Supernodes, of: &'a [u32]) -> Self {
        let worlds = (0..WORLDS).map(|seed| published.world(seed)).collect();
        SupernodeView { original, published, of, worlds }
    }

    /// The mean of something over all graphs that fit.
    pub fn mean(&self, of: impl Fn(&Graph) -> Option<f64>) -> Option<f64> {
        let found: Option<Vec<f64>> = self.worlds.iter().map(of).collect();
        found.map(|found| found.iter().sum::<f64>() / found.len().max(1) as f64)
    }

    /// How far apart the least and the largest figure of any graph that fits are, for each metric
    /// that is a mean.
    pub fn spreads(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        ALL.iter().filter_map(|metric| {
            let figures: Option<Vec<f64>> =
                self.worlds.iter().map(|world| metric.of_world(self, world)).collect();
            let figures = figures?;
            let least = figures.iter().copied().fold(f64::INFINITY, f64::min);
            let most = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            Some((metric.info().name, most - least))
        })
    }
}
