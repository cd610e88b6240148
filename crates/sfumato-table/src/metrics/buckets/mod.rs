//! Metrics of bucket releases of tables: one file each, listed once.

use sfumato_core::registry::Info;

/// What a metric of buckets sees of a release.
pub struct TableBucketView<'a> {
    /// How many groups there are.
    pub groups: u64,
    /// How many people a group has on average.
    pub mean_size: f64,
    /// For each sensitive column its name, and the mean over all records of the share that a
    /// record's own value has in its group.
    pub association: &'a [(String, f64)],
}

/// A metric of bucket releases of tables: an entry of the registry.
pub trait TableBucketMetric: Sync {
    /// The name, summary and parameters of the metric.
    fn info(&self) -> &'static Info;
    /// The values of the metric, each with the column that it is about, if it is about one.
    fn measure(&self, view: &TableBucketView<'_>) -> Vec<(Option<String>, f64)>;
}

sfumato_core::registry! {
    /// Every metric of bucket releases of tables.
    dyn TableBucketMetric:
    groups::GroupCount,
    average_group_size::AverageGroupSize,
    sensitive_association::SensitiveAssociation,
}
