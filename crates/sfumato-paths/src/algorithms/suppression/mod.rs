//! Algorithms that leave out steps until every promise about sequences is kept.

mod score;

sfumato_core::registry! {
    /// Every algorithm that leaves out steps.
    dyn SuppressionAlgorithm:
    global_suppression::GlobalSuppression,
    local_suppression::LocalSuppression,
}

use sfumato_core::observer::Observer;
use sfumato_core::registry::{self, Info, ParamKind, ParamSpec, Params};
use sfumato_core::sequences::AskedSequences;
use sfumato_core::{Error, ErrorKind, Result};

use crate::data::sequences::{Frequent, Question, Violating, maximal_frequent, minimal_violating};
use crate::data::{Labels, PathData, Paths, View};

/// The most frequent sequences that are looked at: beyond, the number of paths that a frequent
/// sequence must have is doubled.
pub const MOST_FREQUENT: usize = 500_000;

/// The parameter that says how many paths make a sequence frequent.
const SUPPORT: ParamSpec = ParamSpec::optional(
    "support",
    ParamKind::Integer { min: 1, max: i64::MAX },
    "how many paths must have a sequence that is worth keeping, and that the report counts; \
     without it the larger of k and a hundredth of all paths",
);

/// What an algorithm is asked to do.
pub struct SuppressionTask<'a> {
    /// The records.
    pub data: &'a PathData,
    /// What is promised.
    pub asked: &'a [AskedSequences],
    /// How many paths must have a sequence that is worth keeping.
    pub support: u64,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

/// What an algorithm decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSteps {
    /// The steps of each record that are published.
    pub paths: Paths,
    /// The different steps that were left out of all records.
    pub suppressed: u64,
    /// How many minimal violating sequences there were.
    pub violating: u64,
    /// How many paths had to have a sequence that was worth keeping.
    pub support: u64,
}

/// An algorithm that leaves out steps.
pub trait SuppressionAlgorithm: Sync {
    /// The name, summary and parameters of the algorithm.
    fn info(&self) -> &'static Info;
    /// Whether a step is left out of all records or of none, so that counts of what is left are
    /// those of the original.
    fn is_global(&self) -> bool;
    /// Decide which steps are published.
    fn anonymize(&self, params: &Params, task: &SuppressionTask<'_>) -> Result<KeptSteps>;
}

/// Find an algorithm by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn SuppressionAlgorithm> {
    registry::find("path-algorithm", ALL, |algorithm| algorithm.info(), name)
}

/// A promise with what it is about: the steps as the attacker sees them, and the values that count.
struct Promise<'a> {
    asked: &'a AskedSequences,
    view: View,
    labels: Labels,
}

impl<'a> Promise<'a> {
    fn all(task: &SuppressionTask<'a>) -> Result<Vec<Promise<'a>>> {
        let promise = |asked: &'a AskedSequences| {
            let labels = Labels::of(&task.data.sensitive, asked.values.as_deref())?;
            Ok(Promise { asked, view: task.data.view(asked.knows), labels })
        };
        task.asked.iter().map(promise).collect()
    }

    /// The minimal violating sequences among paths as the attacker sees them.
    fn violating(&self, seen: &Paths) -> Result<Vec<Violating>> {
        let question = Question {
            paths: seen,
            n_codes: self.view.n_codes,
            labels: &self.labels,
            length: self.asked.length,
            required: self.asked.required,
            most: self.asked.most,
        };
        Ok(minimal_violating(&question)?.minimal)
    }

    /// The maximal frequent sequences as the attacker sees them; where there are too many, those
    /// that twice as many paths have, and so on.
    fn frequent(&self, seen: &Paths, support: u64) -> Frequent {
        let mut support = support.max(1);
        loop {
            match maximal_frequent(seen, self.view.n_codes, support, MOST_FREQUENT) {
                Some(frequent) => return frequent,
                None => support = support.saturating_mul(2),
            }
        }
    }
}

/// The error for a run that was stopped.
fn check_stopped(observer: &dyn Observer) -> Result<()> {
    match observer.cancelled() {
        true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
        false => Ok(()),
    }
}
