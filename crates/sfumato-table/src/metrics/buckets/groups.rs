//! The number of groups of a bucket release.

use sfumato_core::registry::Info;

use super::{TableBucketMetric, TableBucketView};

/// The metric `groups`, an entry of the registry.
pub struct GroupCount;

static INFO: Info = Info {
    name: "groups",
    summary: "the number of groups of a bucket release of a table",
    doc: "The more groups, the fewer records among which a sensitive value may be anybody's: more \
        is better for whoever reads the release.",
    ..Info::DEFAULT
};

impl TableBucketMetric for GroupCount {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &TableBucketView<'_>) -> Vec<(Option<String>, f64)> {
        vec![(None, view.groups as f64)]
    }
}
