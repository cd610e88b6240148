//! What may be published of items: items themselves, or nodes of their hierarchy.

use sfumato_core::transactions::Transactions;
use sfumato_core::{Error, FastMap, Result};
use sfumato_sets::data::item_tree::{ItemTree, ROOT};
use sfumato_sets::data::{ItemRole, Items};

/// The names that a release uses: first those of units by their codes, then those of sensitive
/// items.
#[derive(Debug, Clone)]
pub struct Units {
    /// All names.
    pub names: Vec<String>,
    /// How many of them are units: nodes, or items.
    pub n: usize,
    /// The items behind the others.
    sensitive: Vec<u32>,
}

impl Units {
    /// The units of items, with their hierarchy if they have one.
    pub fn of(items: &Items, tree: Option<&ItemTree>) -> Self {
        let of_units = match tree {
            Some(tree) => tree.labels().to_vec(),
            None => items.names.clone(),
        };
        let is_sensitive = |item: &u32| items.roles[*item as usize] == ItemRole::Sensitive;
        let sensitive: Vec<u32> = (0..items.len() as u32).filter(is_sensitive).collect();
        let n = of_units.len();
        let of_sensitive = sensitive.iter().map(|item| items.names[*item as usize].clone());
        Units { names: of_units.into_iter().chain(of_sensitive).collect(), n, sensitive }
    }

    /// The names of the sensitive items, by their codes among these.
    pub fn sensitive_names(&self) -> &[String] {
        &self.names[self.n..]
    }

    /// The code of a sensitive item among these.
    pub fn of_sensitive(&self, item: u32) -> Option<u32> {
        self.sensitive.binary_search(&item).ok().map(|at| at as u32)
    }

    /// Rows of names as rows of units, and of sensitive items. An error where a row has a name that
    /// is neither.
    pub fn split(&self, names: &[String], rows: &Transactions) -> Result<Rows> {
        let mut of_name: FastMap<&str, (bool, u32)> = FastMap::default();
        for (code, name) in self.names.iter().enumerate() {
            // A sensitive item without a hierarchy is among the items, too, and is that one.
            let found = match code.checked_sub(self.n) {
                None => (false, code as u32),
                Some(at) => (true, at as u32),
            };
            of_name.insert(name, found);
        }
        let mut code_of = Vec::with_capacity(names.len());
        let counts = rows.counts();
        for (name, n) in names.iter().zip(&counts) {
            match of_name.get(name.as_str()) {
                Some(found) => code_of.push(*found),
                None if *n == 0 => code_of.push((false, ROOT)),
                None => {
                    return Err(Error::input(
                        "a row has something that is no item of the original",
                    )
                    .about_values(format!("'{name}'")));
                }
            }
        }
        let of_kind = |wanted: bool| {
            let row = |row: usize| -> Vec<u32> {
                let codes = rows.set(row).into_iter().map(|name| code_of[name as usize]);
                codes.filter(|(kind, _)| *kind == wanted).map(|(_, code)| code).collect()
            };
            (0..rows.len()).map(row).collect::<Vec<_>>()
        };
        let n_sensitive = self.names.len() - self.n;
        Ok(Rows {
            units: Transactions::from_sets(self.n, of_kind(false)),
            sensitive: (n_sensitive > 0)
                .then(|| Transactions::from_sets(n_sensitive, of_kind(true))),
        })
    }
}

/// Rows of units, and the sensitive items beside them.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The units of each row.
    pub units: Transactions,
    /// The sensitive items of each row, if any item is sensitive.
    pub sensitive: Option<Transactions>,
}
