//! What a bucket release of baskets keeps of its original. Harmless items are published as they
//! are, so that records and rows with the same ones can be laid on each other; which of them is
//! which makes no difference to any metric.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::ClassSizes;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_report::Classes;

use crate::data::read::load;
use crate::data::{FactCounts, Groups};
use crate::forms::release_file::original_of;
use crate::forms::subsets::utility::kept_items;
use crate::job::{BasketSpec, Job};
use crate::traits::BucketView;

/// The seed of random queries: every release is asked the same ones.
const SEED: u64 = 0;

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let job = &request.job;
    let linked = super::open::open(job, false, request.manifest.as_ref(), observer)?;
    let sizes = ClassSizes::from_sizes(linked.groups.sizes().iter().map(|size| u64::from(*size)));
    let mut utility = Utility {
        rows: Some(linked.quasi.len() as u64),
        classes: Some(Classes::from_sizes(sizes.iter())),
        ..Utility::default()
    };
    let Some(original) = &request.original else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let (input, spec) = original_of(original, job)?;
    // What the counts speak of is sensitive, whatever the caller says.
    let spec = BasketSpec { sensitive: linked.sensitive.clone(), utilities: None, ..spec };
    let observer = Renamed { step: "read the original", inner: observer };
    let original = load(&input, &spec, None, false, &observer)?.baskets;
    let names = &original.items.names;
    let code_of: FastMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let other = || {
        Error::input("the harmless items of its rows aren't those of the original's records")
            .in_file(&job.input.path)
            .hint("is this the data that the release was made from?")
    };
    let code = |name: &String| code_of.get(name.as_str()).copied().ok_or_else(other);
    // The groups of the rows that have a set of harmless items.
    let mut groups_of: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
    for (row, group) in linked.groups.of_record().iter().enumerate() {
        let set = linked.quasi.set(row).into_iter().map(|item| code(&linked.names[item as usize]));
        let mut set: Vec<u32> = set.collect::<Result<_>>()?;
        set.sort_unstable();
        groups_of.entry(set).or_default().push(*group);
    }
    let mut labels = Vec::with_capacity(original.quasi.len());
    for record in 0..original.quasi.len() {
        let group = groups_of.get_mut(&original.quasi.set(record)).and_then(Vec::pop);
        labels.push(group.ok_or_else(other)?);
    }
    if labels.len() != linked.quasi.len() {
        return Err(other());
    }
    let groups = Groups::from_labels(&labels);
    // Groups are numbered anew, in the order of the records.
    let mut number = vec![0; linked.groups.len()];
    labels.iter().zip(groups.of_record()).for_each(|(old, new)| number[*old as usize] = *new);
    let mut facts = Vec::new();
    let mut after = original.quasi.counts();
    for (group, new) in number.into_iter().enumerate() {
        for (item, n) in linked.counts.of_group(group) {
            let item = code(&linked.sensitive[*item as usize])?;
            facts.push((new, item, *n));
            after[item as usize] += u64::from(*n);
        }
    }
    let counts = FactCounts::from_rows(groups.len(), facts);
    let mut before = original.quasi.counts();
    if let Some(sensitive) = &original.sensitive {
        before.iter_mut().zip(sensitive.counts()).for_each(|(all, more)| *all += more);
        let view = BucketView {
            quasi: &original.quasi,
            sensitive,
            groups: &groups,
            counts: &counts,
            seed: SEED,
        };
        utility.metrics = crate::metrics::buckets::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect();
    }
    utility.kept = kept_items(names, &before, &after);
    Ok(utility)
}
