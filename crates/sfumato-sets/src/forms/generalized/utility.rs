//! What generalized baskets keep of their original. Where every item has one node that stands for
//! it, whatever the record, all metrics can be measured; else nothing says which row is whose.

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::ClassSizes;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, Result};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::compare::Utility;
use sfumato_report::{Classes, Kept};

use super::NAME;
use super::audit::nodes_of;
use crate::data::item_tree::{ItemTree, Node};
use crate::data::read::{Loaded, load};
use crate::forms::release_file::{ReleaseFile, original_of};
use crate::forms::subsets::Alike;
use crate::forms::subsets::utility::TOLD;
use crate::job::Job;
use crate::metrics::frequent::Patterns;
use crate::metrics::generalized::{ALL, TreeView};

/// The metrics that don't ask which record became which.
const ANY_ORDER: [&str; 4] =
    ["nuggets-kept", "frequent-itemset-recall", "frequent-itemset-precision", "query-error"];

/// Measure a release beside its original.
pub fn utility(request: &AuditRequest<Job>, observer: &dyn Observer) -> Result<Utility> {
    let job = &request.job;
    let file = ReleaseFile::of(NAME, job, false, request.manifest.as_ref())?;
    let Loaded { baskets, .. } = file.load(false, observer)?;
    let (rows, names) = (baskets.quasi, baskets.items.names);
    let copies = Alike::of(&rows).copies;
    let sizes = ClassSizes::from_sizes(copies.iter().map(|copies| u64::from(*copies)));
    let mut utility = Utility {
        rows: Some(rows.len() as u64),
        classes: Some(Classes::from_sizes(sizes.iter())),
        ..Utility::default()
    };
    let Some(original) = &request.original else {
        utility.remarks.push("no original was named to compare with".into());
        return Ok(utility);
    };
    let Some(how) = job.baskets.hierarchy.as_ref().or(original.baskets.hierarchy.as_ref()) else {
        utility.remarks.push(
            "labels mean nothing without the item hierarchy, so that nothing is measured: \
             --item-hierarchy FILE, or --job release.toml"
                .into(),
        );
        return Ok(utility);
    };
    let (input, spec) = original_of(original, job)?;
    let observer = Renamed { step: "read the original", inner: observer };
    let original = load(&input, &spec, None, false, &observer)?.baskets;
    let tree = ItemTree::read(how, &job.base, &original.items, &original.quasi.counts())?;
    let leaves = tree.leaves_of(&original.quasi)?;
    let nodes = nodes_of(&tree, &rows, &names, &job.input.path)?;
    if nodes.len() != leaves.len() {
        return Err(Error::input(format!(
            "the release has {} rows and its original {}",
            nodes.len(),
            leaves.len()
        ))
        .in_file(&job.input.path)
        .hint("is this the data that the release was made from?"));
    }
    let published = nodes.counts();
    let standing = standing_for(&tree, &leaves, &published);
    let order: Vec<u32> = (0..leaves.len() as u32).collect();
    match &standing {
        Some(standing) => {
            let image = |record: usize| {
                let nodes = leaves.set(record).into_iter();
                let mut set: Vec<Node> = nodes.filter_map(|leaf| standing[leaf as usize]).collect();
                set.sort_unstable();
                set.dedup();
                set
            };
            let laid = Transactions::from_sets(tree.n_nodes(), (0..leaves.len()).map(image));
            let patterns = Patterns::new(&leaves, &laid, Some(&tree));
            let (leaves, rows, patterns) = (&leaves, &laid, &patterns);
            let view = TreeView { tree: &tree, leaves, rows, order: &order, patterns };
            utility.metrics =
                ALL.iter().map(|metric| (metric.info().name, metric.measure(&view))).collect();
        }
        None => {
            let patterns = Patterns::new(&leaves, &nodes, Some(&tree));
            let (leaves, rows, patterns) = (&leaves, &nodes, &patterns);
            let view = TreeView { tree: &tree, leaves, rows, order: &order, patterns };
            let metrics = ALL.iter().filter(|metric| ANY_ORDER.contains(&metric.info().name));
            utility.metrics =
                metrics.map(|metric| (metric.info().name, metric.measure(&view))).collect();
            utility.remarks.push(
                "items are published by different nodes in different rows, and nothing says which \
                 record became which: only what doesn't depend on it is measured"
                    .into(),
            );
        }
    }
    utility.kept = kept(&tree, &leaves.counts(), &published, standing.as_deref());
    Ok(utility)
}

/// The node that stands for each leaf, if it is the same in every row; none for a leaf that is
/// left out.
fn standing_for(
    tree: &ItemTree,
    leaves: &Transactions,
    published: &[u64],
) -> Option<Vec<Option<Node>>> {
    let mut standing = vec![None; tree.n_nodes()];
    for (leaf, _) in leaves.counts().iter().enumerate().filter(|(_, n)| **n > 0) {
        let mut above: Vec<Node> = Vec::new();
        let mut node = leaf as Node;
        loop {
            if published[node as usize] > 0 {
                above.push(node);
            }
            let parent = tree.parent(node);
            if parent == node {
                break;
            }
            node = parent;
        }
        match above[..] {
            [] => {}
            [one] => standing[leaf] = Some(one),
            _ => return None,
        }
    }
    Some(standing)
}

/// What is left of the items that most records have: how many items share the node that stands for
/// each, or in how many rows an item is itself.
fn kept(
    tree: &ItemTree,
    before: &[u64],
    published: &[u64],
    standing: Option<&[Option<Node>]>,
) -> Vec<Kept> {
    let mut frequent: Vec<usize> = (0..before.len()).filter(|leaf| before[*leaf] > 0).collect();
    frequent.sort_by_key(|leaf| (std::cmp::Reverse(before[*leaf]), *leaf));
    let told = |leaf: usize| match standing.map(|standing| standing[leaf]) {
        Some(None) => (1.0, "left out of every record".to_string()),
        Some(Some(node)) if node as usize == leaf => (0.0, "published as it was".to_string()),
        Some(Some(node)) => {
            let items = tree.leaves(node);
            let label = &tree.labels()[node as usize];
            (tree.ncp(node), format!("published as {label}, one of {items} items"))
        }
        None => {
            let share = published[leaf] as f64 / before[leaf] as f64;
            let told = format!("itself in {} of {} records", published[leaf], before[leaf]);
            (1.0 - share.min(1.0), told)
        }
    };
    let kept = |leaf: usize| {
        let (lost, told) = told(leaf);
        let part = tree.labels()[leaf].clone();
        Kept { part, lost, told, exclusive: standing.is_some(), ..Kept::default() }
    };
    frequent.into_iter().take(TOLD).map(kept).collect()
}
