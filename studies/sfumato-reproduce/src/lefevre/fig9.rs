//! Figure 9: mean absolute error of regressions for growing k.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::arms::{GUIDED, MEDIAN, OURS, learners};
use super::census::{SURVEY, survey, survey_study};
use super::sweep::{Sweep, Swept, ks, mean};
use crate::bench::{Study, generated, labelled};
use crate::claims::{Claim, Gauge, Nulls, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, p_higher};

/// Figure 9 of the paper.
pub struct Fig9;

static INFO: FigureInfo = FigureInfo {
    name: "fig9",
    caption: "Regression for growing k",
    paper: "Mean absolute error of an M5 regression tree and of linear regression on Census: \
        Regression Mondrian generally leads to better \
models than Median Mondrian.",
    data: "General Social Survey in place of Census, the target is the real income; and generated \
        data with the targets of functions 7 and 10.",
    files: &[SURVEY],
};

/// The paper's two, and CART beside M5.
const LEARNERS: [(&str, &str); 3] =
    [("M5", "model-tree"), ("linear regression", "linear-regression"), ("CART", "regression-tree")];
const CURVES: [&str; 4] = ["original", "Regression", "Median", "ours"];
const ARMS: [&str; 3] = [GUIDED, MEDIAN, OURS];

const BETTER: Statement = Statement::new(
    Origin::Line(498),
    "Regression generally has a lower error than Median",
    Gauge::MeanRatio,
    Rule::Above(1.0),
);

impl Figure for Fig9 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sheet =
            survey(&settings.data, settings.pick(300, 6000, usize::MAX), settings.seed_of(&[7]))?;
        let mut studies = vec![("survey", "salary", survey_study(&sheet, "salary", Role::Target)?)];
        let n_rows = settings.pick(200, 5000, 5000);
        for (number, (name, label)) in [("R7", "r7"), ("R10", "r10")].into_iter().enumerate() {
            let sheet = generated(label, n_rows, settings.seed_of(&[9, number as u64]), None)?;
            studies.push((name, "target", Study::new(&sheet, labelled(&["target"]))?));
        }
        let folds = settings.pick((10, 1), (10, 3), (10, 5));
        let mut result = FigureResult::new(
            &INFO,
            format!(
                "{} records of the survey, {n_rows} generated ones for each function, {} of {} \
                    folds",
                sheet.rows.len(),
                folds.1,
                folds.0
            ),
        );
        let mut nulls = settings.nulls();
        for (name, target, study) in &studies {
            let sweep = Sweep {
                study,
                target,
                kind: TargetKind::Numbers,
                requirements: ks(settings.pick(&[5], &[5, 25, 100], &[5, 10, 25, 50, 100, 250])),
                arms: &ARMS,
                learners: learners(&LEARNERS)?,
                folds,
            };
            let found = sweep.run("fig9", settings)?;
            for (place, (learner, _)) in LEARNERS.iter().enumerate() {
                let table = sweep.table(
                    &format!("{name}, {learner}"),
                    "k",
                    "mean absolute error",
                    &CURVES,
                    Some(Number::of(&found.original(place))),
                    |k, arm| Number::of(&found.scores(k, arm, place)),
                );
                result.tables.push(table.digits(0));
                let about = format!("{name}, {learner}");
                result.claims.push(claim(&sweep, &found, place, &about, &mut nulls));
            }
        }
        Ok(result)
    }
}

fn claim(
    sweep: &Sweep<'_>,
    found: &Swept,
    learner: usize,
    about: &str,
    nulls: &mut Nulls,
) -> Claim {
    let n = sweep.requirements.len();
    let pairs: Vec<(f64, f64)> = (0..n)
        .map(|k| (mean(&found.scores(k, 0, learner)), mean(&found.scores(k, 1, learner))))
        .collect();
    let wins = pairs.iter().filter(|(regression, median)| regression < median).count();
    let clear = (0..n)
        .filter(|k| p_higher(&found.scores(*k, 1, learner), &found.scores(*k, 0, learner)) < 0.05);
    let words = format!("lower for {wins} of {n} values of k, for {} with p < 0.05", clear.count());
    BETTER.claim(about, nulls.pairs(BETTER.gauge(), &pairs).told(words))
}
