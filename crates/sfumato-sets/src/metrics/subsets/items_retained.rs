//! Items retained: the share of different items that are published at all.

use sfumato_core::registry::{Info, Paper};

use crate::traits::{SetMetric, SetView};

/// The metric `items-retained`, an entry of the registry.
pub struct ItemsRetained;

static INFO: Info = Info {
    name: "items-retained",
    summary: "different items that are published at least once, as a share of all; higher is \
        better",
    papers: &[Paper {
        authors: "B. Podgursky",
        title: "Practical k-anonymity on large datasets",
        venue: "Master's thesis, Vanderbilt University",
        year: 2011,
    }],
    params: &[],
    doc: "\
Different items of the release over different items of the original. Items that few records have \
are the first to go.

**Range** 0 to 1, **higher is better**. Not defined where there was nothing to keep.
",
    ..Info::DEFAULT
};

impl SetMetric for ItemsRetained {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        let before = view.before.iter().filter(|n| **n > 0).count();
        let after = view.after.iter().filter(|n| **n > 0).count();
        (before > 0).then(|| after as f64 / before as f64)
    }
}
