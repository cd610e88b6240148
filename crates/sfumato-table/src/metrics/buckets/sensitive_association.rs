//! How well a bucket release tells the sensitive values of its records.

use sfumato_core::registry::Info;

use super::{TableBucketMetric, TableBucketView};

/// The metric `sensitive-association`, an entry of the registry.
pub struct SensitiveAssociation;

static INFO: Info = Info {
    name: "sensitive-association",
    summary: "the mean share that a record's own sensitive value has in its group",
    doc: "One value for each sensitive column: the chance with which a guess among the values of a \
        group meets a record's own, as the mean over all records. 1 where every group has one \
        value, which tells everything.",
    ..Info::DEFAULT
};

impl TableBucketMetric for SensitiveAssociation {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &TableBucketView<'_>) -> Vec<(Option<String>, f64)> {
        let named = view.association.iter();
        named.map(|(column, share)| (Some(column.clone()), *share)).collect()
    }
}
