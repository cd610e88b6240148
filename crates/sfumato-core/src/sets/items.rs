//! Items: their names, what each is worth, what it is to an attacker.

use crate::sets::Transactions;

/// What an item is to an attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ItemRole {
    /// May be known: it is suppressed where it would tell somebody apart.
    #[default]
    Quasi,
    /// Must not be learned: it isn't suppressed, and models about sensitive items speak of it.
    Sensitive,
}

/// All items of a data set, by code.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    /// What each is called.
    pub names: Vec<String>,
    /// What each is worth: above 0, or 0 for what nobody needs; 1 where nothing was said.
    pub utilities: Vec<f64>,
    /// What each is to an attacker.
    pub roles: Vec<ItemRole>,
}

impl Items {
    /// Items of which only the names are known.
    pub fn named(names: Vec<String>) -> Self {
        let n = names.len();
        Items { names, utilities: vec![1.0; n], roles: vec![ItemRole::Quasi; n] }
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.names.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
    /// The names of those that are sensitive.
    pub fn sensitive_names(&self) -> Vec<String> {
        let named = self.names.iter().zip(&self.roles);
        named
            .filter(|(_, role)| **role == ItemRole::Sensitive)
            .map(|(name, _)| name.clone())
            .collect()
    }
    /// What so many instances of each item are worth together: added in the order of codes, so that
    /// it is the same for any number of threads.
    pub fn worth(&self, instances: &[u64]) -> f64 {
        self.utilities.iter().zip(instances).map(|(utility, n)| utility * *n as f64).sum()
    }
}

/// A data set of baskets: the same records twice, as what may be known of them and as what is
/// sensitive in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Baskets {
    /// The items.
    pub items: Items,
    /// The quasi items of each record.
    pub quasi: Transactions,
    /// The sensitive items of each record; `None` where no item is sensitive.
    pub sensitive: Option<Transactions>,
}
