//! What a bitmap release keeps of its original: how many rows have each item in their base set.
//! Which row stands for which record isn't known, so that the error of single records isn't either.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;

use super::audit::open;
use crate::forms::subsets::utility::kept_items;
use crate::job::Job;
use crate::traits::BitmapView;

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let opened = open(request, observer)?;
    let bitmaps = &opened.release.bitmaps;
    let mut utility = Utility { rows: Some(bitmaps.len() as u64), ..Utility::default() };
    let Some(against) = &opened.against else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let baskets = &against.original.baskets;
    let view = BitmapView { original: &baskets.quasi, bitmaps, seed: 0 };
    for metric in crate::metrics::bitmaps::ALL {
        let name = metric.info().name;
        match metric.measure(&view) {
            Some(value) => utility.metrics.insert(name, Some(value)),
            None => utility.remarks.push(format!(
                "{name} isn't measured: it asks which record became which row, and the files don't \
                 say"
            )),
        }
    }
    let (before, after) = (baskets.quasi.counts(), bitmaps.base.counts());
    utility.kept = kept_items(&baskets.items.names, &before, &after);
    Ok(utility)
}
