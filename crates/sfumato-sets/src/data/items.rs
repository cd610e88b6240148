//! Items: their names, their utilities, and their roles.

use sfumato_core::transactions::Transactions;

/// The role of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ItemRole {
    /// An attacker may know the item. It is suppressed where it would tell records apart.
    #[default]
    Quasi,
    /// An attacker must not learn the item. It isn't suppressed, and models about sensitive items
    /// are about it.
    Sensitive,
}

/// All items of a data set, by code.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    /// The name of each item.
    pub names: Vec<String>,
    /// The utility of each item: above 0, or 0 for an item that nobody needs. By default 1.
    pub utilities: Vec<f64>,
    /// The role of each item.
    pub roles: Vec<ItemRole>,
}

impl Items {
    /// Items with the given names, and with default utilities and roles.
    pub fn named(names: Vec<String>) -> Self {
        let n = names.len();
        Items { names, utilities: vec![1.0; n], roles: vec![ItemRole::Quasi; n] }
    }
    /// The number of items.
    pub fn len(&self) -> usize {
        self.names.len()
    }
    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
    /// The names of the sensitive items.
    pub fn sensitive_names(&self) -> Vec<String> {
        let named = self.names.iter().zip(&self.roles);
        named
            .filter(|(_, role)| **role == ItemRole::Sensitive)
            .map(|(name, _)| name.clone())
            .collect()
    }
    /// The total utility of the given numbers of instances of each item. It is added in the order
    /// of codes, so that it is the same for any number of threads.
    pub fn worth(&self, instances: &[u64]) -> f64 {
        self.utilities.iter().zip(instances).map(|(utility, n)| utility * *n as f64).sum()
    }
}

/// A data set of baskets, with the quasi items and the sensitive items of each record kept apart.
#[derive(Debug, Clone, PartialEq)]
pub struct BasketData {
    /// The items.
    pub items: Items,
    /// The quasi items of each record.
    pub quasi: Transactions,
    /// The sensitive items of each record. `None` if no item is sensitive.
    pub sensitive: Option<Transactions>,
}
