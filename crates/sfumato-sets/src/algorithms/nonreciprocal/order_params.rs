//! The parameters of both algorithms about the order, and their findings about it.

use sfumato_core::Result;
use sfumato_core::observer::Unit;
use sfumato_core::recoding::Finding;
use sfumato_core::registry::{Paper, ParamKind, ParamSpec, Params};

use super::order::{GrayTsp, gray_tsp};
use crate::traits::BitmapTask;
use sfumato_kernels::nonreciprocal::SegmentSizes;

/// The papers of both algorithms.
pub(super) const PAPERS: &[Paper] = &[
    Paper {
        authors: "M. Xue, P. Karras, C. Raissi, J. Vaidya, K.-L. Tan",
        title: "Anonymizing set-valued data by nonreciprocal recoding",
        venue: "KDD",
        year: 2012,
    },
    Paper {
        authors: "W. K. Wong, N. Mamoulis, D. W.-L. Cheung",
        title: "Non-homogeneous generalization in privacy preserving data publishing",
        venue: "SIGMOD",
        year: 2010,
    },
    Paper {
        authors: "A. Goel, M. Kapralov, S. Khanna",
        title: "Perfect matchings in O(n log n) time in regular bipartite graphs",
        venue: "STOC",
        year: 2010,
    },
];

/// The parameters of both algorithms.
pub(super) const PARAMS: &[ParamSpec] = &[
    ParamSpec::with_default(
        "order",
        ParamKind::Choice(&["gray-tsp", "gray"]),
        "gray-tsp",
        "the cyclic order: Gray ranks with a shorter tour inside each segment, or Gray ranks alone",
    ),
    ParamSpec::with_default(
        "segment_min",
        ParamKind::Integer { min: 1, max: 4096 },
        "300",
        "the least records of a segment",
    ),
    ParamSpec::with_default(
        "segment_max",
        ParamKind::Integer { min: 1, max: 4096 },
        "350",
        "the most records of a segment",
    ),
    ParamSpec::with_default(
        "kicks",
        ParamKind::Integer { min: 0, max: 1000 },
        "2",
        "how many times per different record the tour is kicked out of a local optimum",
    ),
];

/// Compute the order that was asked for.
pub(super) fn ordered(params: &Params, task: &BitmapTask<'_>) -> Result<(GrayTsp, Vec<Finding>)> {
    let size = |name: &str| params.integer(name) as usize;
    let sizes = match params.text("order") {
        Some("gray") => None,
        _ => Some(SegmentSizes::new(size("segment_min"), size("segment_max"))?),
    };
    task.observer.begin("ordering", task.sets.len() as u64, Unit::Rows);
    let found = gray_tsp(task.sets, sizes, size("kicks"));
    task.observer.end();
    task.check_cancelled()?;
    let finding = |name, value: u64| Finding { name, value: value as f64 };
    let findings = vec![
        finding("segments", found.segments as u64),
        finding("cyclic_sum_given", found.sum_given),
        finding("cyclic_sum_gray", found.sum_gray),
        finding("cyclic_sum", found.sum),
    ];
    Ok((found, findings))
}
