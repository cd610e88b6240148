//! How many cells say something else.

use sfumato_core::registry::Info;

use super::{Both, PerturbedMetric};

/// The metric `cells-changed`, an entry of the registry.
pub struct CellsChanged;

static INFO: Info = Info {
    name: "cells-changed",
    summary: "the share of quasi cells that are published with another text than the original",
    doc: "A value that changed places with an equal one didn't change. Digits that are only \
          written otherwise count as a change.",
    ..Info::DEFAULT
};

impl PerturbedMetric for CellsChanged {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn of_release(&self, both: &Both<'_>) -> Option<f64> {
        let (mut cells, mut changed) = (0u64, 0u64);
        for (before, after) in both.original.iter().zip(both.published) {
            let old: Vec<_> = before.domain.labels().map(|label| label.into_owned()).collect();
            let new: Vec<_> = after.domain.labels().map(|label| label.into_owned()).collect();
            for (before, after) in before.codes.iter().zip(after.codes.iter()) {
                cells += 1;
                changed += u64::from(old.get(before as usize) != new.get(after as usize));
            }
        }
        (cells > 0).then(|| changed as f64 / cells as f64)
    }
}
