//! The settings of a comparison of clusters.

use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};

use super::clusterer::ClustererCall;
use sfumato_table::forms::buckets::find_generalizing;

/// What to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The numbers of clusters: one study each.
    pub clusters: Vec<u64>,
    /// The clusterer, as `name(param=value)` without the number of clusters.
    pub clusterer: String,
    /// The clusterer of the release, if the recipient's is another one.
    pub recipient: Option<String>,
    /// The algorithms, as `name(param=value)` or `auto`: each with the labels and blind to them. If
    /// none is named: `mondrian` and `top-down-refinement`, and beside them what `auto` takes
    /// without labels.
    pub algorithms: Vec<String>,
    /// Where clusterers and algorithms start from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            clusters: vec![5],
            clusterer: "k-means".into(),
            recipient: None,
            algorithms: Vec::new(),
            seed: 0,
        }
    }
}

/// Fewer than two clusters tell nothing apart.
const FEWEST: u64 = 2;

impl Settings {
    /// Check names before a large file is read.
    pub fn check(&self) -> Result<ClustererCall> {
        if self.clusters.is_empty() {
            return Err(Error::params("no number of clusters was given").hint("say --clusters 5"));
        }
        for (place, n) in self.clusters.iter().enumerate() {
            if *n < FEWEST {
                return Err(Error::params(format!(
                    "there must be at least {FEWEST} clusters, not {n}"
                )));
            }
            if self.clusters[..place].contains(n) {
                return Err(Error::params(format!("{n} clusters are asked for twice")));
            }
        }
        for (place, text) in self.algorithms.iter().enumerate() {
            if self.algorithms[..place].contains(text) {
                return Err(Error::params(format!("the algorithm {text} is given twice")));
            }
            if text != "auto" {
                let call: Call = text.parse()?;
                Params::check(find_generalizing(&call.name)?.info(), &call.args)?;
            }
        }
        self.of_recipient()?;
        ClustererCall::new(&self.clusterer)
    }

    /// The clusterer of the release.
    pub fn of_recipient(&self) -> Result<ClustererCall> {
        ClustererCall::new(self.recipient.as_ref().unwrap_or(&self.clusterer))
    }
}
