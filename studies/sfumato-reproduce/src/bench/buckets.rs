//! Puts baskets into buckets with an algorithm given by name.

use sfumato_core::registry::{Call, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};
use sfumato_sets::data::{FactCounts, Groups, degree_of};
use sfumato_sets::traits::{BucketFindings, BucketTask};

use crate::figure::Settings;

/// Run an algorithm and check what it promises.
pub fn group(
    algorithm: &str,
    quasi: &Transactions,
    sensitive: &Transactions,
    p: u64,
    settings: &Settings<'_>,
) -> Result<(Groups, BucketFindings)> {
    let call: Call = algorithm.parse()?;
    let entry = sfumato_sets::algorithms::buckets::find(&call.name)?;
    let params = Params::check(entry.info(), &call.args)?;
    let task = BucketTask {
        seed: settings.seed_of(&[p]),
        observer: settings.observer,
        ..BucketTask::new(quasi, sensitive, p)
    };
    let (groups, findings) = entry.group(&params, &task)?;
    let counts = FactCounts::of(&groups, sensitive);
    match degree_of(groups.sizes(), &counts, p) {
        Some((_, below)) if below > 0 => Err(Error::internal(format!(
            "{algorithm}: {below} counts of sensitive items are too high for p = {p}"
        ))),
        _ => Ok((groups, findings)),
    }
}
