//! Risks: what an attacker may achieve, estimated from class sizes.

use crate::registry::Info;

/// The sizes of all classes of a table or release, in people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassSizes {
    /// People per class; no zeros.
    pub sizes: Vec<u64>,
    /// How many people the data was drawn from, if known.
    pub population: Option<u64>,
}

impl ClassSizes {
    /// People in all classes.
    pub fn people(&self) -> u64 {
        self.sizes.iter().sum()
    }
}

/// A re-identification risk: an entry of the registry.
pub trait Risk: Sync {
    /// What it is.
    fn info(&self) -> &'static Info;
    /// The risk, usually a probability or a share; `None` when it can't be said (no classes, no population).
    fn estimate(&self, classes: &ClassSizes) -> Option<f64>;
}
