//! What a holder may hand out beside a release for clustering, the fifth step of the framework
//! (7.2.2): the taxonomies, the values that are published, how similar the clusters are, and the
//! clusters of the original.
//!
//! Clusters are told by class: how many of the records that are published alike were in each
//! cluster. No record can be told from the others of its class by that, and yet it says more than
//! the release: which cluster a record is in follows from its quasi cells alone, and models about
//! sensitive columns weren't asked about it.

use std::collections::BTreeMap;

use serde::Serialize;
use sfumato_core::dataset::Table;
use sfumato_core::recoding::{Recoding, SUPPRESSED};
use sfumato_report::cluster::Alike;

/// What goes with a release for one number of clusters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Supplement {
    /// How many clusters were asked for.
    pub clusters: u64,
    /// The clusterer of the original.
    pub clusterer: String,
    /// The clusterer of the release.
    pub recipient: String,
    /// What decided the release, and whether it knew the clusters.
    pub algorithm: String,
    /// Whether it did.
    pub labelled: bool,
    /// How similar the clusters of the release and of the original are.
    pub similarity: Alike,
    /// The trees of columns that have one, level by level from the values up; ranges that the
    /// algorithm made are in the solution.
    pub taxonomies: BTreeMap<String, Vec<Vec<String>>>,
    /// The values that are published in each quasi column.
    pub solution: BTreeMap<String, Vec<String>>,
    /// The records that are published alike, and how many of them were in each cluster.
    pub classes: Vec<ClassOfClusters>,
}

/// Records that are published alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassOfClusters {
    /// Their quasi cells.
    pub cells: Vec<String>,
    /// How many of them are in each cluster of the original.
    pub records_of_cluster: Vec<u64>,
}

/// The trees of a table.
pub fn taxonomies(table: &Table) -> BTreeMap<String, Vec<Vec<String>>> {
    let trees = table.quasi().into_iter().filter_map(|column| {
        let levels = column.hierarchy.as_ref()?.to_levels().levels;
        let texts = |level: &sfumato_core::column::Dictionary| {
            let mut seen: Vec<String> = Vec::new();
            for text in level.iter() {
                if !seen.iter().any(|known| known == text) {
                    seen.push(text.to_string());
                }
            }
            seen
        };
        Some((column.name.clone(), levels.iter().map(texts).collect()))
    });
    trees.collect()
}

/// The classes that a recipient sees, with the clusters of their records, in the order of their
/// cells; `labels` has one for each record of the table.
pub fn classes(
    table: &Table,
    recoding: &dyn Recoding,
    labels: &[u32],
    n_clusters: usize,
) -> Vec<ClassOfClusters> {
    let quasi = table.quasi();
    let mut counts = vec![vec![0u64; n_clusters]; recoding.n_classes()];
    for (class, label) in recoding.class_of_row().iter().zip(labels) {
        if *class != SUPPRESSED {
            counts[*class as usize][*label as usize] += 1;
        }
    }
    let mut seen: BTreeMap<Vec<String>, Vec<u64>> = BTreeMap::new();
    for (class, counts) in (0u32..).zip(counts) {
        if counts.iter().all(|count| *count == 0) {
            continue;
        }
        let cells = quasi.iter().enumerate();
        let cells = cells.map(|(place, column)| recoding.value(class, place).render(column));
        // Classes with the same texts are one to a reader.
        let sums = seen.entry(cells.collect()).or_insert_with(|| vec![0; n_clusters]);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    seen.into_iter()
        .map(|(cells, records_of_cluster)| ClassOfClusters { cells, records_of_cluster })
        .collect()
}

/// The values that occur in each quasi column of some classes.
pub fn solution(table: &Table, classes: &[ClassOfClusters]) -> BTreeMap<String, Vec<String>> {
    let values = table.quasi().into_iter().enumerate().map(|(place, column)| {
        let mut values: Vec<String> =
            classes.iter().map(|class| class.cells[place].clone()).collect();
        values.sort();
        values.dedup();
        (column.name.clone(), values)
    });
    values.collect()
}
