//! The algorithms that the paper compares, and its learners.

use sfumato_core::Result;
use sfumato_evaluate::evaluate::LearnerCall;

/// InfoGain Mondrian and Regression Mondrian: the workload says which.
pub const GUIDED: &str =
    "mondrian(split=widest, leftovers=none, cuts=median, significant=false, tighten=false)";
/// Median Mondrian.
pub const MEDIAN: &str =
    "mondrian(split=widest, leftovers=none, cuts=median, workload=false, tighten=false)";
/// Top-down specialization.
pub const TDS: &str = "top-down-specialization";
/// What this project does by itself.
pub const OURS: &str = "mondrian";

/// What is compared for classes, the original data first: names of curves and algorithms.
pub const CURVES: [&str; 5] = ["original", "InfoGain", "TDS", "Median", "ours"];
/// The algorithms of the curves after the first.
pub const ARMS: [&str; 4] = [GUIDED, TDS, MEDIAN, OURS];
/// The place of InfoGain among the curves.
pub const INFOGAIN: usize = 1;

/// The paper's name of a learner, and ours.
pub const CLASS_LEARNERS: [(&str, &str); 4] = [
    ("J48", "decision-tree"),
    ("naive Bayes", "naive-bayes"),
    ("random forest", "random-forest(trees=40)"),
    ("SVM", "linear-svm"),
];

/// The learners to run.
pub fn learners(named: &[(&str, &str)]) -> Result<Vec<LearnerCall>> {
    named.iter().map(|(_, text)| LearnerCall::new(text, None)).collect()
}
