//! Figure 11: entropy l-diversity as the only requirement, the class being sensitive.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::arms::{CLASS_LEARNERS, GUIDED, MEDIAN, learners};
use super::census::{STAND_IN, SURVEY, survey, survey_study};
use super::sweep::{Sweep, ks, mean};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number};

/// Figure 11 of the paper.
pub struct Fig11;

static INFO: FigureInfo = FigureInfo {
    name: "fig11",
    caption: "Privacy against utility: entropy l-diversity of the class itself",
    paper: "Census with k = 1; the salary class is sensitive and the class to predict. Conditional \
        entropy grows with l and accuracy slowly \
deteriorates. At l = 1 the entropy is above 0 because some records agree in all features and not \
in the class.",
    data: STAND_IN,
    files: &[SURVEY],
};

const CURVES: [&str; 2] = ["InfoGain", "Median"];

const GROWS: Statement = Statement::new(
    Origin::Line(529),
    "conditional entropy grows with l (InfoGain)",
    Gauge::Trend,
    Rule::AtLeast(0.8),
);
const FALLS: Statement = Statement::new(
    Origin::Line(529),
    "accuracy deteriorates as l grows (InfoGain)",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const SLOWLY: Statement = Statement::new(
    Origin::Line(529),
    "and it does so slowly (here: no step loses more than half of the whole loss)",
    Gauge::Custom {
        measure: "the largest loss at a step over the loss from the first to the last l",
        control: "the same of accuracies in random order, over the same whole loss",
    },
    Rule::Within(0.0, 0.5),
);

impl Figure for Fig11 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sheet =
            survey(&settings.data, settings.pick(300, 6000, usize::MAX), settings.seed_of(&[7]))?;
        let study = survey_study(&sheet, "class", Role::Sensitive)?;
        let folds = settings.pick((10, 1), (10, 3), (10, 10));
        let ls: &[f64] = settings.pick(
            &[1.2, 1.8],
            &[1.1, 1.4, 1.7, 1.9],
            &[1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9],
        );
        // No requirement at all is what l = 1 asks for.
        let mut requirements = vec![("1".to_string(), ks(&[1])[0].1.clone())];
        requirements
            .extend(ls.iter().map(|l| (l.to_string(), format!("l-diversity-entropy(l={l})"))));
        let named = &CLASS_LEARNERS[..settings.pick(1, 2, 2)];
        let sweep = Sweep {
            study: &study,
            target: "class",
            kind: TargetKind::Classes,
            requirements,
            arms: &[GUIDED, MEDIAN],
            learners: learners(named)?,
            folds,
        };
        let found = sweep.run("fig11", settings)?;
        let scale = format!("{} records, {} of {} folds", study.n_rows(), folds.1, folds.0);
        let mut result = FigureResult::new(&INFO, scale);
        let entropy = sweep.table("Conditional entropy", "l", "bits", &CURVES, None, |l, arm| {
            Number::of(&found.impurity(l, arm))
        });
        let entropies = entropy.means(0);
        result.tables.push(entropy.digits(3));
        let mut nulls = settings.nulls();
        result.claims.push(GROWS.claim("", nulls.trend(&[entropies])));
        for (place, (name, _)) in named.iter().enumerate() {
            let table = sweep.table(name, "l", "accuracy, %", &CURVES, None, |l, arm| {
                Number::of(&found.scores(l, arm, place))
            });
            let means = table.means(0);
            let means_ends = (means[0], means[means.len() - 1]);
            let step = |means: &[f64]| {
                let whole = (means_ends.0 - means_ends.1).abs();
                means.windows(2).map(|two| (two[0] - two[1]) / whole).fold(f64::MIN, f64::max)
            };
            let at_random = nulls.shuffled(&means);
            let words = format!(
                "from {:.1} % to {:.1} %; always saying the same is right for {:.1} %",
                means_ends.0,
                means_ends.1,
                100.0 * mean(&majority(&study)?)
            );
            result.claims.extend([
                FALLS.claim(name, nulls.falling(std::slice::from_ref(&means)).told(words)),
                SLOWLY.claim(name, Measured::new(step(&means), step(&at_random))),
            ]);
            let best = (0..means.len())
                .fold(0, |best, place| if means[place] > means[best] { place } else { best });
            result.notes.push(format!(
                "With {name}, InfoGain is most accurate at l = {} ({:.1} %).",
                table.rows[best].label, means[best]
            ));
            result.tables.push(table);
        }
        Ok(result)
    }
}

/// The share of the larger class.
fn majority(study: &crate::bench::Study) -> Result<Vec<f64>> {
    let counts = study.truth("class", TargetKind::Classes)?.class_counts();
    Ok(vec![counts[0] as f64 / counts.iter().sum::<u64>() as f64])
}
