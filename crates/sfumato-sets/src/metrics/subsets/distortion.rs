//! Distortion: the share of instances of public items that are suppressed.

use sfumato_core::registry::{Info, Paper};

use crate::data::ItemRole;
use crate::traits::{SetMetric, SetView};

/// The metric.
pub struct Distortion;

static INFO: Info = Info {
    name: "distortion",
    summary: "instances of items that are suppressed, as a share of all that aren't sensitive; \
        lower is better",
    papers: &[Paper {
        authors: "Y. Xu, K. Wang, A. W.-C. Fu, P. S. Yu",
        title: "Anonymizing transaction databases for publication",
        venue: "KDD",
        year: 2008,
    }],
    doc: "\
Instances of items that attackers may know and that aren't published, over all of these. Sensitive \
items are published as they are and don't count.

**Range** 0 to 1, **lower is better**. Not defined where there was nothing to keep.
",
    ..Info::DEFAULT
};

impl SetMetric for Distortion {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        let is_public = |item: &usize| view.items.roles[*item] == ItemRole::Quasi;
        let public = |counts: &[u64]| -> u64 {
            (0..counts.len()).filter(is_public).map(|item| counts[item]).sum()
        };
        let (before, after) = (public(view.before), public(view.after));
        (before > 0).then(|| (before - after) as f64 / before as f64)
    }
}
