//! The book's protocol: all records are generalized; a classifier is trained on two thirds of them
//! and tested on the rest. And the discernibility ratio of what is generalized.

use sfumato_core::dataset::Role;
use sfumato_core::observer::Unobserved;
use sfumato_core::traits::View;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_evaluate::evaluate::{
    Anonymized, Arm, Cells, Experiment, Features, LearnerCall, Rows, Training, Truth, try_learner,
};
use sfumato_learn::Matrix;
use sfumato_learn::compare::{Split, splits};

use crate::bench::Study;

/// Specializations are chosen by what they tell about the class: case 1 of the book.
pub const FOR_CLASSES: &str = "top-down-specialization(score=info-gain)";
/// The same by what they tell for what they cost: the book's other score.
pub const FOR_CLASSES_BY_LOSS: &str = "top-down-specialization(score=igpl)";
/// Specializations are chosen by discernibility: case 2.
pub const FOR_ALL: &str = "top-down-specialization(score=dm-reduction)";
/// What the book compares with: TDR for k-anonymity, by information gain for what it costs.
pub const TDR: &str = "top-down-refinement";

/// All records, encoded, with some splits into two thirds and one.
pub struct Measure<'a> {
    study: &'a Study,
    truth: &'a Truth,
    training: Training,
    splits: Vec<Split>,
    learner: LearnerCall,
    seed: u64,
}

/// Data of an experiment of the book.
pub struct Data {
    /// What tables call it.
    pub name: &'static str,
    /// The records.
    pub study: Study,
    /// The class of each.
    pub truth: Truth,
    /// The column with guarded values.
    pub sensitive: &'static str,
    /// The guarded values.
    pub guarded: Vec<String>,
}

impl Data {
    /// The requirement of an experiment.
    pub fn lkc(&self, l: u64, k: u64, percent: u64) -> String {
        let c = percent as f64 / 100.0;
        let (on, values) = (self.sensitive, self.guarded.join(", "));
        format!("lkc-privacy(l={l}, k={k}, c={c}, on={on}, values=[{values}])")
    }
}

impl<'a> Measure<'a> {
    /// Encode all records and draw the splits.
    pub fn new(study: &'a Study, truth: &'a Truth, n_splits: usize, seed: u64) -> Result<Self> {
        let n = study.n_rows();
        let rows: Vec<u32> = (0..n as u32).collect();
        let training = Experiment { job: &study.job, dataset: &study.dataset }.train(&rows)?;
        let splits = splits(n, n / 3, n_splits, seed)?;
        Ok(Measure {
            study,
            truth,
            training,
            splits,
            learner: LearnerCall::new("decision-tree", None)?,
            seed,
        })
    }

    /// Anonymize all records, and check the result; `None` if the requirement can't be met.
    pub fn anonymize(&self, model: &str, algorithm: &str) -> Result<Option<Anonymized>> {
        let job = self.study.job(&[model], &[]);
        let experiment = Experiment { job: &job, dataset: &self.study.dataset };
        match experiment.anonymize(&self.training, &Arm::new(algorithm), self.seed, &Unobserved) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind == ErrorKind::Infeasible => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The classification errors of a release on each split, in percent (CE).
    pub fn errors(&self, release: &Anonymized) -> Result<Vec<f64>> {
        if release.kept().len() != self.training.rows.len() {
            return Err(Error::internal("top-down specialization suppresses no records"));
        }
        self.errors_of(&release.published_cells(&self.training))
    }

    /// The errors on the original (BE).
    pub fn baseline(&self) -> Result<Vec<f64>> {
        let cells = self.training.quasi_places().into_iter().map(|place| self.exact(place));
        self.errors_of(&cells.collect::<Result<Vec<Cells>>>()?)
    }

    /// The errors on the original without its quasi columns (UE).
    pub fn upper_bound(&self) -> Result<Vec<f64>> {
        self.errors_of(&[])
    }

    /// The discernibility ratio of a release.
    pub fn ratio(&self, release: &Anonymized) -> Result<Option<f64>> {
        let view = View::new(&self.training.table, release.recoding.as_ref(), release.plan.k);
        Ok(sfumato_table::metrics::find("discernibility-ratio")?
            .measure(&view)
            .map(|measured| measured.overall))
    }

    fn exact(&self, place: usize) -> Result<Cells> {
        let experiment = Experiment { job: &self.study.job, dataset: &self.study.dataset };
        experiment.exact_cells(&self.training, place, &self.training.rows)
    }

    /// The errors of learners. The sensitive column and those that are kept are published as they
    /// are, so learners use them too.
    fn errors_of(&self, quasi: &[Cells]) -> Result<Vec<f64>> {
        let is_exact = |role| matches!(role, Role::Sensitive | Role::Keep);
        let table = &self.training.table;
        let mut columns = if quasi.is_empty() { Vec::new() } else { table.quasi() };
        let mut cells = quasi.to_vec();
        for (place, column) in table.columns.iter().enumerate().filter(|(_, c)| is_exact(c.role)) {
            columns.push(column);
            cells.push(self.exact(place)?);
        }
        let features = Features::new(columns, self.learner.encoding);
        let mut errors = Vec::with_capacity(self.splits.len());
        for split in &self.splits {
            let of = |rows: &[u32]| -> Vec<Cells> {
                cells.iter().map(|cells| cells.take(rows)).collect()
            };
            let (train, test) = (of(&split.train), of(&split.test));
            let (left, right): (Vec<&Cells>, Vec<&Cells>) =
                (train.iter().collect(), test.iter().collect());
            let (left, right) = features.numbers(&left, &right);
            let left = Matrix::from_columns(split.train.len(), &left)?;
            let right = Matrix::from_columns(split.test.len(), &right)?;
            let rows = Rows { train: &split.train, test: &split.test };
            let outcome = try_learner(&self.learner, self.truth, rows, &left, &right, self.seed)?;
            errors.push(100.0 * (1.0 - outcome.score));
        }
        Ok(errors)
    }
}
