//! Figure 8: conditional entropy and class size compared with accuracy.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::arms::{ARMS, CLASS_LEARNERS, CURVES, learners};
use super::census::{STAND_IN, SURVEY, survey, survey_study};
use super::sweep::{Sweep, Swept, ks, mean};
use crate::claims::{Claim, Gauge, Measured, Nulls, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number};

/// Figure 8 of the paper.
pub struct Fig8;

static INFO: FigureInfo = FigureInfo {
    name: "fig8",
    caption: "Conditional entropy and class size on real data for growing k",
    paper: "Means over the 10 training folds of Census. Median and InfoGain have classes of \
        comparable size although accuracy differs, so that \
class size says little about this workload. Conditional entropy does better: low entropy generally \
means a more accurate model.",
    data: STAND_IN,
    files: &[SURVEY],
};

/// The places of the arms.
const INFOGAIN: usize = 0;
const MEDIAN: usize = 2;

/// The place of TDS.
const TDS: usize = 1;

const SIZES: Statement = Statement::new(
    Origin::Line(496),
    "classes of InfoGain and Median are of comparable size (here: within a factor of 2 at every k)",
    Gauge::Custom {
        measure: "the larger class size over the smaller, the most over all k",
        control: "TDS in InfoGain's place",
    },
    Rule::AtMost(2.0),
);
const ACCURACY: Statement = Statement::new(
    Origin::Line(496),
    "although classes are of comparable size, accuracy differs: InfoGain's is higher than Median's",
    Gauge::MeanGap,
    Rule::Above(0.0),
);
const ENTROPY: Statement = Statement::new(
    Origin::Line(496),
    "low entropy generally means a more accurate model (here: in three quarters of all pairs of \
        algorithms at the same k)",
    Gauge::Custom {
        measure: "share of pairs of which the one of lower entropy is more accurate",
        control: "accuracies dealt out at random among the algorithms at each k",
    },
    Rule::AtLeast(0.75),
);
const ENTROPY_SAYS_MORE: Statement = Statement::new(
    Origin::Line(496),
    "entropy says more about accuracy than class size does",
    Gauge::Custom {
        measure: "share of pairs that entropy decides rightly minus the share that class size does",
        control: "accuracies dealt out at random among the algorithms at each k",
    },
    Rule::Above(0.0),
);
const LOWER: Statement = Statement::new(
    Origin::Ours,
    "InfoGain has a lower conditional entropy than Median at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig8 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sheet =
            survey(&settings.data, settings.pick(300, 6000, usize::MAX), settings.seed_of(&[7]))?;
        let study = survey_study(&sheet, "class", Role::Target)?;
        let folds = settings.pick((10, 1), (10, 3), (10, 10));
        let sweep = Sweep {
            study: &study,
            target: "class",
            kind: TargetKind::Classes,
            requirements: ks(settings.pick(
                &[5, 25],
                &[5, 10, 50, 250],
                &[5, 10, 25, 50, 100, 250, 500],
            )),
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
        let accuracy =
            sweep.table("Accuracy of J48", "k", "accuracy, %", columns, None, |k, arm| {
                Number::of(&found.scores(k, arm, 0))
            });
        result.tables = vec![entropy.digits(3), size, accuracy];
        result.claims = claims(&sweep, &found, &mut settings.nulls());
        Ok(result)
    }
}

fn claims(sweep: &Sweep<'_>, found: &Swept, nulls: &mut Nulls) -> Vec<Claim> {
    let n = sweep.requirements.len();
    let size = |k: usize, arm: usize| mean(&found.class_size(k, arm));
    let entropy = |k: usize, arm: usize| mean(&found.impurity(k, arm));
    let accuracy: Vec<Vec<f64>> = (0..n)
        .map(|k| (0..ARMS.len()).map(|arm| mean(&found.scores(k, arm, 0))).collect())
        .collect();
    let dealt: Vec<Vec<f64>> = accuracy.iter().map(|row| nulls.shuffled(row)).collect();
    let apart = |arm: usize| {
        let ratio = |k: usize| size(k, arm) / size(k, MEDIAN);
        (0..n).map(|k| ratio(k).max(1.0 / ratio(k))).fold(0.0, f64::max)
    };
    let pairs = |of: &dyn Fn(usize, usize) -> f64| -> Vec<(f64, f64)> {
        (0..n).map(|k| (of(k, INFOGAIN), of(k, MEDIAN))).collect()
    };
    let by_entropy = |accuracy: &[Vec<f64>]| agreement(accuracy, &entropy);
    let more = |accuracy: &[Vec<f64>]| agreement(accuracy, &entropy) - agreement(accuracy, &size);
    vec![
        SIZES.claim("", Measured::new(apart(INFOGAIN), apart(TDS))),
        ACCURACY.claim("", nulls.pairs(ACCURACY.gauge(), &pairs(&|k, arm| accuracy[k][arm]))),
        ENTROPY.claim("", Measured::new(by_entropy(&accuracy), by_entropy(&dealt))),
        ENTROPY_SAYS_MORE.claim("", Measured::new(more(&accuracy), more(&dealt))),
        LOWER.claim("", nulls.pairs(LOWER.gauge(), &pairs(&entropy))),
    ]
}

/// Of all pairs of algorithms at the same k: the share in which the smaller measure has the higher
/// accuracy.
fn agreement(accuracy: &[Vec<f64>], measure: &dyn Fn(usize, usize) -> f64) -> f64 {
    let (mut agree, mut pairs) = (0.0, 0.0);
    for (k, row) in accuracy.iter().enumerate() {
        for a in 0..row.len() {
            for b in a + 1..row.len() {
                let (gain, less) = (row[a] - row[b], measure(k, a) - measure(k, b));
                pairs += 1.0;
                agree += f64::from(u8::from(gain * less < 0.0));
            }
        }
    }
    agree / pairs
}
