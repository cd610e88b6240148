//! What a file of baskets keeps of its original, whoever made it: metrics and the share of each
//! item that is left. None of them asks which record became which row.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_report::numbers::{count, percent};
use sfumato_report::{Classes, Kept};

use super::audit::{open, sizes};
use crate::job::Job;
use crate::metrics::frequent::Patterns;
use crate::metrics::subsets::ALL;
use crate::traits::SetView;

/// How many items are told one by one: those that most records of the original have.
pub const TOLD: usize = 40;

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let opened = open(request, observer)?;
    let mut utility = Utility {
        rows: Some(opened.rows.len() as u64),
        classes: Some(Classes::from_sizes(sizes(&opened.alike).iter())),
        ..Utility::default()
    };
    let (Some(original), Some(items)) = (&opened.original, &opened.items) else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let (before, after) = (original.counts(), opened.rows.counts());
    let is_empty = |sets: &sfumato_core::transactions::Transactions| {
        (0..sets.len()).filter(|row| sets.size(*row) == 0).count() as u64
    };
    let patterns = Patterns::new(original, &opened.rows, None);
    let view = SetView {
        items,
        before: &before,
        after: &after,
        records: original.len() as u64,
        emptied: is_empty(&opened.rows).saturating_sub(is_empty(original)),
        patterns: Some(&patterns),
    };
    utility.metrics =
        ALL.iter().map(|metric| (metric.info().name, metric.measure(&view))).collect();
    utility.kept = kept_items(&items.names, &before, &after);
    if opened.rows.len() < original.len() {
        let share = 1.0 - opened.rows.len() as f64 / original.len() as f64;
        utility.remarks.push(format!("{} of the records aren't in it", percent(share)));
    }
    Ok(utility)
}

/// What is left of the items that most records of the original have, given how many records have
/// each item before and after.
pub fn kept_items(names: &[String], before: &[u64], after: &[u64]) -> Vec<Kept> {
    let mut frequent: Vec<usize> = (0..before.len()).filter(|item| before[*item] > 0).collect();
    frequent.sort_by_key(|item| (std::cmp::Reverse(before[*item]), *item));
    let kept = |item: usize| {
        let (before, after) = (before[item], after.get(item).copied().unwrap_or(0));
        // An item that more records have than before is as wrong as one that fewer have.
        let lost = before.abs_diff(after) as f64 / before as f64;
        Kept {
            part: names[item].clone(),
            lost: lost.clamp(0.0, 1.0),
            told: format!("in {} of {} records", count(after), count(before)),
            exclusive: true,
            ..Kept::default()
        }
    };
    frequent.into_iter().take(TOLD).map(kept).collect()
}
