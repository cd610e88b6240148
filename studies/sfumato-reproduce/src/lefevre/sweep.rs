//! One study, several requirements: every algorithm on every fold, with its scores and measures.

use sfumato_core::Result;
use sfumato_core::workload::TargetKind;
use sfumato_evaluate::evaluate::{LearnerCall, Truth};
use sfumato_learn::compare::{Split, folds};

use crate::bench::{Study, TrainingSplit, folds_by, trials};
use crate::figure::Settings;
use crate::found::{Cell, Number, Table};

/// What to run.
pub struct Sweep<'a> {
    /// The data.
    pub study: &'a Study,
    /// What is predicted.
    pub target: &'a str,
    /// Classes or numbers.
    pub kind: TargetKind,
    /// Models, one after the other, each with what its row is called.
    pub requirements: Vec<(String, String)>,
    /// The algorithms.
    pub arms: &'a [&'a str],
    /// The learners.
    pub learners: Vec<LearnerCall>,
    /// Into how many folds rows are cut, and how many of them are held out in turn.
    pub folds: (usize, usize),
}

/// What one fold gave.
pub struct FoldFound {
    /// By learner.
    pub original: Vec<f64>,
    /// By requirement, algorithm and learner.
    pub scores: Vec<Vec<Vec<f64>>>,
    /// Entropy of the class or squared error of the number within classes, by requirement and
    /// algorithm.
    pub impurity: Vec<Vec<f64>>,
    /// Records in a class, by requirement and algorithm.
    pub class_size: Vec<Vec<f64>>,
}

/// What all folds gave.
pub struct Swept(pub Vec<FoldFound>);

impl Sweep<'_> {
    /// Run every fold.
    pub fn run(&self, name: &str, settings: &Settings<'_>) -> Result<Swept> {
        let truth = self.study.truth(self.target, self.kind)?;
        let task = match self.kind {
            TargetKind::Classes => format!("classification(target={})", self.target),
            TargetKind::Numbers => format!("regression(target={})", self.target),
        };
        let parts = self.parts(&truth, settings.seed_of(&[1]))?;
        let steps = (1 + self.requirements.len() * self.arms.len()) * (self.learners.len() + 1);
        let found = trials(name, parts.len(), steps, settings.observer, |fold| {
            let part = TrainingSplit::new(self.study, parts[fold].clone())?;
            let seed = settings.seed_of(&[2, fold as u64]);
            let scores = |view: &crate::bench::View| -> Result<Vec<f64>> {
                settings.observer.advance(1);
                let score = |learner| {
                    settings.observer.advance(1);
                    part.score(view, &truth, learner, None, seed)
                };
                self.learners.iter().map(score).collect()
            };
            let mut found = FoldFound {
                original: scores(&part.original()?)?,
                scores: Vec::new(),
                impurity: Vec::new(),
                class_size: Vec::new(),
            };
            for (_, model) in &self.requirements {
                let job = self.study.job(&[model], &[&task]);
                let (mut of_arms, mut impurity, mut size) = (Vec::new(), Vec::new(), Vec::new());
                for arm in self.arms {
                    let release = part.release(&job, arm, seed)?;
                    of_arms.push(scores(&release.view)?);
                    impurity.push(part.impurity(&release, &truth).unwrap_or(0.0));
                    size.push(release.class_size());
                }
                found.scores.push(of_arms);
                found.impurity.push(impurity);
                found.class_size.push(size);
            }
            Ok(found)
        })?;
        Ok(Swept(found))
    }

    fn parts(&self, truth: &Truth, seed: u64) -> Result<Vec<Split>> {
        let (n, used) = self.folds;
        let mut parts = match truth {
            Truth::Classes { of_row, .. } => folds_by(
                &of_row.iter().map(|class| class.unwrap_or(u32::MAX)).collect::<Vec<u32>>(),
                n,
                seed,
            )?,
            Truth::Numbers(of_row) => {
                let held_out = folds(of_row.len(), n, seed)?;
                held_out.iter().map(|test| Split::by_test(of_row.len(), test)).collect()
            }
        };
        parts.truncate(used);
        Ok(parts)
    }

    /// A table with a row for each requirement: the original data if its scores are given, then the
    /// algorithms.
    pub fn table(
        &self,
        title: &str,
        rows_are: &str,
        measure: &str,
        columns: &[&str],
        original: Option<Cell>,
        cell: impl Fn(usize, usize) -> Cell,
    ) -> Table {
        let mut table = Table::new(title, rows_are, measure, columns);
        for (place, (label, _)) in self.requirements.iter().enumerate() {
            let arms = (0..self.arms.len()).map(|arm| cell(place, arm));
            table.push(label, original.into_iter().chain(arms).collect());
        }
        table
    }
}

impl Swept {
    /// Scores of all folds on the original data.
    pub fn original(&self, learner: usize) -> Vec<f64> {
        self.0.iter().map(|fold| fold.original[learner]).collect()
    }

    /// Scores of all folds.
    pub fn scores(&self, requirement: usize, arm: usize, learner: usize) -> Vec<f64> {
        self.0.iter().map(|fold| fold.scores[requirement][arm][learner]).collect()
    }

    /// Entropy or squared error of all folds.
    pub fn impurity(&self, requirement: usize, arm: usize) -> Vec<f64> {
        self.0.iter().map(|fold| fold.impurity[requirement][arm]).collect()
    }

    /// Class sizes of all folds.
    pub fn class_size(&self, requirement: usize, arm: usize) -> Vec<f64> {
        self.0.iter().map(|fold| fold.class_size[requirement][arm]).collect()
    }
}

/// Requirements of k-anonymity.
pub fn ks(all: &[u64]) -> Vec<(String, String)> {
    all.iter().map(|k| (k.to_string(), format!("k-anonymity(k={k})"))).collect()
}

/// The mean of some values; 0 of none.
pub fn mean(values: &[f64]) -> f64 {
    Number::of(values).map_or(0.0, |number| number.mean)
}
