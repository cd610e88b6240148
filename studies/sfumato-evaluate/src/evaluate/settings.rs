//! The settings of an evaluation.

use super::features::Encoding;
use super::measures::Queries;

/// How rows are held out.
#[derive(Debug, Clone, PartialEq)]
pub enum Protocol {
    /// Cross-validation: each of this many folds is held out once.
    Folds(usize),
    /// One split: so large a share of the rows is held out.
    Share(f64),
    /// The rows of another file are held out; all of the job's input is trained on.
    Separate(String),
}

/// What to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The algorithms, as `name(param=value)`, `auto` or `auto(workload=false)`. If none is named:
    /// what `auto` chooses with the workload and without it, and a global recoding.
    pub algorithms: Vec<String>,
    /// The learners, as `name(param=value)`. For a kind of task that none of them learns:
    /// [`CLASS_LEARNERS`] or [`NUMBER_LEARNERS`].
    pub learners: Vec<String>,
    /// How words become numbers, if it isn't to be what suits the learner.
    pub encoding: Option<Encoding>,
    /// How rows are held out.
    pub protocol: Protocol,
    /// The random queries.
    pub queries: Queries,
    /// How many rows of a part a learner is trained on at most, and tested on. Releases are always
    /// made from all rows; what a learner gains from many more than some thousand is little, and
    /// takes long.
    pub learn_rows: usize,
    /// Where folds, queries, algorithms and learners start from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            algorithms: Vec::new(),
            learners: Vec::new(),
            encoding: None,
            protocol: Protocol::Folds(10),
            queries: Queries::default(),
            learn_rows: usize::MAX,
            seed: 0,
        }
    }
}

/// Learners of classes that are tried if none is named.
pub const CLASS_LEARNERS: [&str; 4] =
    ["decision-tree", "naive-bayes", "random-forest", "logistic-regression"];
/// Learners of numbers that are tried if none is named.
pub const NUMBER_LEARNERS: [&str; 2] = ["regression-tree", "linear-regression"];
