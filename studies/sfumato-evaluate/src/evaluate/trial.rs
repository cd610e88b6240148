//! One learner trained on some rows and tested on others.

use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_learn::Matrix;
use sfumato_learn::learner::{Goal, Learner, find};
use sfumato_learn::score::{accuracy, auc_of_classes, mae};

use super::features::Encoding;
use super::truth::Truth;

/// A learner with its parameters, as a user asks for it.
#[derive(Clone)]
pub struct LearnerCall {
    /// The learner, as the user wrote it.
    pub text: String,
    /// The learner.
    pub learner: &'static dyn Learner,
    /// The parameters of the learner.
    pub params: Params,
    /// How words become numbers for it.
    pub encoding: Encoding,
}

impl LearnerCall {
    /// Find a learner; the encoding is what suits it unless another is asked for.
    pub fn new(text: &str, encoding: Option<Encoding>) -> Result<Self> {
        let call: Call = text.parse()?;
        let learner = find(&call.name)?;
        let params = Params::check(learner.info(), &call.args)?;
        let encoding = encoding.unwrap_or_else(|| Encoding::of_learner(learner.info().name));
        Ok(LearnerCall { text: text.trim().to_string(), learner, params, encoding })
    }

    /// Whether it can learn a target.
    pub fn learns(&self, truth: &Truth) -> bool {
        match truth {
            Truth::Classes { .. } => self.learner.goal() == Goal::Classes,
            Truth::Numbers(_) => self.learner.goal() == Goal::Numbers,
        }
    }
}

/// How good a learner was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearnerScore {
    /// The share of test rows whose class was predicted, or the mean absolute error.
    pub score: f64,
    /// The area under the curve of classes.
    pub auc: Option<f64>,
}

/// The rows of the dataset that are trained on and tested on: those of the matrices, in their
/// order. All have a target.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// The rows that learners are trained on.
    pub train: &'a [u32],
    /// The rows that learners are tested on.
    pub test: &'a [u32],
}

/// Train and test a learner.
pub fn try_learner(
    call: &LearnerCall,
    truth: &Truth,
    rows: Rows<'_>,
    train: &Matrix,
    test: &Matrix,
    seed: u64,
) -> Result<LearnerScore> {
    let outcome = match truth {
        Truth::Classes { of_row, n_classes } => {
            let labels = |rows: &[u32]| -> Vec<u32> {
                rows.iter().filter_map(|row| of_row[*row as usize]).collect()
            };
            let model = call.learner.fit_classes(
                &call.params,
                train,
                &labels(rows.train),
                *n_classes,
                seed,
            )?;
            let (scores, truth) = (model.scores(test)?, labels(rows.test));
            let score = accuracy(&truth, &scores.best());
            score.map(|score| LearnerScore { score, auc: auc_of_classes(&scores, &truth) })
        }
        Truth::Numbers(of_row) => {
            let numbers = |rows: &[u32]| -> Vec<f64> {
                rows.iter().filter_map(|row| of_row[*row as usize]).collect()
            };
            let model =
                call.learner.fit_numbers(&call.params, train, &numbers(rows.train), seed)?;
            mae(&numbers(rows.test), &model.predict(test)?)
                .map(|score| LearnerScore { score, auc: None })
        }
    };
    outcome.ok_or_else(nothing_to_test)
}

fn nothing_to_test() -> Error {
    Error::infeasible("a test part has no row whose target is known").hint("use fewer folds")
}

/// What is achieved by always saying the most frequent class of the training rows, or their mean.
pub fn baseline(truth: &Truth, rows: Rows<'_>) -> Result<f64> {
    match truth {
        Truth::Classes { of_row, n_classes } => {
            let mut counts = vec![0u64; *n_classes];
            rows.train
                .iter()
                .filter_map(|row| of_row[*row as usize])
                .for_each(|c| counts[c as usize] += 1);
            let most = (1..*n_classes)
                .fold(0, |best, class| if counts[class] > counts[best] { class } else { best });
            let labels: Vec<u32> =
                rows.test.iter().filter_map(|row| of_row[*row as usize]).collect();
            accuracy(&labels, &vec![most as u32; labels.len()]).ok_or_else(nothing_to_test)
        }
        Truth::Numbers(of_row) => {
            let of = |rows: &[u32]| -> Vec<f64> {
                rows.iter().filter_map(|row| of_row[*row as usize]).collect()
            };
            let (train, test) = (of(rows.train), of(rows.test));
            let mean = train.iter().map(|x| x / train.len() as f64).sum::<f64>();
            mae(&test, &vec![mean; test.len()]).ok_or_else(nothing_to_test)
        }
    }
}
