//! What randomized baskets keep of their original: how well a recipient recovers how many records
//! have an item. Which set was drawn for which record isn't known, and random sets are nobody's.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::transactions::Transactions;
use sfumato_core::{FastMap, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;

use super::RandomRead;
use super::audit::open_file;
use crate::algorithms::randomization::recovery::recover;
use crate::data::read::load;
use crate::forms::release_file::original_of;
use crate::forms::subsets::utility::kept_items;
use crate::job::Job;
use crate::metrics::randomized::{ALL, RandomView};

/// The metric that doesn't ask which record became which.
const SUPPORT: &str = "support-error";

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let job = &request.job;
    let opened = open_file(job, false, request.manifest.as_ref(), observer)?;
    let mut utility = Utility { rows: Some(opened.rows.len() as u64), ..Utility::default() };
    let Some(original) = &request.original else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let (input, spec) = original_of(original, job)?;
    let observer = Renamed { step: "read the original", inner: observer };
    let baskets = load(&input, &spec, None, false, &observer)?.baskets;
    // The release in the codes of the original; what that doesn't have comes behind.
    let mut names = baskets.items.names.clone();
    let mut code_of: FastMap<String, u32> = names.iter().cloned().zip(0..).collect();
    let mut codes = Vec::with_capacity(opened.names.len());
    for name in &opened.names {
        let next = names.len() as u32;
        let code = *code_of.entry(name.clone()).or_insert(next);
        if code == next {
            names.push(name.clone());
        }
        codes.push(code);
    }
    let recoded = |row: usize| {
        let set = opened.rows.set(row).into_iter().map(|item| codes[item as usize]);
        let mut set: Vec<u32> = set.collect();
        set.sort_unstable();
        set
    };
    let rows = Transactions::from_sets(names.len(), (0..opened.rows.len()).map(recoded));
    let read = RandomRead { rows, sizes: opened.sizes, sha256: String::new(), bytes: 0 };
    let view = RandomView {
        original: &baskets.quasi,
        read: &read,
        operator: &opened.operator,
        order: &[],
    };
    let metrics = ALL.iter().filter(|metric| metric.info().name == SUPPORT);
    utility.metrics = metrics.map(|metric| (SUPPORT, metric.measure(&view))).collect();
    let before = baskets.quasi.counts();
    let mut frequent: Vec<usize> = (0..before.len()).collect();
    frequent.sort_by_key(|item| (std::cmp::Reverse(before[*item]), *item));
    let mut after = vec![0; before.len()];
    for item in frequent.into_iter().take(crate::forms::subsets::utility::TOLD) {
        let found = recover(&opened.operator, &read.rows, &read.sizes, &[item as u32])?;
        after[item] = found.count.max(0.0).round() as u64;
    }
    utility.kept = kept_items(&names, &before, &after);
    utility.remarks.push(
        "counts of items are those that a recipient recovers; kept and added instances aren't \
         measured, since nothing says which set was drawn for which record"
            .into(),
    );
    Ok(utility)
}
