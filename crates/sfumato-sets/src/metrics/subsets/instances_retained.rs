//! Instances retained: the share of all instances of items that are published.

use sfumato_core::registry::{Info, Paper};

use crate::traits::{SetMetric, SetView};

/// The metric `instances-retained`, an entry of the registry.
pub struct InstancesRetained;

static INFO: Info = Info {
    name: "instances-retained",
    summary: "published instances of items, as a share of all; higher is better",
    papers: &[Paper {
        authors: "B. Podgursky",
        title: "Practical k-anonymity on large datasets",
        venue: "Master's thesis, Vanderbilt University",
        year: 2011,
    }],
    params: &[],
    doc: "\
Items of all published records, counted with repetition, over those of the original, whatever they \
are worth.

**Range** 0 to 1, **higher is better**. Not defined where there was nothing to keep.
",
    ..Info::DEFAULT
};

impl SetMetric for InstancesRetained {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &SetView<'_>) -> Option<f64> {
        let before: u64 = view.before.iter().sum();
        (before > 0).then(|| view.after.iter().sum::<u64>() as f64 / before as f64)
    }
}
