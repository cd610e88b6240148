//! Measures whether a release still has the clusters of its original. The records are clustered,
//! anonymized so that the clusters stay apart, and clustered again; the two clusterings are
//! compared.
//!
//! The framework of B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu, "Introduction to
//! Privacy-Preserving Data Publishing", section 7.2.2: cluster ([`clusterer`](self)), label and
//! mask ([`Labelled`]), drop the labels and cluster again, compare ([`cluster`]), release
//! ([`release`]). Labels live in memory only: what is written never has them.

mod arms;
mod clusterer;
mod features;
mod labelled;
mod release;
mod run;
mod settings;
mod supplement;

pub use clusterer::ClustererCall;
pub use features::{matrix_of_original, matrix_of_release};
pub use labelled::{Labelled, Labels};
pub use release::release;
pub use run::{Study, cluster, cluster_table, study};
pub use settings::Settings;
pub use supplement::{ClassOfClusters, Supplement};

#[cfg(test)]
mod tests;
