//! Checks models about projections, which need all classes at once.

use sfumato_core::group::{ClassTable, Summary, evaluate_with};
use sfumato_core::traits::{ClassSizes, Requirements};
use sfumato_core::{Error, FastMap, Result};

use crate::spill::class_runs::{ClassRuns, Grouped, take_text};
use sfumato_engine::threads::at_once;

/// The number of bytes of a class in memory besides its codes and histograms.
const CLASS_BYTES: u64 = 96;

/// Load all classes, if they fit into memory, and check every requirement. `asked_by` is the model
/// that makes it necessary, and the available memory.
pub fn ask(
    classes: ClassRuns,
    asked: &[&Requirements],
    release: Summary,
    seen: &dyn Fn(&[u8], &Summary) -> Option<Summary>,
    n_quasi: usize,
    (model, limit): (&str, u64),
) -> Result<Grouped> {
    let mut table = ClassTable { keys: vec![Vec::new(); n_quasi], summaries: Vec::new(), release };
    let mut codes: Vec<FastMap<Option<Box<[u8]>>, u32>> = vec![FastMap::default(); n_quasi];
    let mut bytes = 0;
    classes.visit(&mut |key, summary| {
        let mut rest = key;
        for (codes, keys) in codes.iter_mut().zip(&mut table.keys) {
            let text = take_text(&mut rest)
                .ok_or_else(|| Error::internal("the key of a class can't be read"))?;
            let text = text.map(Box::<[u8]>::from);
            let next = codes.len() as u32;
            bytes += 8 + if codes.contains_key(&text) {
                0
            } else {
                text.as_ref().map_or(40, |text| 40 + text.len() as u64)
            };
            keys.push(*codes.entry(text).or_insert(next));
        }
        // Lists grow by half, and projections lay the counts out once more.
        bytes += 2 * (CLASS_BYTES + memory_of(summary));
        if bytes > limit {
            return Err(Error::resources(format!(
                "{model} needs all classes in memory at once, and they don't fit into {}",
                sfumato_report::numbers::bytes(limit)
            ))
            .hint("raise --memory, or leave the model out"));
        }
        table.summaries.push(seen(key, summary).unwrap_or_else(|| summary.clone()));
        Ok(())
    })?;
    let guarantees = asked.iter().map(|asked| evaluate_with(asked, &table, &at_once)).collect();
    let sizes = |of: fn(&Summary) -> u64| ClassSizes::from_sizes(table.summaries.iter().map(of));
    Ok(Grouped { guarantees, people: sizes(|class| class.people), rows: sizes(|class| class.rows) })
}

/// The approximate number of bytes of histograms and people.
fn memory_of(summary: &Summary) -> u64 {
    let people = if summary.people == summary.rows { 0 } else { summary.people * 8 };
    let histogram = |entries: usize, total: u64| {
        56 + entries as u64 * 16 + if people > 0 { total * 16 } else { 0 }
    };
    people
        + summary
            .histograms
            .iter()
            .map(|found| histogram(found.distinct(), found.total()))
            .sum::<u64>()
}
