//! Figure 8: conditional entropy and class size beside accuracy.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::arms::{ARMS, CLASS_LEARNERS, CURVES, learners};
use super::census::{STAND_IN, SURVEY, survey, survey_study};
use super::sweep::{Sweep, Swept, ks, mean};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number};

/// Figure 8.
pub struct Fig8;

static INFO: FigureInfo = FigureInfo {
    name: "fig8",
    caption: "Conditional entropy and class size on real data for growing k",
    paper: "Means over the 10 training folds of Census. Median and InfoGain have classes of comparable size although accuracy differs, so that \
class size says little about this workload. Conditional entropy does better: low entropy generally means a more accurate model.",
    data: STAND_IN,
    files: &[SURVEY],
};

/// The places of the arms.
const INFOGAIN: usize = 0;
const MEDIAN: usize = 2;

impl Figure for Fig8 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sheet = survey(&settings.data, settings.pick(300, 6000, usize::MAX), settings.seed_of(&[7]))?;
        let study = survey_study(&sheet, "class", Role::Target)?;
        let folds = settings.pick((10, 1), (10, 3), (10, 10));
        let sweep = Sweep {
            study: &study,
            target: "class",
            kind: TargetKind::Classes,
            requirements: ks(settings.pick(&[5, 25], &[5, 10, 50, 250], &[2, 5, 10, 25, 50, 100, 250, 500])),
            arms: &ARMS,
            learners: learners(&CLASS_LEARNERS[..1])?,
            folds,
        };
        let found = sweep.run("fig8", settings)?;
        let scale = format!("{} records, {} of {} folds", study.n_rows(), folds.1, folds.0);
        let mut result = FigureResult::new(&INFO, scale);
        let columns = &CURVES[1..];
        let entropy = sweep.table("Conditional entropy", "k", "bits", columns, None, |k, arm| {
            Number::of(&found.impurity(k, arm))
        });
        let size = sweep.table("Average class size", "k", "records", columns, None, |k, arm| {
            Number::of(&found.class_size(k, arm))
        });
        let accuracy = sweep.table("Accuracy of J48", "k", "accuracy, %", columns, None, |k, arm| {
            Number::of(&found.scores(k, arm, 0))
        });
        result.tables = vec![entropy.digits(3), size, accuracy];
        result.claims = claims(&sweep, &found);
        Ok(result)
    }
}

fn claims(sweep: &Sweep<'_>, found: &Swept) -> Vec<Claim> {
    let n = sweep.requirements.len();
    let size = |k: usize, arm: usize| mean(&found.class_size(k, arm));
    let ratios: Vec<f64> = (0..n).map(|k| size(k, INFOGAIN) / size(k, MEDIAN)).collect();
    let (low, high) = ratios
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), ratio| (low.min(*ratio), high.max(*ratio)));
    let lower =
        (0..n).filter(|k| mean(&found.impurity(*k, INFOGAIN)) < mean(&found.impurity(*k, MEDIAN))).count();
    // Of all pairs of algorithms at the same k: does the smaller measure have the higher accuracy?
    let agreement = |measure: &dyn Fn(usize, usize) -> f64| {
        let (mut agree, mut pairs) = (0, 0);
        for k in 0..n {
            for a in 0..sweep.arms.len() {
                for b in a + 1..sweep.arms.len() {
                    let accuracy = mean(&found.scores(k, a, 0)) - mean(&found.scores(k, b, 0));
                    let difference = measure(k, a) - measure(k, b);
                    if accuracy != 0.0 && difference != 0.0 {
                        pairs += 1;
                        agree += usize::from((accuracy > 0.0) == (difference < 0.0));
                    }
                }
            }
        }
        (agree, pairs)
    };
    let by_entropy = agreement(&|k, arm| mean(&found.impurity(k, arm)));
    let by_size = agreement(&size);
    let share = |(agree, pairs): (usize, usize)| agree as f64 / pairs.max(1) as f64;
    vec![
        Claim::new(
            "classes of InfoGain and Median are of comparable size (within a factor of 2)",
            low > 0.5 && high < 2.0,
            format!("InfoGain's are {low:.2} to {high:.2} times as large"),
        ),
        Claim::new(
            "InfoGain has a lower conditional entropy than Median",
            lower == n,
            format!("for {lower} of {n} values of k"),
        ),
        Claim::new(
            "entropy says more about accuracy than class size does",
            share(by_entropy) > share(by_size),
            format!(
                "of {} pairs of algorithms at the same k, the one with the lower entropy is more accurate in {}, the one with smaller \
                 classes in {}",
                by_entropy.1, by_entropy.0, by_size.0
            ),
        ),
    ]
}
