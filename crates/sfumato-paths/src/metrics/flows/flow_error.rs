//! Flow error: how far published counts are from the true ones.

use sfumato_core::registry::Info;

use super::{FlowMetric, FlowsView};
use crate::data::flows::Flows;

/// The metric.
pub struct FlowError;

static INFO: Info = Info {
    name: "flow-error",
    summary: "mean absolute difference of published and true counts; smaller is better",
    doc: "\
Over all pairs of places that either matrix has; a pair that a matrix hasn't counts as 0 there.

**Range** 0 and more, **smaller is better**.
",
    ..Info::DEFAULT
};

fn count(flows: &Flows, pair: &(String, String)) -> u64 {
    flows.get(pair).copied().unwrap_or(0)
}

impl FlowMetric for FlowError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &FlowsView<'_>) -> Option<f64> {
        let mut pairs: Vec<&(String, String)> =
            view.before.keys().chain(view.after.keys()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let off =
            |pair: &&(String, String)| count(view.before, pair).abs_diff(count(view.after, pair));
        let sum: u64 = pairs.iter().map(off).sum();
        (!pairs.is_empty()).then(|| sum as f64 / pairs.len() as f64)
    }
}
