//! Learners that a recipient trains on a release. One file each and one list; shared code is in the
//! same folder.

mod discretize;
mod fitted;
#[cfg(test)]
mod laws;
mod linear;
mod softmax_fit;
mod standardize;
mod tree;

pub use discretize::Discretizer;
pub use fitted::{ClassModel, Classifier, NumberModel, Regressor, Scores};

use fitted::Constant;
use sfumato_core::registry::{Info, Params};
use sfumato_core::{Error, Result};

use crate::Matrix;

/// What a learner predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// One of some classes.
    Classes,
    /// A number.
    Numbers,
}

/// A learner. Users call `fit_classes` or `fit_numbers`, which deal with what no learner needs to
/// know of (wrong lengths, one class only, no columns); an entry implements its goal's `train`.
pub trait Learner: Sync {
    /// What a user reads about it.
    fn info(&self) -> &'static Info;

    /// What it predicts.
    fn goal(&self) -> Goal;

    /// Train on rows with at least one column and at least two classes that occur; `y` is below
    /// `n_classes`.
    fn train_classes(&self, _task: &ClassTask<'_>) -> Result<Box<dyn ClassModel>> {
        Err(wrong_goal(self.info().name))
    }

    /// Train on rows with at least one column and at least two different targets.
    fn train_numbers(&self, _task: &NumberTask<'_>) -> Result<Box<dyn NumberModel>> {
        Err(wrong_goal(self.info().name))
    }

    /// Learn classes `0..n_classes` from rows. With one class only, or no columns, the shares of
    /// the classes are all there is to learn.
    fn fit_classes(
        &self,
        params: &Params,
        x: &Matrix,
        y: &[u32],
        n_classes: usize,
        seed: u64,
    ) -> Result<Classifier> {
        if self.goal() != Goal::Classes {
            return Err(wrong_goal(self.info().name));
        }
        check(x, y.len())?;
        let mut counts = vec![0usize; n_classes];
        for class in y {
            let count = counts.get_mut(*class as usize);
            *count.ok_or_else(|| {
                Error::internal(format!("class {class} is not below {n_classes}"))
            })? += 1;
        }
        let model: Box<dyn ClassModel> = if x.n_columns() == 0
            || counts.iter().filter(|count| **count > 0).count() < 2
        {
            Box::new(Constant(counts.iter().map(|count| *count as f64 / y.len() as f64).collect()))
        } else {
            self.train_classes(&ClassTask { params, x, y, n_classes, seed })?
        };
        Ok(Classifier::new(x.n_columns(), n_classes, model))
    }

    /// Learn a number from rows. With equal targets only, or no columns, the mean is all there is
    /// to learn.
    fn fit_numbers(&self, params: &Params, x: &Matrix, y: &[f64], seed: u64) -> Result<Regressor> {
        if self.goal() != Goal::Numbers {
            return Err(wrong_goal(self.info().name));
        }
        check(x, y.len())?;
        if let Some(row) = y.iter().position(|target| !crate::matrix::is_allowed(*target)) {
            return Err(Error::input(format!(
                "the target in row {row} is not a number between -1e150 and 1e150"
            )));
        }
        let (mean, deviation) = crate::matrix::mean_and_deviation(y);
        let model: Box<dyn NumberModel> = if x.n_columns() == 0 || deviation == 0.0 {
            Box::new(Constant(vec![mean]))
        } else {
            self.train_numbers(&NumberTask { params, x, y, seed })?
        };
        Ok(Regressor::new(x.n_columns(), model))
    }
}

/// What a class learner trains on, checked.
pub struct ClassTask<'a> {
    /// The learner's parameters.
    pub params: &'a Params,
    /// The features of each row.
    pub x: &'a Matrix,
    /// The class of each row.
    pub y: &'a [u32],
    /// How many classes there are, whether they occur or not.
    pub n_classes: usize,
    /// The seed of random choices.
    pub seed: u64,
}

/// What a number learner trains on, checked.
pub struct NumberTask<'a> {
    /// The learner's parameters.
    pub params: &'a Params,
    /// The features of each row.
    pub x: &'a Matrix,
    /// The target of each row.
    pub y: &'a [f64],
    /// The seed of random choices.
    pub seed: u64,
}

fn wrong_goal(name: &str) -> Error {
    Error::unsupported(format!("{name} can't learn this kind of target")).hint(
        "classes need a class learner, numbers a number learner; 'sfumato list learners' \
            shows which is which",
    )
}

fn check(x: &Matrix, n_targets: usize) -> Result<()> {
    if x.n_rows() != n_targets {
        return Err(Error::internal(format!("{} rows have {n_targets} targets", x.n_rows())));
    }
    if n_targets == 0 {
        return Err(Error::input("there is no row to learn from"));
    }
    if n_targets >= u32::MAX as usize {
        return Err(Error::unsupported("learners take fewer than 2^32 rows"));
    }
    Ok(())
}

/// What the library says went wrong. It gets only checked tasks, so this is our mistake, not the
/// user's.
fn library(failed: smartcore::error::Failed) -> Error {
    Error::internal(format!("the learning library refused a checked task: {failed}"))
}

sfumato_core::registry! {
    /// All learners, in the order of the catalogue: class learners, then number learners.
    dyn Learner:
    decision_tree::DecisionTree,
    naive_bayes::NaiveBayes,
    random_forest::RandomForest,
    linear_svm::LinearSvm,
    logistic_regression::LogisticRegression,
    linear_regression::LinearRegression,
    regression_tree::RegressionTree,
    model_tree::ModelTree,
}

/// Find a learner by name; the error names near ones.
pub fn find(name: &str) -> Result<&'static dyn Learner> {
    sfumato_core::registry::find("learner", ALL, |learner| learner.info(), name)
}
