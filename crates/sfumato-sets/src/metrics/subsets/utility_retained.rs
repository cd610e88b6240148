//! Utility retained: the utility of the published items as a share of the utility of all items.

use sfumato_core::registry::{Info, Paper};

use crate::traits::{SetMetric, SetView};

/// The metric `utility-retained`, an entry of the registry.
pub struct UtilityRetained;

static INFO: Info = Info {
    name: "utility-retained",
    summary: "what the published items are worth, as a share of what all were worth; higher is \
        better",
    papers: &[Paper {
        authors: "B. Podgursky",
        title: "Practical k-anonymity on large datasets",
        venue: "Master's thesis, Vanderbilt University",
        year: 2011,
    }],
    params: &[],
    doc: "\
The sum of u(a) over all published instances of items, over the same sum of the original. An \
instance of an item is worth what the job says, or 1.

**Range** 0 to 1, **higher is better**. Not defined where there was nothing to keep.
",
    ..Info::DEFAULT
};

impl SetMetric for UtilityRetained {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        let before = view.items.worth(view.before);
        (before > 0.0).then(|| view.items.worth(view.after) / before)
    }
}
