//! A clusterer as a user asks for it. The number of clusters is separate, because several may be
//! tried.

use sfumato_core::registry::{Argument, Call, Params};
use sfumato_core::{Error, Result};
use sfumato_learn::Matrix;
use sfumato_learn::cluster::{Clusterer, Clustering, find};

/// A clusterer with its parameters but the number of clusters.
#[derive(Clone)]
pub struct ClustererCall {
    clusterer: &'static dyn Clusterer,
    call: Call,
}

impl ClustererCall {
    /// Find a clusterer.
    pub fn new(text: &str) -> Result<Self> {
        let call: Call = text.parse()?;
        let clusterer = find(&call.name)?;
        if call.args.contains_key("k") {
            return Err(Error::params(format!("{text}: the number of clusters is given apart"))
                .hint("say --clusters 5"));
        }
        let found = ClustererCall { clusterer, call };
        found.params(1)?;
        Ok(found)
    }

    /// Cluster the rows of a matrix.
    pub fn run(&self, x: &Matrix, clusters: u64, seed: u64) -> Result<Clustering> {
        self.clusterer.cluster(&self.params(clusters)?, x, seed)
    }

    fn params(&self, clusters: u64) -> Result<Params> {
        let mut args = self.call.args.clone();
        args.insert("k".into(), Argument::Word(clusters.to_string()));
        Params::check(self.clusterer.info(), &args)
    }
}
