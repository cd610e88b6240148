//! How far tables of two columns moved.

use sfumato_core::registry::Info;

use super::tables_moved::{shared, variation};
use super::{Both, PerturbedMetric};

/// The metric `pair-tables-moved`, an entry of the registry.
pub struct PairTablesMoved;

static INFO: Info = Info {
    name: "pair-tables-moved",
    summary: "the share of records that a table of two columns counts elsewhere, on average",
    doc: "The total variation of the joint distribution of two columns before and after, and the \
          mean over all pairs of columns with at most 1,000 values. 0 where all counts are kept.",
    ..Info::DEFAULT
};

impl PerturbedMetric for PairTablesMoved {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_by_row(&self) -> bool {
        false
    }
    fn of_release(&self, both: &Both<'_>) -> Option<f64> {
        let columns = shared(both);
        let mut values = Vec::new();
        for (place, one) in columns.iter().enumerate() {
            for other in &columns[..place] {
                let keys = |a: &[u32], b: &[u32]| -> Vec<u64> {
                    a.iter().zip(b).map(|(a, b)| u64::from(*a) << 32 | u64::from(*b)).collect()
                };
                let (old, new) = (keys(&one.0, &other.0), keys(&one.1, &other.1));
                values.push(variation(old.into_iter(), new.into_iter()));
            }
        }
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}
