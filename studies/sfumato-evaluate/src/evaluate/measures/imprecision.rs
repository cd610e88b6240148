//! Weighted imprecision of a workload's selections (Eq. 7): how many records a selection over
//! regions returns wrongly.

use sfumato_core::dataset::Table;
use sfumato_core::recoding::{Recoding, SUPPRESSED, Value};
use sfumato_core::workload::Selection;

use super::class_sizes;

/// The weighted sum, over selections, of the published records in regions that overlap a selection
/// less those that it really selects. Suppressed records count on neither side.
pub fn imprecision(table: &Table, recoding: &dyn Recoding, selections: &[Selection]) -> f64 {
    let quasi = table.quasi();
    let sizes = class_sizes(recoding);
    let of_selection = |selection: &Selection| {
        let overlaps = |class: u32| {
            selection.intervals.iter().enumerate().all(|(place, interval)| match interval {
                None => true,
                Some(wanted) => match recoding.value(class, place) {
                    Value::Any => !wanted.is_empty(),
                    value => {
                        let codes = value.codes(quasi[place]);
                        codes.start.max(wanted.start) < codes.end.min(wanted.end)
                    }
                },
            })
        };
        let classes = 0..sizes.len() as u32;
        let returned: u64 =
            classes.filter(|class| overlaps(*class)).map(|class| sizes[class as usize]).sum();
        let classes = recoding.class_of_row().iter().enumerate();
        let kept = classes.filter(|(_, class)| **class != SUPPRESSED);
        let codes = |row: usize| quasi.iter().map(move |column| column.codes.get(row));
        let wanted = kept.filter(|(row, _)| selection.contains(codes(*row))).count();
        selection.weight * (returned as f64 - wanted as f64)
    };
    selections.iter().map(of_selection).sum()
}
