//! Clusterers, one file each and one list, and measures of the similarity of two clusterings of the
//! same rows.
//!
//! Distances are taken as they come: call [`Matrix::standardized`] first where columns have
//! different units.

mod contingency;
mod f_measure;
#[cfg(test)]
mod laws;
mod match_point;

pub use contingency::Contingency;
pub use f_measure::{f_measure, overall_f_measure};
pub use match_point::match_point;

use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use crate::Matrix;

/// Which cluster each row belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// The cluster of each row, numbered from 0 in the order of their first rows. None is empty.
    pub labels: Vec<u32>,
    /// How many clusters there are: fewer than asked for if there are fewer different rows.
    pub n_clusters: usize,
    /// What the clusterer minimized.
    pub cost: f64,
}

/// A clusterer.
pub trait Clusterer: Sync {
    /// What a user reads about it.
    fn info(&self) -> &'static Info;

    /// Cluster at least one row.
    fn run(&self, params: &Params, x: &Matrix, seed: u64) -> Result<Clustering>;

    /// Cluster rows; an error if there are none.
    fn cluster(&self, params: &Params, x: &Matrix, seed: u64) -> Result<Clustering> {
        if x.n_rows() == 0 {
            return Err(Error::input("there is no row to cluster"));
        }
        if x.n_rows() >= u32::MAX as usize {
            return Err(Error::unsupported("clusterers take fewer than 2^32 rows"));
        }
        self.run(params, x, seed)
    }
}

/// The parameter all clusterers share.
const CLUSTERS: ParamSpec =
    ParamSpec::required("k", ParamKind::Integer { min: 1, max: 1_000_000 }, "how many clusters");

/// Number clusters in the order of their first rows, so that equal clusterings have equal labels.
fn renumbered(labels: &[u32], cost: f64) -> Clustering {
    let mut numbers = vec![u32::MAX; labels.iter().max().map_or(0, |most| *most as usize + 1)];
    let mut n_clusters = 0;
    let mut number = |label: &u32| {
        let number = &mut numbers[*label as usize];
        if *number == u32::MAX {
            *number = n_clusters;
            n_clusters += 1;
        }
        *number
    };
    let labels = labels.iter().map(&mut number).collect();
    Clustering { labels, n_clusters: n_clusters as usize, cost }
}

sfumato_core::registry! {
    /// All clusterers.
    dyn Clusterer:
    k_means::KMeans,
    k_medoids::KMedoids,
}

/// Find a clusterer by name; the error names near ones.
pub fn find(name: &str) -> Result<&'static dyn Clusterer> {
    sfumato_core::registry::find("clusterer", ALL, |clusterer| clusterer.info(), name)
}
