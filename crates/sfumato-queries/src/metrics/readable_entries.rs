//! Readable entries: the share of published rows whose query can be read.

use sfumato_core::registry::Info;

use super::{LogMetric, LogView, share};

/// The metric.
pub struct ReadableEntries;

static INFO: Info = Info {
    name: "readable-entries",
    summary: "share of published rows whose query can be read",
    doc: "Rows of people and queries that can be read, as a share of all rows of the release.",
    ..Info::DEFAULT
};

impl LogMetric for ReadableEntries {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["shared"]
    }
    fn measure(&self, view: &LogView<'_>) -> Option<f64> {
        view.told.readable.as_ref()?;
        share(view.told.readable_rows as f64, view.told.rows as f64)
    }
}
