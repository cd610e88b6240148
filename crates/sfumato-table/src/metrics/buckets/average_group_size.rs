//! The mean size of the groups of a bucket release.

use sfumato_core::registry::Info;

use super::{TableBucketMetric, TableBucketView};

/// The metric `average-group-size`, an entry of the registry.
pub struct AverageGroupSize;

static INFO: Info = Info {
    name: "average-group-size",
    summary: "how many people a group of a bucket release has on average",
    doc: "People, where a subject column says which rows are one person's, and otherwise records. \
        Less is better for whoever reads the release.",
    ..Info::DEFAULT
};

impl TableBucketMetric for AverageGroupSize {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &TableBucketView<'_>) -> Vec<(Option<String>, f64)> {
        vec![(None, view.mean_size)]
    }
}
