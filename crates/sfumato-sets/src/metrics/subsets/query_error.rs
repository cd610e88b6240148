//! Query error: how far counts of rows with two items are from those of records.

use sfumato_core::registry::Info;

use crate::metrics::asked;
use crate::traits::{SetMetric, SetView};

/// The metric.
pub struct QueryError;

static INFO: Info = Info {
    name: "query-error",
    summary: "relative error of how many records have two items; lower is better",
    doc: asked::DOC,
    ..Info::DEFAULT
};

impl SetMetric for QueryError {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        view.patterns?.query_error()
    }
}
