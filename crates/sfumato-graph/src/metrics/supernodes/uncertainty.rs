//! How uncertain somebody is who draws a graph that fits.

use sfumato_core::registry::Info;

use super::{SupernodeMetric, SupernodeView};
use crate::algorithms::supernodes::{ln_choose, ln_worlds};

/// The metric `uncertainty`, an entry of the registry.
pub struct Uncertainty;

static INFO: Info = Info {
    name: "uncertainty",
    summary: "how many graphs fit, beside all with as many nodes and edges, as logarithms",
    doc: "The logarithm of the number of graphs that fit what is published, divided by the \
          logarithm of the number of all graphs with as many nodes and edges. 0 if the graph is \
          known, 1 if nothing is known but its size. It is what the algorithms make small.",
    ..Info::DEFAULT
};

impl SupernodeMetric for Uncertainty {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SupernodeView<'_>) -> Option<f64> {
        let n = view.original.n() as u64;
        let all = ln_choose(n * n.saturating_sub(1) / 2, view.original.m());
        (all > 0.0).then(|| ln_worlds(view.original, view.of) / all)
    }
}
