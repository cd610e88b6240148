//! What `cluster` found: how alike the clusters of a release and those of its original are, by
//! algorithm.
//!
//! Plain figures that the engine fills in, and the ways to show them: words, CSV, a drawing.
//! Nothing here measures or decides; of the data's cells nothing is shown, of the clusters only how
//! many records they have.

mod bars;
mod csv;
mod table;

use serde::Serialize;

pub use bars::draw_clusters;
pub use csv::csv;
pub use table::words;

/// Everything that was tried on one dataset.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClusterStudy {
    /// Version of the program.
    pub version: String,
    /// The data as the user named it.
    pub input: String,
    /// Its records.
    pub rows: u64,
    /// The columns that are clustered and generalized.
    pub quasi: Vec<String>,
    /// What had to hold.
    pub models: Vec<String>,
    /// How many records might be suppressed, as the job says it.
    pub max_suppression: String,
    /// The clusterer, of the original and of the releases.
    pub clusterer: String,
    /// Where random choices started from.
    pub seed: u64,
    /// One for each number of clusters.
    pub numbers: Vec<Clusters>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Seconds for everything after reading.
    pub seconds: f64,
}

impl ClusterStudy {
    /// All of it as one JSON object, indented, without a final newline.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("every key is a string and writing to memory can't fail")
    }

    /// Whether any algorithm could meet the requirements.
    pub fn is_feasible(&self) -> bool {
        self.numbers.iter().any(|clusters| clusters.best.is_some())
    }
}

/// One number of clusters.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Clusters {
    /// How many were asked for.
    pub clusters: u64,
    /// Records of each cluster of the original, the largest first: fewer clusters if there are
    /// fewer different records.
    pub sizes: Vec<u64>,
    /// The original clustered again from another seed: what the clusterer itself leaves to chance.
    pub again: Alike,
    /// One for each algorithm, with labels and blind.
    pub arms: Vec<Arm>,
    /// The place of the arm with the highest F-measure.
    pub best: Option<usize>,
}

/// How alike two clusterings are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Alike {
    /// Overall F-measure: 1 if they are the same.
    pub f_measure: f64,
    /// The share of pairs of records that both put together or both keep apart.
    pub match_point: f64,
}

/// One algorithm, with labels or blind to them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Arm {
    /// As the user wrote it.
    pub algorithm: String,
    /// What ran, if `auto` chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// Whether it was told the clusters.
    pub labelled: bool,
    /// What was found, if it could meet the requirements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Why it couldn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<String>,
}

/// What was found of one arm.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// How alike the clusters of the release and of the original are.
    #[serde(flatten)]
    pub alike: Alike,
    /// Clusters of the release: fewer than asked for if it has fewer different records.
    pub clusters: u64,
    /// Records that were compared: those published.
    pub compared: u64,
    /// Records left out.
    pub suppressed: u64,
    /// Classes that a recipient sees.
    pub classes: u64,
    /// Normalized certainty penalty.
    pub ncp: Option<f64>,
    /// Seconds that the algorithm took.
    pub anonymize_seconds: f64,
    /// Seconds to cluster its release.
    pub cluster_seconds: f64,
}

impl Arm {
    /// Its name with what `auto` chose.
    pub fn name(&self) -> String {
        match &self.chosen {
            Some(chosen) => format!("{}: {chosen}", self.algorithm),
            None => self.algorithm.clone(),
        }
    }

    /// What it was told, in a word.
    pub fn told(&self) -> &'static str {
        if self.labelled { "labels" } else { "blind" }
    }
}

#[cfg(test)]
pub(crate) mod fixture {
    //! Two numbers of clusters, one algorithm with labels and blind, and one that couldn't.

    use super::*;

    pub(crate) fn study() -> ClusterStudy {
        let arm = |labelled: bool, f_measure: f64| Arm {
            algorithm: "auto".into(),
            chosen: Some("mondrian".into()),
            labelled,
            figures: Some(Figures {
                alike: Alike { f_measure, match_point: f_measure + 0.05 },
                clusters: 3,
                compared: 990,
                suppressed: 10,
                classes: 80,
                ncp: Some(0.2),
                anonymize_seconds: 0.1,
                cluster_seconds: 0.2,
            }),
            infeasible: None,
        };
        let cannot = Arm {
            algorithm: "full-domain".into(),
            labelled: true,
            infeasible: Some("it can't, \"really\" <so>".into()),
            ..Arm::default()
        };
        let of = |clusters: u64| Clusters {
            clusters,
            sizes: vec![600, 300, 100],
            again: Alike { f_measure: 1.0, match_point: 1.0 },
            arms: vec![arm(true, 0.875), arm(false, 0.625), cannot.clone()],
            best: Some(0),
        };
        ClusterStudy {
            version: "0.1.0".into(),
            input: "folder/people & <more>.csv".into(),
            rows: 1000,
            quasi: vec!["age".into(), "sex".into()],
            models: vec!["k-anonymity(k=5)".into()],
            max_suppression: "1%".into(),
            clusterer: "k-means".into(),
            seed: 7,
            numbers: vec![of(3), of(4)],
            notes: vec!["a note".into()],
            seconds: 1.0,
        }
    }
}
