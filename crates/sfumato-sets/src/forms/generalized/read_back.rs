//! Reads a release of generalized baskets back from the bytes of its draft, and checks that it is
//! true: every node of row i is above an item of record `order[i]`, and every item of that record
//! is below exactly one node of the row unless it is left out of all records.

use rayon::prelude::*;
use sfumato_core::column::Code as _;
use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::traits::ClassSizes;
use sfumato_core::transactions::Transactions;
use sfumato_core::{Result, with_sets};
use sfumato_engine::draft::Draft;
use sfumato_engine::form::Written;
use sfumato_engine::verify::failed_verification;
use sfumato_io::{BasketOptions, read_baskets};

use super::labels::Labels;
use super::{Generalized, tree_of};
use crate::data::item_tree::{ItemTree, Node};
use crate::forms::combinations::{Answered, Combinations};
use crate::forms::subsets::Alike;
use crate::forms::subsets::read_back::{check_sensitive, read_options};
use crate::kind::Baskets;

/// What the bytes of a draft say, after it was compared with the original.
pub struct TreeRead {
    /// The nodes of each row.
    pub rows: Transactions,
    /// The leaves of each record of the original.
    pub leaves: Transactions,
    /// The sensitive items of each row, if any item is sensitive.
    pub sensitive: Option<Transactions>,
    /// What was counted of combinations.
    pub answered: Answered,
    /// Which rows have the same set.
    pub alike: Alike,
    /// The sizes of classes: how many rows have the same set.
    pub classes: ClassSizes,
    /// The SHA-256 hash of the file.
    pub sha256: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

impl TreeRead {
    /// The rows as combinations of nodes are counted in them.
    pub fn combinations(&self) -> Combinations<'_> {
        let sensitive = self.sensitive.as_ref();
        let (rows, alike, answered) = (&self.rows, &self.alike, &self.answered);
        Combinations { rows, alike, sensitive, answered }
    }
}

/// Read a draft back and compare it with its original.
pub fn read_back(
    written: &Written<'_, Baskets, Generalized>,
    draft: &Draft,
    observer: &dyn Observer,
) -> Result<TreeRead> {
    let (baskets, form) = (&written.data.baskets, &written.data.release_layout);
    let tree = tree_of(written.data)?;
    let order = &written.witness.order;
    let options = BasketOptions {
        records: Some(order.len() as u64),
        ..read_options(form, &written.witness.options)
    };
    let observer = Renamed { step: "verify", inner: observer };
    let path = draft.path()?.display().to_string();
    let read = read_baskets(&path, form, &options, &observer)?;
    let (sha256, bytes) = (read.source.sha256.clone(), read.source.bytes);
    let labels = Labels::of(tree, &baskets.items);
    let rows = read
        .with_names(&labels.names)
        .map_err(|_| failed_verification("a row has a label that the item hierarchy lacks"))?;
    if rows.len() != order.len() {
        return Err(failed_verification(&format!(
            "{} records were published and {} are in the file",
            order.len(),
            rows.len()
        )));
    }
    let (rows, sensitive) = labels.split(&rows, baskets.items.len());
    let leaves = tree.leaves_of(&baskets.quasi)?;
    check_truth(tree, &leaves, &rows, order, &written.decision().suppressed)?;
    check_sensitive(baskets.sensitive.as_ref(), sensitive.as_ref(), order)?;
    let alike = Alike::of(&rows);
    let classes = ClassSizes::from_sizes(alike.copies.iter().map(|copies| u64::from(*copies)));
    let answered = Answered::default();
    Ok(TreeRead { rows, leaves, sensitive, answered, alike, classes, sha256, bytes })
}

/// Check that every row stands for its record.
fn check_truth(
    tree: &ItemTree,
    leaves: &Transactions,
    rows: &Transactions,
    order: &[u32],
    suppressed: &[Node],
) -> Result<()> {
    let of_row = |row: usize| {
        let nodes: Vec<Node> =
            with_sets!(rows, rows => rows.get(row).iter().map(|node| node.widen()).collect());
        let mut is_needed = vec![false; nodes.len()];
        with_sets!(leaves, leaves => for leaf in leaves.get(order[row] as usize) {
            let leaf = leaf.widen();
            let above = nodes.iter().enumerate().filter(|(_, node)| tree.covers(**node, leaf));
            let mut n_above = 0;
            above.for_each(|(at, _)| {
                is_needed[at] = true;
                n_above += 1;
            });
            let is_left_out = suppressed.binary_search(&leaf).is_ok();
            match (n_above, is_left_out) {
                (1, false) | (0, true) => {}
                // Something else may stand for a node above an item that is left out.
                (1, true) => {}
                (0, false) => {
                    let what = format!("row {} has nothing for an item of its record", row + 1);
                    return Err(failed_verification(&what));
                }
                _ => {
                    let what = format!("row {} has an item twice", row + 1);
                    return Err(failed_verification(&what));
                }
            }
        });
        match is_needed.iter().all(|is_needed| *is_needed) {
            true => Ok(()),
            false => {
                let what = format!("row {} has a node above nothing that its record has", row + 1);
                Err(failed_verification(&what))
            }
        }
    };
    (0..rows.len()).into_par_iter().map(of_row).collect::<Result<()>>()
}
