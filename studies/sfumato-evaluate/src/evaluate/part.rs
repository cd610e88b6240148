//! One training part with its test part: every algorithm, measure and learner.

use sfumato_core::observer::Observer;
use sfumato_core::recoding::SUPPRESSED;
use sfumato_core::traits::View;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_learn::Matrix;
use sfumato_learn::compare::Split;

use super::cells::Cells;
use super::experiment::{Anonymized, Arm, Experiment, Training};
use super::features::{Encoding, Features};
use super::measures::{
    conditional_entropy, imprecision, marginal_divergences, query_errors, weighted_squared_error,
};
use super::settings::Settings;
use super::tasks::Goal;
use super::trial::{LearnerCall, LearnerScore, Rows, baseline, try_learner};
use super::truth::Truth;
use sfumato_engine::stopwatch::Stopwatch;

/// What all parts share.
pub struct Shared<'a> {
    /// The data.
    pub experiment: Experiment<'a>,
    /// What to try.
    pub settings: &'a Settings,
    /// What to predict.
    pub goals: &'a [Goal],
    /// For each goal the learners that are tried.
    pub learners: &'a [Vec<LearnerCall>],
    /// The algorithms.
    pub arms: &'a [Arm],
    /// Progress: a step for each trial.
    pub observer: &'a dyn Observer,
}

/// The results of one part.
pub struct PartFound {
    /// For each goal, the score of predicting the same for every row.
    pub baselines: Vec<f64>,
    /// On the original data.
    pub original: DataFound,
    /// On the original data without the quasi columns.
    pub without_quasi: DataFound,
    /// For each algorithm its results, or why it couldn't meet the requirements.
    pub arms: Vec<std::result::Result<ArmFound, String>>,
    /// Milliseconds to encode the training part.
    pub encode_ms: f64,
}

/// Outcomes on one kind of data: `outcomes[goal][learner]`.
pub struct DataFound {
    /// How good the learners were.
    pub outcomes: Vec<Vec<LearnerScore>>,
    /// Milliseconds to make features, learn and test.
    pub learn_ms: f64,
}

/// The results of one algorithm.
pub struct ArmFound {
    /// What ran.
    pub ran: String,
    /// On its release.
    pub data: DataFound,
    /// Classes that a recipient sees.
    pub classes: f64,
    /// Published records per class.
    pub average_class_size: f64,
    /// Records left out.
    pub suppressed: f64,
    /// The normalized certainty penalty.
    pub ncp: Option<f64>,
    /// For each goal the conditional entropy or the squared error within classes.
    pub purity: Vec<Option<f64>>,
    /// Relative errors of the random queries.
    pub query_errors: Vec<f64>,
    /// Weighted imprecision of the workload's selections, if it has any.
    pub imprecision: Option<f64>,
    /// For each quasi column the divergence of the reconstructed distribution.
    pub divergences: Vec<f64>,
    /// Milliseconds of the algorithm.
    pub anonymize_ms: f64,
}

impl Shared<'_> {
    /// Run one part.
    pub fn part(&self, place: usize, split: &Split) -> Result<PartFound> {
        let seed = self.settings.seed.wrapping_add(place as u64);
        let mut clock = Stopwatch::start();
        let training = self.experiment.train(&split.train)?;
        let encode_ms = clock.lap();
        let quasi = training.quasi_places();
        let exact = |rows: &[u32]| -> Result<Vec<Cells>> {
            quasi
                .iter()
                .map(|column| self.experiment.exact_cells(&training, *column, rows))
                .collect()
        };
        let all: Vec<u32> = (0..split.train.len() as u32).collect();
        let known = |goal: &Goal, rows: &[u32]| -> Vec<u32> {
            rows.iter().copied().filter(|row| goal.truth.is_known(*row)).collect()
        };
        let baselines = self
            .goals
            .iter()
            .map(|goal| {
                let (train, test) = (known(goal, &split.train), known(goal, &split.test));
                baseline(&goal.truth, Rows { train: &train, test: &test })
            })
            .collect::<Result<Vec<f64>>>()?;
        let data = Data { shared: self, training: &training, split, seed };
        let original = data.learn(&all, Some((&exact(&split.train)?, &exact(&split.test)?)))?;
        let without_quasi = data.learn(&all, None)?;
        let mut arms = Vec::with_capacity(self.arms.len());
        for arm in self.arms {
            arms.push(match data.arm(arm) {
                Ok(found) => Ok(found),
                Err(error)
                    if matches!(error.kind, ErrorKind::Infeasible | ErrorKind::Unsupported) =>
                {
                    Err(error.message)
                }
                Err(error) => return Err(error),
            });
            self.observer.advance(1);
        }
        Ok(PartFound { baselines, original, without_quasi, arms, encode_ms })
    }
}

/// One part being run.
struct Data<'a> {
    shared: &'a Shared<'a>,
    training: &'a Training,
    split: &'a Split,
    seed: u64,
}

impl Data<'_> {
    fn arm(&self, arm: &Arm) -> Result<ArmFound> {
        let quiet = Quiet(self.shared.observer);
        let experiment = &self.shared.experiment;
        let anonymized = experiment.anonymize(self.training, arm, self.seed, &quiet)?;
        let kept = anonymized.kept();
        if kept.is_empty() {
            return Err(Error::infeasible("every training record was suppressed"));
        }
        let train = anonymized.published_cells(self.training);
        let test = experiment.assigned_cells(self.training, &anonymized, &self.split.test)?;
        let data = self.learn(&kept, Some((&train, &test)))?;
        self.measure(&anonymized, data)
    }

    /// Learn every goal from the training rows at some places of the table, and test on the test
    /// rows. `quasi` are the cells of the quasi columns of these rows and of the test rows; without
    /// it quasi columns aren't used.
    fn learn(&self, places: &[u32], quasi: Option<(&[Cells], &[Cells])>) -> Result<DataFound> {
        let mut clock = Stopwatch::start();
        let (training, experiment) = (self.training, &self.shared.experiment);
        let quasi_places = training.quasi_places();
        let train_rows: Vec<u32> =
            places.iter().map(|place| training.rows[*place as usize]).collect();
        let mut outcomes = Vec::new();
        for (goal, learners) in self.shared.goals.iter().zip(self.shared.learners) {
            let with_target = |rows: &[u32]| -> Vec<u32> {
                let known = (0..rows.len() as u32)
                    .filter(|place| goal.truth.is_known(rows[*place as usize]));
                thinned(known.collect(), self.shared.settings.learn_rows)
            };
            let (left, right) = (with_target(&train_rows), with_target(&self.split.test));
            let (mut columns, mut train, mut test) = (Vec::new(), Vec::new(), Vec::new());
            for name in &goal.features {
                let place = training.table.columns.iter().position(|column| column.name == *name);
                let place =
                    place.ok_or_else(|| Error::internal(format!("column '{name}' is gone")))?;
                let (from, to) =
                    match (quasi_places.iter().position(|quasi| *quasi == place), quasi) {
                        (Some(_), None) => continue,
                        (Some(number), Some((train, test))) => {
                            (train[number].take(&left), test[number].take(&right))
                        }
                        (None, _) => (
                            experiment.exact_cells(training, place, &train_rows)?.take(&left),
                            experiment.exact_cells(training, place, &self.split.test)?.take(&right),
                        ),
                    };
                columns.push(&training.table.columns[place]);
                train.push(from);
                test.push(to);
            }
            let pick = |rows: &[u32], places: &[u32]| -> Vec<u32> {
                places.iter().map(|place| rows[*place as usize]).collect()
            };
            let (train_rows, test_rows) =
                (pick(&train_rows, &left), pick(&self.split.test, &right));
            if train_rows.is_empty() {
                return Err(Error::infeasible(
                    "no training record whose target is known is published",
                ));
            }
            let matrices = |encoding: Encoding| -> Result<(Matrix, Matrix)> {
                let features = Features::new(columns.iter().copied(), encoding);
                let (from, to): (Vec<&Cells>, Vec<&Cells>) =
                    (train.iter().collect(), test.iter().collect());
                let (from, to) = features.numbers(&from, &to);
                Ok((
                    Matrix::from_columns(train_rows.len(), &from)?,
                    Matrix::from_columns(test_rows.len(), &to)?,
                ))
            };
            let mut made: Vec<(Encoding, (Matrix, Matrix))> = Vec::new();
            let mut of_goal = Vec::with_capacity(learners.len());
            for (number, call) in learners.iter().enumerate() {
                if self.shared.observer.cancelled() {
                    return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
                }
                if !made.iter().any(|(encoding, _)| *encoding == call.encoding) {
                    made.push((call.encoding, matrices(call.encoding)?));
                }
                let (_, (from, to)) = made
                    .iter()
                    .find(|(encoding, _)| *encoding == call.encoding)
                    .ok_or_else(|| Error::internal("features were not made"))?;
                let rows = Rows { train: &train_rows, test: &test_rows };
                let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
                of_goal.push(try_learner(call, &goal.truth, rows, from, to, seed)?);
                self.shared.observer.advance(1);
            }
            outcomes.push(of_goal);
        }
        Ok(DataFound { outcomes, learn_ms: clock.lap() })
    }

    fn measure(&self, anonymized: &Anonymized, data: DataFound) -> Result<ArmFound> {
        let (table, recoding) = (&self.training.table, anonymized.recoding.as_ref());
        let classes = recoding.class_of_row().iter();
        let seen = classes.map(|class| match *class {
            SUPPRESSED => None,
            class => anonymized.class_seen[class as usize],
        });
        let purity = |goal: &Goal| match &goal.truth {
            Truth::Classes { of_row, .. } => {
                let labels = self.training.rows.iter().map(|row| of_row[*row as usize]);
                conditional_entropy(seen.clone(), labels)
            }
            Truth::Numbers(of_row) => {
                let numbers = self.training.rows.iter().map(|row| of_row[*row as usize]);
                weighted_squared_error(seen.clone(), numbers)
            }
        };
        let view = View::new(table, recoding, anonymized.plan.k);
        let published = (table.n_rows as u64 - view.suppressed) as f64;
        let queries = self.shared.settings.queries.draw(table, self.seed);
        let job = self.shared.experiment.job;
        let selections = sfumato_table::workloads::bind(&job.workload.tasks, table)?.selections;
        Ok(ArmFound {
            ran: anonymized.describe(),
            data,
            classes: anonymized.n_classes_seen as f64,
            average_class_size: published / anonymized.n_classes_seen.max(1) as f64,
            suppressed: view.suppressed as f64,
            ncp: sfumato_table::metrics::find("ncp")?
                .measure(&view)
                .map(|measured| measured.overall),
            purity: self.shared.goals.iter().map(purity).collect(),
            query_errors: query_errors(table, recoding, &queries),
            imprecision: (!selections.is_empty())
                .then(|| imprecision(table, recoding, &selections)),
            divergences: marginal_divergences(table, recoding),
            anonymize_ms: anonymized.seconds * 1e3,
        })
    }
}

/// At most so many of some places, evenly spread.
fn thinned(places: Vec<u32>, most: usize) -> Vec<u32> {
    if places.len() <= most {
        return places;
    }
    (0..most).map(|i| places[i * places.len() / most]).collect()
}

/// Several parts run at once: their steps would talk over each other.
struct Quiet<'a>(&'a dyn Observer);

impl Observer for Quiet<'_> {
    fn begin(&self, _: &str, _: u64, _: sfumato_core::observer::Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
