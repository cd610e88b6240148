//! Figure 10: several target models with one anonymization.

use sfumato_core::Result;
use sfumato_core::workload::TargetKind;
use sfumato_evaluate::evaluate::Truth;
use sfumato_learn::compare::Split;

use super::arms::{CLASS_LEARNERS, GUIDED, learners};
use super::sweep::mean;
use crate::bench::{RandomStream, Sheet, Study, TrainingSplit, generated, labelled, trials};
use crate::claims::{Claim, Gauge, Nulls, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Figure 10 of the paper.
pub struct Fig10;

static INFO: FigureInfo = FigureInfo {
    name: "fig10",
    caption: "Anonymizing for one to seven target models, k = 25",
    paper: "Seven labels of the same records (functions 2 to 7 and 9, random constants for 2 to 6) \
        in 25 random orders, called A to G; \
the recoding is optimized for the first one to seven of them. A model that is included is more \
accurate than where it is not, and accuracy tends to fall as \
more models are included.",
    data: "Generated: `agrawal` with seven labels.",
    files: &[],
};

const FUNCTIONS: [&str; 7] = ["c2", "c3", "c4", "c5", "c6", "c7", "c9"];
const MODELS: [&str; 7] = ["A", "B", "C", "D", "E", "F", "G"];
const K: usize = 25;
/// Different orders of the functions.
const ORDERS: usize = 25;

/// By number of included models, learner and model.
type LearnerErrors = Vec<Vec<Vec<f64>>>;

const INCLUDED: Statement = Statement::new(
    Origin::Line(520),
    "every model is more accurate where it is included than where it is not",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const DILUTED: Statement = Statement::new(
    Origin::Line(521),
    "the accuracy of an included model tends to fall as more are included",
    Gauge::MeanGap,
    Rule::Above(0.0),
);

impl Figure for Fig10 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let n_trials = settings.pick(1, 6, 100);
        let n_rows = settings.pick(120, 1000, 1000);
        let used = &CLASS_LEARNERS[..settings.pick(1, 2, 2)];
        let scale = format!(
            "{n_trials} training and test sets of {n_rows} records, {} orders of the functions",
            n_trials.min(ORDERS)
        );
        let mut result = FigureResult::new(&INFO, scale);
        let steps = MODELS.len() * MODELS.len() * used.len();
        let found = trials("fig10", n_trials, steps, settings.observer, |trial| {
            one(settings, trial, n_rows, used)
        })?;
        let mut nulls = settings.nulls();
        for (learner, (name, _)) in used.iter().enumerate() {
            let scores = |included: usize, model: usize| -> Vec<f64> {
                found.iter().map(|trial| trial[included][learner][model]).collect()
            };
            let mut table =
                Table::new(name, "models included", "accuracy, %", &MODELS).plotted(Plot::None);
            for included in (0..MODELS.len()).rev() {
                let cells =
                    (0..MODELS.len()).map(|model| Number::of(&scores(included, model))).collect();
                let label =
                    if included == 0 { "A".into() } else { format!("A-{}", MODELS[included]) };
                table.push(label, cells);
            }
            result.tables.push(table);
            // A curve of a model's accuracy with and without its inclusion.
            let mut curve = Table::new(
                &format!("{name}: models in and out"),
                "models included",
                "accuracy, %",
                &["included", "not included"],
            );
            for included in 0..MODELS.len() {
                let of = |models: std::ops::Range<usize>| {
                    let all: Vec<f64> =
                        models.map(|model| mean(&scores(included, model))).collect();
                    (!all.is_empty()).then(|| Number { mean: mean(&all), sd: 0.0 })
                };
                curve.push(included + 1, vec![of(0..included + 1), of(included + 1..MODELS.len())]);
            }
            result.tables.push(curve);
            let of = |included: usize, model: usize| mean(&scores(included, model));
            result.claims.extend(claims(name, &of, &mut nulls));
        }
        Ok(result)
    }
}

/// One set: seven recodings, seven models of each.
fn one(
    settings: &Settings<'_>,
    trial: usize,
    n_rows: u64,
    used: &[(&str, &str)],
) -> Result<LearnerErrors> {
    let seed = |part: u64| settings.seed_of(&[10, trial as u64, part]);
    let order =
        RandomStream::new(settings.seed_of(&[11, (trial % ORDERS) as u64])).order(FUNCTIONS.len());
    let labels: Vec<&str> = order.iter().map(|place| FUNCTIONS[*place]).collect();
    let sheet = with_labels(&labels, n_rows, seed(0), &seed)?.stack(with_labels(
        &labels,
        n_rows,
        seed(1),
        &seed,
    )?);
    let study = Study::new(&sheet, labelled(&labels))?;
    let truths = labels
        .iter()
        .map(|label| study.truth(label, TargetKind::Classes))
        .collect::<Result<Vec<Truth>>>()?;
    let n = n_rows as u32;
    let part =
        TrainingSplit::new(&study, Split { train: (0..n).collect(), test: (n..2 * n).collect() })?;
    let calls = learners(used)?;
    let mut found = Vec::new();
    for included in 1..=labels.len() {
        let tasks: Vec<String> = labels[..included]
            .iter()
            .map(|label| format!("classification(target={label})"))
            .collect();
        let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
        let job = study.job(&[&format!("k-anonymity(k={K})")], &tasks);
        let release = part.release(&job, GUIDED, seed(3))?;
        let score = |call, truth| {
            settings.observer.advance(1);
            part.score(&release.view, truth, call, None, seed(4))
        };
        let of_learner =
            |call| truths.iter().map(|truth| score(call, truth)).collect::<Result<Vec<f64>>>();
        found.push(calls.iter().map(of_learner).collect::<Result<Vec<Vec<f64>>>>()?);
    }
    Ok(found)
}

/// The rows with several labels, each in a column with the function's name.
fn with_labels(
    labels: &[&str],
    n_rows: u64,
    rows: u64,
    seed: &dyn Fn(u64) -> u64,
) -> Result<Sheet> {
    let mut sheet = generated("none", n_rows, rows, None)?;
    for label in labels {
        let number = FUNCTIONS.iter().position(|name| name == label).unwrap_or(0) as u64;
        let constants = (!["c7", "c9"].contains(label)).then(|| seed(100 + number));
        let labelled = generated(label, n_rows, rows, constants)?;
        sheet.push(label, labelled.texts("class")?.into_iter().map(str::to_string).collect());
    }
    Ok(sheet)
}

fn claims(learner: &str, mean_of: &dyn Fn(usize, usize) -> f64, nulls: &mut Nulls) -> [Claim; 2] {
    let n = MODELS.len();
    let (mut better, mut diluted) = (Vec::new(), Vec::new());
    for model in 0..n {
        let inside: Vec<f64> = (model..n).map(|included| mean_of(included, model)).collect();
        let outside: Vec<f64> = (0..model).map(|included| mean_of(included, model)).collect();
        if !outside.is_empty() {
            better.push((mean(&inside), mean(&outside)));
        }
        if inside.len() > 1 {
            diluted.push((inside[0], inside[inside.len() - 1]));
        }
    }
    [
        INCLUDED.claim(learner, nulls.pairs(INCLUDED.gauge(), &better)),
        DILUTED.claim(learner, nulls.pairs(DILUTED.gauge(), &diluted)),
    ]
}
