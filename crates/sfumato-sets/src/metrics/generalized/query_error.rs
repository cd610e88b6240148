//! Query error: how far estimates of counts of records with two items are from the truth.

use sfumato_core::registry::Info;

use super::{TreeMetric, TreeView};
use crate::metrics::asked;

/// The metric.
pub struct QueryError;

static INFO: Info = Info {
    name: "query-error",
    summary: "relative error of how many records have two items; lower is better",
    doc: asked::DOC,
    ..Info::DEFAULT
};

impl TreeMetric for QueryError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &TreeView<'_>) -> Option<f64> {
        view.patterns.query_error()
    }
}
