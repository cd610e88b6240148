//! Readable queries: the share of different queries whose text can be read.

use sfumato_core::registry::Info;

use super::{LogMetric, LogView, share};

/// The metric.
pub struct ReadableQueries;

static INFO: Info = Info {
    name: "readable-queries",
    summary: "share of different queries whose text can be read",
    doc: "Different queries that can be put together from their shares, as a share of all.",
    ..Info::DEFAULT
};

impl LogMetric for ReadableQueries {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["shared"]
    }
    fn measure(&self, view: &LogView<'_>) -> Option<f64> {
        let readable = view.told.readable.as_ref()?;
        share(readable.len() as f64, view.log.texts.len() as f64)
    }
}
