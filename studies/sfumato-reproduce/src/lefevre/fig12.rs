//! Figure 12: imprecision of selections for growing k.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_evaluate::evaluate::measures::imprecision;
use sfumato_learn::compare::Split;

use super::arms::{GUIDED, MEDIAN, OURS};
use crate::bench::{Study, TrainingSplit, column, generated, labelled, trials};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number, Table};

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

const NOTE: &str = "\
Median over all nine columns is flat from k = 10 to k = 100: in a set that was looked at it \
publishes two ranges of salary and six of age \
both at k = 10 and at k = 50, because each column is cut once before one is cut again; smaller \
classes come from cuts of the other columns. Ours \
publishes the extent of the records in a region instead of the whole region, which reaches into \
fewer selections.";

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
        let (median, two, selection) = (table.means(0), table.means(1), table.means(2));
        let grows = |means: &[f64]| means.windows(2).filter(|pair| pair[1] >= pair[0]).count();
        let steps = ks.len() - 1;
        result.claims.push(Claim::new(
            "imprecision grows with k",
            grows(&median) == steps && grows(&two) == steps && grows(&selection) == steps,
            format!(
                "it grows at {}, {} and {} of {steps} steps (Median, Median of age and salary, \
                    Selection)",
                grows(&median),
                grows(&two),
                grows(&selection)
            ),
        ));
        let least = |place: &usize| selection[*place] < two[*place] && two[*place] < median[*place];
        let wins = (0..ks.len()).filter(least).count();
        result.claims.push(Claim::new(
            "imprecision is lowest with the selection incorporated, and lower with Median on age \
                and salary than on all columns",
            wins == ks.len(),
            format!("in this order for {wins} of {} values of k", ks.len()),
        ));
        result.tables.push(table.digits(0));
        result.note_of_full_run(settings, NOTE);
        Ok(result)
    }
}
