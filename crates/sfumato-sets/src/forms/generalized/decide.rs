//! Lets the algorithm decide which nodes are published for each record.

use crate::data::Collapsed;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use super::plan::TreePlan;
use super::tree_of;
use crate::algorithms::generalization::{GeneralizedSets, TreeTask};
use crate::data::read::Loaded;

/// Let the algorithm decide.
pub fn decide(plan: &TreePlan, data: &Loaded, observer: &dyn Observer) -> Result<GeneralizedSets> {
    let tree = tree_of(data)?;
    observer.begin("anonymize", 0, Unit::Rows);
    let leaves = tree.leaves_of(&data.baskets.quasi)?;
    let n_records = leaves.len();
    let task = TreeTask {
        tree,
        leaves: &leaves,
        weights: None,
        k: plan.k,
        combinations: &plan.combinations,
        seed: plan.seed,
        observer,
    };
    let decided = match plan.algorithm.info().capabilities.takes_weights {
        false => plan.algorithm.anonymize(&plan.params, &task)?,
        true => {
            let collapsed = Collapsed::of(&leaves);
            let (leaves, weights) = (&collapsed.sets, Some(&collapsed.weights[..]));
            let task = TreeTask { leaves, weights, ..task };
            let decided = plan.algorithm.anonymize(&plan.params, &task)?;
            check_shape(&decided, leaves.len(), tree.n_nodes())?;
            let set = |set: &u32| decided.of_record[*set as usize];
            let of_record = collapsed.of_record.iter().map(set).collect();
            GeneralizedSets { of_record, ..decided }
        }
    };
    check_shape(&decided, n_records, tree.n_nodes())?;
    observer.end();
    Ok(decided)
}

/// Refuse a decision that doesn't fit these records, before it is used.
fn check_shape(decided: &GeneralizedSets, n_records: usize, n_nodes: usize) -> Result<()> {
    let n_sets = decided.sets.len();
    let fits = decided.of_record.len() == n_records
        && decided.sets.n_items() == n_nodes
        && decided.of_record.iter().all(|set| (*set as usize) < n_sets);
    match fits {
        true => Ok(()),
        false => Err(Error::internal(
            "the algorithm gave a decision that doesn't fit the records; nothing was written",
        )),
    }
}
