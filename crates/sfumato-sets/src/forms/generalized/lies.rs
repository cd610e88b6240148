//! Sets of nodes that aren't true or don't protect: the verifier of generalized baskets must see
//! through each. Only tests tell them.

use sfumato_core::transactions::Transactions;
use sfumato_engine::lie::{Lie, Subject};

use crate::algorithms::generalization::GeneralizedSets;
use crate::data::item_tree::{Node, ROOT};
use crate::data::read::Loaded;

/// Every lie.
pub fn lies() -> Vec<Lie<Loaded, GeneralizedSets>> {
    vec![
        Lie {
            name: "every record is published as it is",
            subject: Subject::Privacy,
            tell: |data, decided| {
                let leaves = data.tree.as_ref();
                let leaves = leaves.and_then(|tree| tree.leaves_of(&data.baskets.quasi).ok());
                let Some(leaves) = leaves else { return false };
                decided.of_record = (0..leaves.len() as u32).collect();
                decided.sets = leaves;
                true
            },
        },
        Lie {
            name: "a record has a node above nothing of its own",
            subject: Subject::Cell,
            tell: |data, decided| {
                let Some(tree) = &data.tree else { return false };
                let Ok(leaves) = tree.leaves_of(&data.baskets.quasi) else { return false };
                let own = leaves.set(0);
                let is_other = |node: &Node| !own.iter().any(|leaf| tree.covers(*node, *leaf));
                let other = (0..tree.n_nodes() as Node).find(is_other);
                other.is_some_and(|node| change_first(decided, |nodes| nodes.push(node)))
            },
        },
        Lie {
            name: "a record lost a node",
            subject: Subject::Cell,
            tell: |_, decided| {
                let first = decided.of_record.first().map(|set| decided.sets.size(*set as usize));
                first.is_some_and(|n| n > 0)
                    && change_first(decided, |nodes| {
                        nodes.pop();
                    })
            },
        },
        Lie {
            name: "a record has the root beside its nodes",
            subject: Subject::Cell,
            tell: |_, decided| {
                let has = |set: &u32| decided.sets.set(*set as usize).contains(&ROOT);
                !decided.of_record.first().is_some_and(has)
                    && change_first(decided, |nodes| nodes.push(ROOT))
            },
        },
    ]
}

/// The first record gets a set of its own.
fn change_first(decided: &mut GeneralizedSets, change: impl Fn(&mut Vec<Node>)) -> bool {
    let Some(first) = decided.of_record.first().copied() else { return false };
    let mut changed = decided.sets.set(first as usize);
    change(&mut changed);
    let n_nodes = decided.sets.n_items();
    let sets = (0..decided.sets.len()).map(|set| decided.sets.set(set)).chain([changed]);
    decided.sets = Transactions::from_sets(n_nodes, sets.collect::<Vec<_>>());
    decided.of_record[0] = decided.sets.len() as u32 - 1;
    true
}
