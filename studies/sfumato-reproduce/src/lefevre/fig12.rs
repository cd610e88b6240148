//! Figure 12: imprecision of selections for growing k.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_evaluate::evaluate::measures::imprecision;
use sfumato_learn::compare::Split;

use super::arms::{GUIDED, MEDIAN, OURS};
use crate::bench::{Study, TrainingSplit, column, generated, labelled, trials};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Table};

/// Figure 12 of the paper.
pub struct Fig12;

static INFO: FigureInfo = FigureInfo {
    name: "fig12",
    caption: "Imprecision of function C2 as three selections",
    paper: "1,000 generated records. Imprecision grows with k, and is reduced by incorporating the \
        selection: Median Mondrian over all columns, \
Median Mondrian over age and salary only, and Selection Mondrian with three regions of equal \
weight.",
    data: "Generated: `agrawal`; the selections are the three rectangles of C2 with the printed \
        constants.",
    files: &[],
};

const SELECTIONS: [&str; 3] = [
    "selection(where=\"age < 40 and salary in 50000..100000\")",
    "selection(where=\"age >= 40 and age < 60 and salary in 75000..125000\")",
    "selection(where=\"age >= 60 and salary in 25000..75000\")",
];
const CURVES: [&str; 4] = ["Median", "Median of two", "Selection", "ours"];

const GROWS: Statement =
    Statement::new(Origin::Line(551), "imprecision grows with k", Gauge::Trend, Rule::AtLeast(0.8));
const LOWER: Statement = Statement::new(
    Origin::Line(551),
    "imprecision is lower with the selection incorporated, at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const OURS_IS_LOWER: Statement = Statement::new(
    Origin::Ours,
    "and lower still with ours, at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig12 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let n_trials = settings.pick(2, 10, 100);
        let n_rows = settings.pick(200, 1000, 1000);
        let ks: &[u64] =
            settings.pick(&[5, 25], &[5, 25, 100], &[2, 5, 10, 25, 50, 75, 100, 150, 200]);
        // By trial, k and curve.
        let found = trials("fig12", n_trials, ks.len(), settings.observer, |trial| {
            let sheet = generated("none", n_rows, settings.seed_of(&[12, trial as u64]), None)?;
            let all = Study::new(&sheet, labelled(&[]))?;
            let two = Study::new(
                &sheet,
                vec![column("salary", Role::Quasi), column("age", Role::Quasi)],
            )?;
            let split = || Split { train: (0..n_rows as u32).collect(), test: vec![] };
            let (all_rows, two_rows) =
                (TrainingSplit::new(&all, split())?, TrainingSplit::new(&two, split())?);
            let arms =
                [(&all_rows, MEDIAN), (&two_rows, MEDIAN), (&all_rows, GUIDED), (&all_rows, OURS)];
            let mut of_k = Vec::new();
            for k in ks {
                let one = |(part, arm): (&TrainingSplit<'_>, &str)| {
                    let job = part.study.job(&[&format!("k-anonymity(k={k})")], &SELECTIONS);
                    let release = part.release(&job, arm, settings.seed)?;
                    let table = &part.training.table;
                    let selections =
                        sfumato_table::workloads::bind(&job.workload.tasks, table)?.selections;
                    Ok(imprecision(table, release.anonymized.recoding.as_ref(), &selections))
                };
                of_k.push(arms.into_iter().map(one).collect::<Result<Vec<f64>>>()?);
                settings.observer.advance(1);
            }
            Ok(of_k)
        })?;
        let mut result = FigureResult::new(&INFO, format!("{n_trials} sets of {n_rows} records"));
        let mut table = Table::new("Imprecision of C2", "k", "records too many", &CURVES);
        for (place, k) in ks.iter().enumerate() {
            let cell = |curve: usize| {
                Number::of(&found.iter().map(|trial| trial[place][curve]).collect::<Vec<f64>>())
            };
            table.push(k, (0..CURVES.len()).map(cell).collect());
        }
        let mut nulls = settings.nulls();
        for (place, name) in CURVES.iter().enumerate().take(3) {
            result.claims.push(GROWS.claim(name, nulls.trend(&[table.means(place)])));
        }
        let pairs = |first: usize, second: usize| -> Vec<(f64, f64)> {
            table.means(first).into_iter().zip(table.means(second)).collect()
        };
        for (second, about) in [(0, "than Median of all columns"), (1, "than Median of two")] {
            let found = nulls.pairs(LOWER.gauge(), &pairs(2, second));
            result.claims.push(LOWER.claim(about, found));
        }
        let found = nulls.pairs(OURS_IS_LOWER.gauge(), &pairs(3, 2));
        result.claims.push(OURS_IS_LOWER.claim("", found));
        result.tables.push(table.digits(0));
        Ok(result)
    }
}
