//! Metrics for matrices of flows: one file each, listed once.

sfumato_core::registry! {
    /// All metrics for flows, in the order of the catalogue.
    dyn FlowMetric:
    people_kept::PeopleKept,
    flow_error::FlowError,
}

use sfumato_core::registry::Info;

use crate::data::flows::Flows;

/// Matrices before and after.
pub struct FlowsView<'a> {
    /// The true matrix.
    pub before: &'a Flows,
    /// The published one.
    pub after: &'a Flows,
}

/// A metric for flows.
pub trait FlowMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// Measure. `None` if it isn't defined.
    fn measure(&self, view: &FlowsView<'_>) -> Option<f64>;
}
