//! People kept: the share of people who are counted where they belong.

use sfumato_core::registry::Info;

use super::{FlowMetric, FlowsView};

/// The metric.
pub struct PeopleKept;

static INFO: Info = Info {
    name: "people-kept",
    summary: "people who are counted where they belong, as a share; higher is better",
    doc: "\
For each pair of places the smaller of the true and the published count, summed, over all people.

**Range** 0 to 1, **higher is better**.
",
    ..Info::DEFAULT
};

impl FlowMetric for PeopleKept {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn measure(&self, view: &FlowsView<'_>) -> Option<f64> {
        let all: u64 = view.before.values().sum();
        let right =
            |(pair, n): (&(String, String), &u64)| *view.after.get(pair).unwrap_or(&0).min(n);
        (all > 0).then(|| view.before.iter().map(right).sum::<u64>() as f64 / all as f64)
    }
}
