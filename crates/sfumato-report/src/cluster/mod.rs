//! The results of `cluster`: how similar the clusters of a release and those of its original are,
//! by algorithm.
//!
//! The study fills in plain figures, and this module shows them as words, CSV and a drawing.
//! Nothing here measures or decides. No cells of the data are shown, and only the sizes of
//! clusters.

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
    /// The data, as the user named them.
    pub input: String,
    /// The number of records.
    pub rows: u64,
    /// The columns that are clustered and generalized.
    pub quasi: Vec<String>,
    /// The models that had to hold.
    pub models: Vec<String>,
    /// How many records might be suppressed, as in the job.
    pub max_suppression: String,
    /// The clusterer, for the original and for the releases.
    pub clusterer: String,
    /// The clusterer of the releases, if the recipient's is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The seed of random choices.
    pub seed: u64,
    /// The results, one for each number of clusters.
    pub numbers: Vec<Clusters>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// The seconds for everything after reading.
    pub seconds: f64,
}

impl ClusterStudy {
    /// The study as one JSON object, indented, without a final newline.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("every key is a string and writing to memory can't fail")
    }

    /// Whether any algorithm could meet the requirements.
    pub fn is_feasible(&self) -> bool {
        self.numbers.iter().any(|clusters| clusters.best.is_some())
    }
}

/// The results for one number of clusters.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Clusters {
    /// How many clusters were asked for.
    pub clusters: u64,
    /// The number of records in each cluster of the original, the largest first. There are fewer
    /// clusters if there are fewer different records.
    pub sizes: Vec<u64>,
    /// The similarity of the original's clusters to those from another seed: how much the clusterer
    /// itself leaves to chance.
    pub again: Alike,
    /// The arms: one for each algorithm, with labels and blind.
    pub arms: Vec<Arm>,
    /// The place of the arm with the highest F-measure.
    pub best: Option<usize>,
}

/// How similar two clusterings are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Alike {
    /// The overall F-measure: 1 if they are the same.
    pub f_measure: f64,
    /// The share of pairs of records that both clusterings put together or both keep apart.
    pub match_point: f64,
}

/// One algorithm, with labels or blind to them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Arm {
    /// The algorithm, as the user wrote it.
    pub algorithm: String,
    /// The algorithm that ran, if `auto` chose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// Whether the algorithm knew the clusters.
    pub labelled: bool,
    /// The figures, if the algorithm could meet the requirements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Why the algorithm couldn't meet the requirements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<String>,
}

/// The figures of one arm.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// How similar the clusters of the release and of the original are.
    #[serde(flatten)]
    pub alike: Alike,
    /// How many records are in which cluster of the original and which of the release, ascending,
    /// without zeros. It is for a picture, and in no file.
    #[serde(skip)]
    pub both: Vec<(u32, u32, u64)>,
    /// The number of clusters of the release: fewer than asked for if it has fewer different
    /// records.
    pub clusters: u64,
    /// The number of records that were compared, which are those published.
    pub compared: u64,
    /// The number of suppressed records.
    pub suppressed: u64,
    /// The number of classes that a recipient sees.
    pub classes: u64,
    /// The normalized certainty penalty.
    pub ncp: Option<f64>,
    /// Seconds that the algorithm took.
    pub anonymize_seconds: f64,
    /// Seconds to cluster the release.
    pub cluster_seconds: f64,
}

impl Arm {
    /// The name of the algorithm, with what `auto` chose.
    pub fn name(&self) -> String {
        match &self.chosen {
            Some(chosen) => format!("{}: {chosen}", self.algorithm),
            None => self.algorithm.clone(),
        }
    }

    /// Whether the algorithm knew the clusters, in a word.
    pub fn told(&self) -> &'static str {
        if self.labelled { "labels" } else { "blind" }
    }
}

#[cfg(test)]
pub(crate) mod fixture {
    //! A study with two numbers of clusters, one algorithm with labels and blind, and one algorithm
    //! that couldn't meet the requirements.

    use super::*;

    pub(crate) fn study() -> ClusterStudy {
        let arm = |labelled: bool, f_measure: f64| Arm {
            algorithm: "auto".into(),
            chosen: Some("mondrian".into()),
            labelled,
            figures: Some(Figures {
                alike: Alike { f_measure, match_point: f_measure + 0.05 },
                both: vec![(0, 0, 590), (1, 1, 300), (2, 2, 100)],
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
            recipient: None,
            seed: 7,
            numbers: vec![of(3), of(4)],
            notes: vec!["a note".into()],
            seconds: 1.0,
        }
    }
}
