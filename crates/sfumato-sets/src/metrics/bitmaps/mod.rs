//! Metrics for bitmaps of baskets: one file each, listed once.

sfumato_core::registry! {
    /// All metrics for bitmaps of baskets, in the order of the catalogue.
    dyn crate::traits::BitmapMetric:
    error_rate::ErrorRate,
    query_error::QueryError,
}

/// Find a metric by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> sfumato_core::Result<&'static dyn crate::traits::BitmapMetric> {
    sfumato_core::registry::find("metric", ALL, |metric| metric.info(), name)
}

/// The paper of these metrics.
const PAPER: sfumato_core::registry::Paper = sfumato_core::registry::Paper {
    authors: "M. Xue, P. Karras, C. Raissi, J. Vaidya, K.-L. Tan",
    title: "Anonymizing set-valued data by nonreciprocal recoding",
    venue: "KDD",
    year: 2012,
};
