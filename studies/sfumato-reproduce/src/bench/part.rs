//! Training rows and test rows of a study, with their recodings and the scores of learners.

use sfumato_core::dataset::{Column, Role};
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::{Error, Result};
use sfumato_evaluate::evaluate::measures::{conditional_entropy, weighted_squared_error};
use sfumato_evaluate::evaluate::{
    Anonymized, Arm, Cells, Experiment, Features, LearnerCall, Rows, Training, Truth, try_learner,
};
use sfumato_learn::Matrix;
use sfumato_learn::compare::Split;
use sfumato_table::Job;

use super::study::Study;

/// Training rows, encoded as if there were no others, and the rows to test on.
pub struct TrainingSplit<'a> {
    /// Where the rows are from.
    pub study: &'a Study,
    /// The rows of the training and the test part.
    pub split: Split,
    /// The training rows.
    pub training: Training,
}

/// What a recipient sees of the features: quasi columns and columns that are kept, in the table's
/// order.
pub struct View {
    /// The training rows that are published, by their places in the training table.
    pub places: Vec<u32>,
    /// The cells of the training rows, a list for each feature.
    pub train: Vec<Cells>,
    /// The test rows' cells.
    pub test: Vec<Cells>,
}

/// A recoding that was checked, with what a recipient sees.
pub struct Release {
    /// The recoding.
    pub anonymized: Anonymized,
    /// What a recipient sees.
    pub view: View,
}

impl<'a> TrainingSplit<'a> {
    /// Encode the training rows.
    pub fn new(study: &'a Study, split: Split) -> Result<Self> {
        let training =
            Experiment { job: &study.job, dataset: &study.dataset }.train(&split.train)?;
        Ok(TrainingSplit { study, split, training })
    }

    /// The columns to learn from: quasi columns and columns that are kept.
    pub fn features(&self) -> Vec<&Column> {
        let is_feature = |column: &&Column| matches!(column.role, Role::Quasi | Role::Keep);
        self.training.table.columns.iter().filter(is_feature).collect()
    }

    /// The original data.
    pub fn original(&self) -> Result<View> {
        let places: Vec<u32> = (0..self.training.rows.len() as u32).collect();
        let cells = |rows: &[u32]| self.cells(rows, None);
        Ok(View { places, train: cells(&self.split.train)?, test: cells(&self.split.test)? })
    }

    /// Anonymize the training rows by an algorithm, check the result, and recode both parts. The
    /// job has the study's columns.
    pub fn release(&self, job: &Job, algorithm: &str, seed: u64) -> Result<Release> {
        let experiment = Experiment { job, dataset: &self.study.dataset };
        let anonymized =
            experiment.anonymize(&self.training, &Arm::new(algorithm), seed, &Unobserved)?;
        let places = anonymized.kept();
        let kept: Vec<u32> =
            places.iter().map(|place| self.training.rows[*place as usize]).collect();
        let train = self.cells(&kept, Some(anonymized.published_cells(&self.training)))?;
        let assigned = experiment.assigned_cells(&self.training, &anonymized, &self.split.test)?;
        let test = self.cells(&self.split.test, Some(assigned))?;
        Ok(Release { anonymized, view: View { places, train, test } })
    }

    /// The features' cells in some rows; `quasi` are those of the quasi columns if they aren't the
    /// original ones.
    fn cells(&self, rows: &[u32], quasi: Option<Vec<Cells>>) -> Result<Vec<Cells>> {
        let experiment = Experiment { job: &self.study.job, dataset: &self.study.dataset };
        let mut quasi = quasi.map(Vec::into_iter);
        let columns = self.training.table.columns.iter().enumerate();
        let mut cells = Vec::new();
        for (place, column) in columns {
            match (column.role, &mut quasi) {
                (Role::Quasi, Some(quasi)) => {
                    cells.push(
                        quasi
                            .next()
                            .ok_or_else(|| Error::internal("a quasi column has no cells"))?,
                    );
                }
                (Role::Quasi | Role::Keep, _) => {
                    cells.push(experiment.exact_cells(&self.training, place, rows)?);
                }
                _ => {}
            }
        }
        Ok(cells)
    }

    /// Train a learner on what is seen of the training rows and test it: accuracy in percent, or
    /// mean absolute error. Only the features at `used` are learnt from; all of them with `None`.
    pub fn score(
        &self,
        view: &View,
        truth: &Truth,
        learner: &LearnerCall,
        used: Option<&[usize]>,
        seed: u64,
    ) -> Result<f64> {
        let columns = self.features();
        let all: Vec<usize> = (0..columns.len()).collect();
        let used = used.unwrap_or(&all);
        let train_rows: Vec<u32> =
            view.places.iter().map(|place| self.training.rows[*place as usize]).collect();
        let pick = |cells: &'_ [Cells]| -> Vec<Cells> {
            used.iter().map(|place| cells[*place].clone()).collect()
        };
        let (train, test) = (pick(&view.train), pick(&view.test));
        let features = Features::new(used.iter().map(|place| columns[*place]), learner.encoding);
        let (from, to): (Vec<&Cells>, Vec<&Cells>) =
            (train.iter().collect(), test.iter().collect());
        let (from, to) = features.numbers(&from, &to);
        let from = Matrix::from_columns(train_rows.len(), &from)?;
        let to = Matrix::from_columns(self.split.test.len(), &to)?;
        let rows = Rows { train: &train_rows, test: &self.split.test };
        let outcome = try_learner(learner, truth, rows, &from, &to, seed)?;
        Ok(match truth {
            Truth::Classes { .. } => 100.0 * outcome.score,
            Truth::Numbers(_) => outcome.score,
        })
    }

    /// The entropy of a class within the classes of a release, in bits, or the mean squared error
    /// of a number.
    pub fn impurity(&self, release: &Release, truth: &Truth) -> Option<f64> {
        let seen = release.anonymized.recoding.class_of_row().iter().map(|class| match *class {
            SUPPRESSED => None,
            class => release.anonymized.class_seen[class as usize],
        });
        match truth {
            Truth::Classes { of_row, .. } => conditional_entropy(
                seen,
                self.training.rows.iter().map(|row| of_row[*row as usize]),
            ),
            Truth::Numbers(of_row) => weighted_squared_error(
                seen,
                self.training.rows.iter().map(|row| of_row[*row as usize]),
            ),
        }
    }
}

impl Release {
    /// Published records in each class that a recipient sees.
    pub fn class_size(&self) -> f64 {
        self.view.places.len() as f64 / self.anonymized.n_classes_seen.max(1) as f64
    }
}
