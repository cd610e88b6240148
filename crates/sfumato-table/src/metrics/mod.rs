//! Utility metrics: how useful a release remains. One file each.
//!
//! Metrics only measure. They decide nothing, promise nothing about privacy, and read the original
//! only through [`View`](sfumato_core::traits::View).
//!
//! Conventions that all entries share, unless their page says otherwise:
//! - a suppressed record counts as if each of its quasi cells were suppressed;
//! - a missing value published as missing is exact: it tells all there was;
//! - a column whose missing values are published as suppressed loses those cells;
//! - means are over all records of the original, suppressed ones included;
//! - a table without records has no value (`None`), and metrics of cells need at least one quasi
//!   column.

mod alike;
pub mod buckets;
mod cells;
mod frequencies;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod parts;
pub mod perturbed;
#[cfg(test)]
pub(crate) mod testing;

use sfumato_core::traits::Metric;

sfumato_core::registry! {
    /// All metrics, in the order of the catalogue.
    dyn Metric:
    ncp::Ncp,
    global_ncp::GlobalNcp,
    loss::Loss,
    iloss::Iloss,
    precision::Precision,
    height::Height,
    minimal_distortion::MinimalDistortion,
    ambiguity::Ambiguity,
    entropy::Entropy,
    non_uniform_entropy::NonUniformEntropy,
    discernibility::Discernibility,
    discernibility_ratio::DiscernibilityRatio,
    average_class_size::AverageClassSize,
    cluster_diameter::ClusterDiameter,
    classification::Classification,
}

/// Whether a metric asks which record became which row. It can't be measured of a file, whose rows
/// nobody knows the records of, and no search can minimize it by cells and sizes.
pub fn needs_records(metric: &dyn Metric) -> bool {
    metric.info().name == cluster_diameter::NAME
}

/// Find a metric by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> sfumato_core::Result<&'static dyn Metric> {
    sfumato_core::registry::find("metric", ALL, |metric| metric.info(), name)
}
