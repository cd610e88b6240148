//! The results of `evaluate`: how well a recipient's tasks can be done with a release, compared
//! with the original data.
//!
//! The study fills in plain figures, and this module shows them as words, CSV and a drawing.
//! Nothing here measures or decides. Of the data only the sizes of a target's classes are shown.

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
    /// The data, as the user named them.
    pub input: String,
    /// The number of records.
    pub rows: u64,
    /// The columns that are generalized.
    pub quasi: Vec<String>,
    /// The models that had to hold.
    pub models: Vec<String>,
    /// How many records might be suppressed, as in the job.
    pub max_suppression: String,
    /// How rows were held out.
    pub protocol: Protocol,
    /// The random queries.
    pub queries: Queries,
    /// The tasks: which columns were predicted.
    pub tasks: Vec<Task>,
    /// The algorithms.
    pub algorithms: Vec<Algorithm>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// How long the steps took. All else is the same for the same data, settings and seed.
    pub timings: Timings,
}

impl Evaluation {
    /// The evaluation as one JSON object, indented, without a final newline.
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
    /// The protocol in words.
    pub text: String,
    /// How often a part was held out.
    pub parts: u64,
    /// The mean number of rows to train on.
    pub train_rows: f64,
    /// The mean number of rows to test on.
    pub test_rows: f64,
    /// The seed of random choices.
    pub seed: u64,
}

/// The random COUNT queries.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Queries {
    /// The number of queries for each training part.
    pub count: u64,
    /// How many quasi columns each query restricts.
    pub columns: u64,
    /// The share of records that each query should select if columns were independent.
    pub selectivity: f64,
}

/// One column to predict.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    /// The name of the column.
    pub target: String,
    /// Whether the column has classes, and scores are accuracies. Otherwise it has numbers, and
    /// scores are mean absolute errors.
    pub is_classes: bool,
    /// The columns from which it is predicted.
    pub features: Vec<String>,
    /// The number of records without a target. They are anonymized, but not used to learn or to
    /// test.
    pub without_target: u64,
    /// The number of records in each class, the largest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub class_counts: Vec<u64>,
    /// The score of always predicting the most frequent class of the training part, or its mean.
    pub baseline: Spread,
    /// The scores, one for each kind of data and learner.
    pub scores: Vec<Score>,
}

/// The data with which a score was achieved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// The original data (BE in the book).
    #[default]
    Original,
    /// The original data without its quasi columns (UE in the book).
    WithoutQuasi,
    /// A release by the algorithm at this place of the list (CE in the book).
    Release(usize),
}

/// How good one learner was on one kind of data.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// The data with which it was achieved.
    pub data: Data,
    /// The learner, as the user wrote it.
    pub learner: String,
    /// How words became numbers: `ends` or `one-hot`.
    pub encoding: String,
    /// The accuracy, or the mean absolute error.
    pub score: Spread,
    /// One minus the mean accuracy: the classification error of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The area under the curve, averaged over classes. `None` if a test part had only one class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc: Option<Spread>,
    /// The paired t-test against the release of the first algorithm with the same learner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_first: Option<Test>,
}

/// The mean and the spread over parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation over the parts.
    pub sd: f64,
    /// The values, one for each part.
    pub values: Vec<f64>,
}

/// A paired t-test.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Test {
    /// The mean difference between this score and that of the first algorithm.
    pub difference: f64,
    /// The probability of a difference at least this large if there were none. It is too small,
    /// because parts share training rows.
    pub p: f64,
}

/// What is known about an algorithm besides the scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Algorithm {
    /// The algorithm, as the user wrote it.
    pub algorithm: String,
    /// The algorithm that ran, if `auto` chose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// The mean of what was measured on the training parts. `None` if a part couldn't be
    /// anonymized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// Why a part couldn't be anonymized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<String>,
}

impl Algorithm {
    /// The name of the algorithm, with what `auto` chose.
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
    /// The number of classes that a recipient sees.
    pub classes: f64,
    /// The number of published records per class.
    pub average_class_size: f64,
    /// The number of suppressed records.
    pub suppressed: f64,
    /// The normalized certainty penalty.
    pub ncp: Option<f64>,
    /// For each task: the conditional entropy in bits, or the mean squared error within classes.
    pub purity: Vec<Option<f64>>,
    /// The median relative error of the random queries, averaged over the parts.
    pub query_error_median: Option<f64>,
    /// The mean relative error of the random queries.
    pub query_error_mean: Option<f64>,
    /// The weighted imprecision of the workload's selections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imprecision: Option<f64>,
    /// For each quasi column, the divergence in bits of the distribution that a recipient
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

/// How long the steps took. Parts run at once, so their sum may exceed the whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timings {
    /// Seconds to read the data.
    pub read_seconds: f64,
    /// Seconds for everything else.
    pub evaluate_seconds: f64,
    /// Mean seconds to encode one training part.
    pub encode_seconds: f64,
    /// For each algorithm, the mean seconds to anonymize one training part.
    pub anonymize_seconds: Vec<f64>,
    /// For each algorithm, the mean seconds per part to learn and test with all learners.
    pub learn_seconds: Vec<f64>,
    /// Mean seconds per part to learn and test with all learners on the original data.
    pub learn_original_seconds: f64,
}

#[cfg(test)]
pub(crate) mod fixture;
