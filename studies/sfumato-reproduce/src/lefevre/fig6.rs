//! Figure 6: accuracy on synthetic functions, by function, learner and algorithm.

use sfumato_core::Result;
use sfumato_core::workload::TargetKind;
use sfumato_learn::compare::Split;

use super::arms::{ARMS, CLASS_LEARNERS, CURVES, INFOGAIN, learners};
use crate::bench::{Study, TrainingSplit, generated, labelled, trials};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table, p_higher};

/// Figure 6 of the paper.
pub struct Fig6;

static INFO: FigureInfo = FigureInfo {
    name: "fig6",
    caption: "Classifying synthetic data, k = 25",
    paper: "100 independent training and test sets of 1,000 records each; functions 2, 4 and 6 \
        with random constants. InfoGain Mondrian \
is better than TDS and Median Mondrian throughout; InfoGain against TDS with J48 has one-tailed p \
< .001 for every function.",
    data: "Generated: `agrawal` with labels c2, c4, c5, c6, c7, c9. Training and test set of a \
        trial share their constants.",
    files: &[],
};

const FUNCTIONS: [(&str, bool); 6] =
    [("c2", true), ("c4", true), ("c5", false), ("c6", true), ("c7", false), ("c9", false)];
const K: usize = 25;

const BETTER: Statement = Statement::new(
    Origin::Line(456),
    "InfoGain is overwhelmingly significantly better on every function (p < .001, L468)",
    Gauge::Custom {
        measure: "one-tailed p of a paired t-test, the largest of all functions",
        control: "the two scores of each trial swapped at random",
    },
    Rule::Below(0.001),
);

impl Figure for Fig6 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let n_trials = settings.pick(2, 10, 100);
        let n_rows = settings.pick(150, 1000, 1000);
        let n_functions = settings.pick(2, FUNCTIONS.len(), FUNCTIONS.len());
        let used = &CLASS_LEARNERS[..settings.pick(2, 4, 4)];
        let mut result = FigureResult::new(
            &INFO,
            format!("{n_trials} training and test sets of {n_rows} records for each function"),
        );
        // found[function][trial][curve][learner]
        let mut found = Vec::new();
        for (number, (function, is_random)) in FUNCTIONS[..n_functions].iter().enumerate() {
            found.push(trials(
                function,
                n_trials,
                CURVES.len() * used.len(),
                settings.observer,
                |trial| {
                    let seed =
                        |part: u64| settings.seed_of(&[6, number as u64, trial as u64, part]);
                    let constants = is_random.then(|| seed(2));
                    let train = generated(function, n_rows, seed(0), constants)?;
                    let sheet = train.stack(generated(function, n_rows, seed(1), constants)?);
                    let study = Study::new(&sheet, labelled(&["class"]))?;
                    let job = study
                        .job(&[&format!("k-anonymity(k={K})")], &["classification(target=class)"]);
                    let truth = study.truth("class", TargetKind::Classes)?;
                    let n = n_rows as u32;
                    let part = TrainingSplit::new(
                        &study,
                        Split { train: (0..n).collect(), test: (n..2 * n).collect() },
                    )?;
                    let calls = learners(used)?;
                    let mut views = vec![part.original()?];
                    for arm in ARMS {
                        views.push(part.release(&job, arm, seed(3))?.view);
                    }
                    let mut scores = Vec::new();
                    for view in &views {
                        let mut of_view = Vec::new();
                        for call in &calls {
                            of_view.push(part.score(view, &truth, call, None, seed(4))?);
                            settings.observer.advance(1);
                        }
                        scores.push(of_view);
                    }
                    Ok(scores)
                },
            )?);
        }
        let scores = |function: usize, curve: usize, learner: usize| -> Vec<f64> {
            found[function].iter().map(|trial| trial[curve][learner]).collect()
        };
        for (learner, (name, _)) in used.iter().enumerate() {
            let mut table =
                Table::new(name, "function", "accuracy, %", &CURVES).plotted(Plot::Bars);
            for (number, (function, _)) in FUNCTIONS[..n_functions].iter().enumerate() {
                let cell = |curve: usize| Number::of(&scores(number, curve, learner));
                table.push(function.to_uppercase(), (0..CURVES.len()).map(cell).collect());
            }
            result.tables.push(table);
        }
        let mut nulls = settings.nulls();
        for curve in [2, 3] {
            for (learner, (name, _)) in used.iter().enumerate() {
                let (mut ours, mut control, mut words) = (0f64, 0f64, Vec::new());
                for (place, (function, _)) in FUNCTIONS[..n_functions].iter().enumerate() {
                    let (first, second) =
                        (scores(place, INFOGAIN, learner), scores(place, curve, learner));
                    let p = p_higher(&first, &second);
                    ours = ours.max(p);
                    control = control.max(nulls.p_swapped(&first, &second));
                    words.push(format!("{} p = {p:.1e}", function.to_uppercase()));
                }
                let about = format!("than {}, {name}", CURVES[curve]);
                let found = Measured::new(ours, control).told(words.join(", "));
                result.claims.push(BETTER.claim(&about, found));
            }
        }
        Ok(result)
    }
}
