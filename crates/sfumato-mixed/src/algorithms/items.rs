//! What is published of the items of a class, so that every promise holds within it.

use sfumato_core::combinations::AskedCombinations;
use sfumato_core::registry::{Argument, Params};
use sfumato_core::transactions::Transactions;
use sfumato_core::{ErrorKind, Result};
use sfumato_sets::algorithms::generalization::{self, TreeTask};
use sfumato_sets::data::item_tree::ItemTree;
use sfumato_sets::traits::SetTask;

use crate::data::MixedData;

/// At how many millions of visited items the search for a cut of one class ends.
const WORK: &str = "1";
/// After how many steps without success it ends.
const ROUNDS: &str = "20";

/// Publishes the items of classes.
pub struct Publisher<'a> {
    data: &'a MixedData,
    asked: Vec<AskedCombinations>,
    seed: u64,
}

/// The items of a class as they are published.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The units of each of its rows.
    pub units: Vec<Vec<u32>>,
    /// What that loses: 1 for an item that is left out, and less where it is generalized.
    pub loss: f64,
}

impl<'a> Publisher<'a> {
    /// A publisher of the items of some records, who keeps promises about combinations.
    pub fn new(data: &'a MixedData, asked: Vec<AskedCombinations>, seed: u64) -> Self {
        Publisher { data, asked, seed }
    }

    /// How many items all records have, each counted as often as it is there.
    pub fn instances(&self) -> u64 {
        self.data.quasi.n_instances()
    }

    /// The different items of some rows, ascending.
    pub fn items_of(&self, rows: &[u32]) -> Vec<u32> {
        let sets = rows.iter().flat_map(|row| self.data.quasi.set(*row as usize));
        let mut items: Vec<u32> = sets.collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    /// Publish the items of a class. `None` if not even leaving all of them out keeps the promises:
    /// the class is too small, or too many of its rows have the same sensitive item.
    pub fn publish(&self, rows: &[u32]) -> Result<Option<Published>> {
        let largest = self.asked.iter().map(|asked| asked.required).max().unwrap_or(0);
        if (rows.len() as u64) < largest {
            return Ok(None);
        }
        let published = match &self.data.tree {
            None => self.suppressed(rows),
            Some(tree) => self.generalized(tree, rows).and_then(|generalized| {
                // Few rows may have little in common but single items.
                let left = leaves_of(tree, self.suppressed(rows)?);
                Ok(if left.loss < generalized.loss { left } else { generalized })
            }),
        };
        match published {
            Ok(published) => Ok(Some(published)),
            Err(error) if error.kind == ErrorKind::Infeasible => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Items of a cut of the hierarchy that is the class's own. Rare items are left out where that
    /// loses less, and all of them where too few rows have any.
    fn generalized(&self, tree: &ItemTree, rows: &[u32]) -> Result<Published> {
        let sets = rows.iter().map(|row| {
            let set = self.data.quasi.set(*row as usize);
            set.into_iter().filter_map(|item| tree.leaf(item)).collect()
        });
        let leaves = Transactions::from_sets(tree.n_nodes(), sets);
        let n = leaves.n_instances() as f64;
        let task = TreeTask { seed: self.seed, ..TreeTask::new(tree, &leaves, 1, &self.asked) };
        let algorithm = generalization::find("cut-search")?;
        let words = [("work", WORK), ("rounds", ROUNDS), ("outliers", "auto")];
        let args = words.map(|(name, value)| (name.to_string(), Argument::Word(value.into())));
        let params = Params::check(algorithm.info(), &args.into())?;
        let decided = match algorithm.anonymize(&params, &task) {
            Ok(decided) => decided,
            Err(error) if error.kind == ErrorKind::Infeasible => {
                return Ok(Published { units: vec![Vec::new(); rows.len()], loss: n });
            }
            Err(error) => return Err(error),
        };
        let units: Vec<Vec<u32>> =
            decided.of_record.iter().map(|set| decided.sets.set(*set as usize)).collect();
        let mut loss = 0.0;
        for (row, nodes) in units.iter().enumerate() {
            for leaf in leaves.set(row) {
                let above = nodes.iter().find(|node| tree.covers(**node, leaf));
                loss += above.map_or(1.0, |node| tree.ncp(*node));
            }
        }
        Ok(Published { units, loss })
    }

    /// Items without those that have to be left out of all rows of the class.
    fn suppressed(&self, rows: &[u32]) -> Result<Published> {
        // Numbered among those of the class: it has few of all items.
        let items = self.items_of(rows);
        let own = |item: u32| items.binary_search(&item).unwrap_or_default() as u32;
        let set = |row: &u32| -> Vec<u32> {
            self.data.quasi.set(*row as usize).into_iter().map(own).collect()
        };
        let sets = Transactions::from_sets(items.len(), rows.iter().map(set));
        let private = self.data.sensitive.as_ref().map(|secret| {
            let of = |row: &u32| secret.set(*row as usize);
            Transactions::from_sets(secret.n_items(), rows.iter().map(of))
        });
        let utilities = vec![1.0; items.len()];
        let task = SetTask {
            combinations: &self.asked,
            private: private.as_ref(),
            seed: self.seed,
            ..SetTask::new(&sets, &utilities, 1)
        };
        let algorithm = sfumato_sets::algorithms::find("item-suppression")?;
        let params = Params::check(algorithm.info(), &Default::default())?;
        let decided = algorithm.anonymize(&params, &task)?;
        let name = |item: u32| items[item as usize];
        let units: Vec<Vec<u32>> = decided
            .of_record
            .iter()
            .map(|set| decided.sets.set(*set as usize).into_iter().map(name).collect())
            .collect();
        let kept: usize = units.iter().map(Vec::len).sum();
        Ok(Published { units, loss: (sets.n_instances() - kept as u64) as f64 })
    }
}

/// Items as they are, as leaves of their hierarchy.
fn leaves_of(tree: &ItemTree, published: Published) -> Published {
    let leaves = |items: Vec<u32>| {
        let mut leaves: Vec<u32> = items.into_iter().filter_map(|item| tree.leaf(item)).collect();
        leaves.sort_unstable();
        leaves
    };
    Published { units: published.units.into_iter().map(leaves).collect(), ..published }
}
