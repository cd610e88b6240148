//! The names that a generalized release uses: labels of nodes, and names of sensitive items.

use crate::data::{ItemRole, Items};
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::{column::Code as _, with_sets};

use crate::data::item_tree::ItemTree;

/// Names with codes: first those of all nodes, by node, then those of sensitive items.
pub(super) struct Labels {
    /// All names.
    pub names: Vec<String>,
    /// How many of them are nodes.
    n_nodes: usize,
    /// The items behind the others.
    sensitive: Vec<u32>,
}

impl Labels {
    /// The names of a tree and of the sensitive items beside it.
    pub fn of(tree: &ItemTree, items: &Items) -> Self {
        let is_sensitive = |item: &u32| items.roles[*item as usize] == ItemRole::Sensitive;
        let sensitive: Vec<u32> = (0..items.len() as u32).filter(is_sensitive).collect();
        let names = sensitive.iter().map(|item| items.names[*item as usize].clone());
        let names = tree.labels().iter().cloned().chain(names).collect();
        Labels { names, n_nodes: tree.n_nodes(), sensitive }
    }

    /// The code of a sensitive item.
    pub fn of_sensitive(&self, item: u32) -> Option<u32> {
        self.sensitive.binary_search(&item).ok().map(|at| (self.n_nodes + at) as u32)
    }

    /// Rows of names as rows of nodes, and rows of sensitive items in the codes of items.
    pub fn split(
        &self,
        rows: &Transactions,
        n_items: usize,
    ) -> (Transactions, Option<Transactions>) {
        let (mut nodes, mut sensitive) = (Builder::new(self.n_nodes), Builder::new(n_items));
        let (mut of_nodes, mut of_sensitive): (Vec<u32>, Vec<u32>) = Default::default();
        with_sets!(rows, rows => for row in rows.iter() {
            of_nodes.clear();
            of_sensitive.clear();
            for code in row.iter().map(|code| code.widen()) {
                match (code as usize).checked_sub(self.n_nodes) {
                    None => of_nodes.push(code),
                    Some(at) => of_sensitive.push(self.sensitive[at]),
                }
            }
            nodes.push(&of_nodes);
            sensitive.push(&of_sensitive);
        });
        let sensitive = (!self.sensitive.is_empty()).then(|| sensitive.finish());
        (nodes.finish(), sensitive)
    }
}
