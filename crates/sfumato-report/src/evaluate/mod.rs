//! What `evaluate` found: how well a recipient's tasks can be done with a release, beside the
//! original data.
//!
//! Plain figures that the engine fills in, and the ways to show them: words, CSV, a drawing.
//! Nothing here measures or decides, and of the data's cells nothing is shown but how many records
//! the classes of a target have.

pub(crate) mod axis;
mod bars;
mod csv;
mod table;

use serde::Serialize;

pub use bars::draw_scores;
pub use csv::{measures_csv, scores_csv};
pub(crate) use table::push_aligned;
pub use table::words;

/// Everything that was tried on one dataset.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// Version of the program.
    pub version: String,
    /// The data as the user named it.
    pub input: String,
    /// Its records.
    pub rows: u64,
    /// The columns that are generalized.
    pub quasi: Vec<String>,
    /// What had to hold.
    pub models: Vec<String>,
    /// How many records might be suppressed, as the job says it.
    pub max_suppression: String,
    /// How rows were held out.
    pub protocol: Protocol,
    /// The random queries.
    pub queries: Queries,
    /// What was predicted.
    pub tasks: Vec<Task>,
    /// The algorithms.
    pub algorithms: Vec<Algorithm>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Where the time went. All else is the same for the same data, settings and seed.
    pub timings: Timings,
}

impl Evaluation {
    /// All of it as one JSON object, indented, without a final newline.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("every key is a string and writing to memory can't fail")
    }

    /// Whether any algorithm could meet the requirements in all parts.
    pub fn is_feasible(&self) -> bool {
        self.algorithms.iter().any(|algorithm| algorithm.measures.is_some())
    }
}

/// How rows were held out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Protocol {
    /// In words.
    pub text: String,
    /// How often a part was held out.
    pub parts: u64,
    /// Rows trained on, on average.
    pub train_rows: f64,
    /// Rows tested on, on average.
    pub test_rows: f64,
    /// Where random choices started from.
    pub seed: u64,
}

/// The random COUNT queries.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Queries {
    /// How many for each training part.
    pub count: u64,
    /// How many quasi columns each restricts.
    pub columns: u64,
    /// The share of records that each should select if columns were independent.
    pub selectivity: f64,
}

/// One column to predict.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    /// The column.
    pub target: String,
    /// Whether it has classes, and scores are accuracies; otherwise numbers, and scores are mean
    /// absolute errors.
    pub is_classes: bool,
    /// What it is predicted from.
    pub features: Vec<String>,
    /// Records without a target: they are anonymized, but nothing is learnt from them or tested on
    /// them.
    pub without_target: u64,
    /// Records of each class, the largest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub class_counts: Vec<u64>,
    /// What is achieved by always saying the most frequent class of the training part, or its mean.
    pub baseline: Spread,
    /// One for each kind of data and learner.
    pub scores: Vec<Score>,
}

/// What a score was achieved on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// The original data: the book's BE.
    #[default]
    Original,
    /// The original data without its quasi columns: the book's UE.
    WithoutQuasi,
    /// A release by the algorithm of this place: the book's CE.
    Release(usize),
}

/// How good one learner was on one kind of data.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// The data.
    pub data: Data,
    /// The learner as the user wrote it.
    pub learner: String,
    /// How words became numbers: `ends` or `one-hot`.
    pub encoding: String,
    /// Accuracy, or mean absolute error.
    pub score: Spread,
    /// One less the accuracy, on average: the book's classification error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Area under the curve, the mean over classes; none where a test part had one class only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc: Option<Spread>,
    /// The paired t-test against the release of the first algorithm with the same learner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_first: Option<Test>,
}

/// Mean and spread over parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the parts' values.
    pub sd: f64,
    /// One for each part.
    pub values: Vec<f64>,
}

/// A paired t-test.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Test {
    /// This score less that of the first algorithm, on average.
    pub difference: f64,
    /// The chance of a difference this far from none if there were none. Parts share training rows,
    /// so it is too small.
    pub p: f64,
}

/// What is known of an algorithm beside the scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Algorithm {
    /// As the user wrote it.
    pub algorithm: String,
    /// What ran, if `auto` chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// What was measured on the training parts, averaged; none if a part couldn't be anonymized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// Why it couldn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<String>,
}

impl Algorithm {
    /// Its name with what `auto` chose.
    pub fn label(&self) -> String {
        match &self.chosen {
            Some(chosen) => format!("{}: {chosen}", self.algorithm),
            None => self.algorithm.clone(),
        }
    }
}

/// Measures of the training parts' recodings, averaged over the parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Classes that a recipient sees.
    pub classes: f64,
    /// Published records per class.
    pub average_class_size: f64,
    /// Records left out.
    pub suppressed: f64,
    /// Normalized certainty penalty.
    pub ncp: Option<f64>,
    /// For each task: conditional entropy in bits, or the mean squared error within classes.
    pub purity: Vec<Option<f64>>,
    /// The median relative error of the random queries, averaged over the parts.
    pub query_error_median: Option<f64>,
    /// Their mean relative error.
    pub query_error_mean: Option<f64>,
    /// Weighted imprecision of the workload's selections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imprecision: Option<f64>,
    /// For each quasi column the divergence, in bits, of the distribution that a recipient
    /// reconstructs.
    pub divergences: Vec<f64>,
}

impl Measures {
    /// The mean divergence over the quasi columns.
    pub fn mean_divergence(&self) -> Option<f64> {
        let n = self.divergences.len();
        (n > 0).then(|| self.divergences.iter().sum::<f64>() / n as f64)
    }
}

/// Where the time went. Parts run at once, so that their sum may exceed the whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timings {
    /// Seconds to read the data.
    pub read_seconds: f64,
    /// Seconds of everything else.
    pub evaluate_seconds: f64,
    /// Seconds to encode one training part, on average.
    pub encode_seconds: f64,
    /// For each algorithm, on one training part on average: seconds that it took.
    pub anonymize_seconds: Vec<f64>,
    /// For each algorithm, on one part on average: seconds to learn and test with all learners.
    pub learn_seconds: Vec<f64>,
    /// The same on the original data.
    pub learn_original_seconds: f64,
}

#[cfg(test)]
pub(crate) mod fixture;
