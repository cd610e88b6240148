//! How far tables of single columns moved.

use sfumato_core::FastMap;
use sfumato_core::dataset::Column;
use sfumato_core::registry::Info;

use super::{Both, PerturbedMetric};

/// The metric `tables-moved`, an entry of the registry.
pub struct TablesMoved;

static INFO: Info = Info {
    name: "tables-moved",
    summary: "the share of records that a table of one column counts elsewhere, on average",
    doc: "The total variation of the distribution of each column before and after, and the mean \
          over columns with at most 1,000 values. 0 where all counts are kept.",
    ..Info::DEFAULT
};

/// The largest number of values of a column that a table is made of.
const MOST: usize = 1000;

/// Columns as codes that mean the same before and after, of those with few values.
pub(super) fn shared(both: &Both<'_>) -> Vec<(Vec<u32>, Vec<u32>)> {
    let few = |column: &Column| column.domain.len() <= MOST;
    let columns = both.original.iter().zip(both.published);
    let columns = columns.filter(|(before, after)| few(before) && few(after));
    let mut found = Vec::new();
    for (before, after) in columns {
        let mut code_of: FastMap<Option<String>, u32> = FastMap::default();
        let mut codes = |column: &Column| {
            let labels = column.domain.labels().map(|label| Some(label.into_owned()));
            let codes: Vec<u32> = labels
                .chain([None])
                .map(|label| {
                    let next = code_of.len() as u32;
                    *code_of.entry(label).or_insert(next)
                })
                .collect();
            column.codes.iter().map(|code| codes[code as usize]).collect::<Vec<u32>>()
        };
        found.push((codes(before), codes(after)));
    }
    found
}

/// The total variation of two lists of the same length.
pub(super) fn variation(
    before: impl Iterator<Item = u64>,
    after: impl Iterator<Item = u64>,
) -> f64 {
    let count = |all: &mut dyn Iterator<Item = u64>| {
        let (mut counts, mut n): (FastMap<u64, u64>, u64) = (FastMap::default(), 0);
        all.for_each(|key| {
            *counts.entry(key).or_default() += 1;
            n += 1;
        });
        (counts, n.max(1) as f64)
    };
    let (mut before, mut after) = (before, after);
    let ((old, n), (new, m)) = (count(&mut before), count(&mut after));
    let share = |counts: &FastMap<u64, u64>, key: &u64, n: f64| {
        counts.get(key).copied().unwrap_or(0) as f64 / n
    };
    let mut keys: Vec<u64> = old.keys().chain(new.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    keys.iter().map(|key| (share(&old, key, n) - share(&new, key, m)).abs()).sum::<f64>() / 2.0
}

impl PerturbedMetric for TablesMoved {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_by_row(&self) -> bool {
        false
    }
    fn of_release(&self, both: &Both<'_>) -> Option<f64> {
        let columns = shared(both);
        let keys = |codes: &'_ [u32]| codes.iter().map(|code| u64::from(*code)).collect::<Vec<_>>();
        let of = |(before, after): &(Vec<u32>, Vec<u32>)| {
            variation(keys(before).into_iter(), keys(after).into_iter())
        };
        let values: Vec<f64> = columns.iter().map(of).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}
