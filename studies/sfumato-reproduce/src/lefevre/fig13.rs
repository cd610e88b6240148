//! Figure 13: selections that are unrelated to the target, and projections.

use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;
use sfumato_core::{Error, FastSet, Result};
use sfumato_evaluate::evaluate::{Extent, LearnerCall, Truth};

use super::arms::{ARMS, CLASS_LEARNERS, CURVES, GUIDED, MEDIAN, learners};
use super::census::{STAND_IN, SURVEY, survey, survey_study};
use super::groups::release_by_groups;
use super::ranking::ranked;
use super::sweep::mean;
use crate::bench::{Sheet, Study, TrainingSplit, View, folds_by, trials};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Table};

/// Figure 13 of the paper.
pub struct Fig13;

static INFO: FigureInfo = FigureInfo {
    name: "fig13",
    caption: "Selections unrelated to the target (k = 50), and projections (k = 100)",
    paper: "Census, J48, 10 folds. Rows are put into n random groups that are anonymized apart: \
        accuracy decreases slightly as n grows, and \
several selections do little harm. Then features are left out from the most predictive on: \
accuracy falls, for TDS most steeply, because \
single-dimensional recoding keeps fewer columns.",
    data: STAND_IN,
    files: &[SURVEY],
};

const FALLS: Statement = Statement::new(
    Origin::Line(557),
    "accuracy decreases as the number of unrelated selections grows",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const SLIGHTLY: Statement = Statement::new(
    Origin::Line(557),
    "and it does so slightly (here: by up to 5 points from one group to the most)",
    Gauge::Custom {
        measure: "points lost from one group to the most",
        control: "the same with the two ends swapped at random",
    },
    Rule::Within(0.0, 5.0),
);
const HARMLESS: Statement = Statement::new(
    Origin::Line(557),
    "several selections do no large harm (here: at most 2 points with up to 8 groups)",
    Gauge::Custom {
        measure: "points lost against one group, the most of up to 8 groups",
        control: "Median with one group, which knows neither selections nor the class",
    },
    Rule::AtMost(2.0),
);
const DROPS: Statement = Statement::new(
    Origin::Line(567),
    "accuracy falls as the most predictive features are left out",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const STEEPEST: Statement = Statement::new(
    Origin::Line(567),
    "TDS loses accuracy most steeply as features are left out",
    Gauge::Custom {
        measure: "points lost on average over the projections, TDS minus the more of InfoGain and \
            Median",
        control: "the names of the three curves dealt out at random",
    },
    Rule::Above(0.0),
);

impl Figure for Fig13 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sheet =
            survey(&settings.data, settings.pick(400, 6000, usize::MAX), settings.seed_of(&[7]))?;
        let study = survey_study(&sheet, "class", Role::Target)?;
        let truth = study.truth("class", TargetKind::Classes)?;
        let n_folds = settings.pick(1, 3, 10);
        let call = learners(&CLASS_LEARNERS[..1])?.remove(0);
        let shared =
            Shared { settings, sheet: &sheet, study: &study, truth: &truth, call, n_folds };
        let scale = format!("{} records, {n_folds} of 10 folds", study.n_rows());
        let mut result = FigureResult::new(&INFO, scale);
        shared.selections(&mut result)?;
        shared.projections(&mut result)?;
        Ok(result)
    }
}

struct Shared<'a> {
    settings: &'a Settings<'a>,
    sheet: &'a Sheet,
    study: &'a Study,
    truth: &'a Truth,
    call: LearnerCall,
    n_folds: usize,
}

impl Shared<'_> {
    /// Run every fold: numbers by row and curve.
    fn folds(
        &self,
        steps: usize,
        run: impl Fn(&TrainingSplit<'_>, u64) -> Result<Vec<Vec<f64>>> + Sync,
    ) -> Result<Vec<Vec<Vec<f64>>>> {
        let Truth::Classes { of_row, .. } = self.truth else {
            return Err(Error::internal("the target of figure 13 is a class"));
        };
        let labels: Vec<u32> = of_row.iter().map(|class| class.unwrap_or(u32::MAX)).collect();
        let parts = folds_by(&labels, 10, self.settings.seed_of(&[1]))?;
        trials("fig13", self.n_folds, steps, self.settings.observer, |fold| {
            let part = TrainingSplit::new(self.study, parts[fold].clone())?;
            run(&part, self.settings.seed_of(&[13, fold as u64]))
        })
    }

    fn selections(&self, result: &mut FigureResult) -> Result<()> {
        let ns: &[usize] = self.settings.pick(&[1, 3], &[1, 4, 16], &[1, 2, 4, 8, 16, 32, 64]);
        let k = self.settings.pick(10, 50, 50);
        let job =
            self.study.job(&[&format!("k-anonymity(k={k})")], &["classification(target=class)"]);
        let found = self.folds(2 * ns.len(), |part, seed| {
            let at = |n: &usize| {
                let one = |arm: &&str| {
                    let view = release_by_groups(part, &job, arm, *n, seed)?;
                    self.settings.observer.advance(1);
                    part.score(&view, self.truth, &self.call, None, seed)
                };
                [GUIDED, MEDIAN].iter().map(one).collect()
            };
            ns.iter().map(at).collect()
        })?;
        let title = format!("Selections, k = {k}");
        let mut table = Table::new(&title, "groups n", "accuracy, %", &["InfoGain", "Median"]);
        for (place, n) in ns.iter().enumerate() {
            let cell = |arm: usize| {
                Number::of(&found.iter().map(|fold| fold[place][arm]).collect::<Vec<f64>>())
            };
            table.push(n, vec![cell(0), cell(1)]);
        }
        let (means, median) = (table.means(0), table.means(1)[0]);
        let (first, last) = (means[0], means[means.len() - 1]);
        let several = ns.iter().zip(&means).filter(|(n, _)| (2..=8).contains(*n));
        let several = several.map(|(_, mean)| *mean).fold(f64::INFINITY, f64::min);
        let mut nulls = self.settings.nulls();
        result.claims.extend([
            FALLS.claim("", nulls.falling(&[means])),
            SLIGHTLY.claim("", nulls.signed(first - last)),
            HARMLESS.claim("", Measured::new(first - several, first - median)),
        ]);
        result.tables.push(table);
        Ok(())
    }

    fn projections(&self, result: &mut FigureResult) -> Result<()> {
        let k = self.settings.pick(10, 100, 100);
        let job =
            self.study.job(&[&format!("k-anonymity(k={k})")], &["classification(target=class)"]);
        let names: Vec<String> = self
            .study
            .job
            .columns
            .0
            .iter()
            .map(|(name, _)| name.clone())
            .filter(|name| name != "class")
            .collect();
        let order = ranked(self.sheet, &names, self.truth)?;
        // By fold: for each projection the scores of all curves, then the share of regions that it
        // tells apart.
        let found = self.folds(CURVES.len() * names.len(), |part, seed| {
            let mut views = vec![part.original()?];
            for arm in ARMS {
                views.push(part.release(&job, arm, seed)?.view);
            }
            let at = |dropped: usize| {
                let mut left = order[dropped..].to_vec();
                left.sort_unstable();
                let one = |view| {
                    self.settings.observer.advance(1);
                    part.score(view, self.truth, &self.call, Some(&left), seed)
                };
                let mut row = views.iter().map(one).collect::<Result<Vec<f64>>>()?;
                row.extend(views[1..].iter().map(|view| told_apart(view, &left)));
                Ok(row)
            };
            (0..order.len()).map(at).collect()
        })?;
        let title = format!("Projections, k = {k}");
        let mut table = Table::new(&title, "features left out", "accuracy, %", &CURVES);
        for dropped in 0..order.len() {
            let cell = |curve: usize| {
                Number::of(&found.iter().map(|fold| fold[dropped][curve]).collect::<Vec<f64>>())
            };
            table.push(dropped, (0..CURVES.len()).map(cell).collect());
        }
        // How much is lost on average over all projections: how steeply a curve falls.
        let lost = |curve: usize| {
            let means = table.means(curve);
            mean(&means[1..].iter().map(|value| means[0] - value).collect::<Vec<f64>>())
        };
        let mut nulls = self.settings.nulls();
        let lost: Vec<f64> = [2, 1, 3].map(lost).to_vec();
        let steepest = |lost: &[f64]| lost[0] - lost[1].max(lost[2]);
        let words =
            format!("TDS {:.1}, InfoGain {:.1}, Median {:.1} points", lost[0], lost[1], lost[2]);
        let steep = Measured::new(steepest(&lost), steepest(&nulls.shuffled(&lost))).told(words);
        for (curve, name) in CURVES.iter().enumerate().take(4) {
            result.claims.push(DROPS.claim(name, nulls.falling(&[table.means(curve)])));
        }
        result.claims.push(STEEPEST.claim("", steep));
        let title = format!("Regions that the features left tell apart, k = {k}");
        let mut regions = Table::new(&title, "features left out", "% of regions", &CURVES[1..]);
        for dropped in 0..order.len() {
            let cell = |arm: usize| {
                let share = |fold: &Vec<Vec<f64>>| fold[dropped][CURVES.len() + arm];
                Number::of(&found.iter().map(share).collect::<Vec<f64>>())
            };
            regions.push(dropped, (0..ARMS.len()).map(cell).collect());
        }
        let ranks: Vec<&str> = order.iter().map(|place| names[*place].as_str()).collect();
        result.notes.push(format!(
            "Features by information gain in the original data (numbers in ten bands of equal \
                frequency): {}.",
            ranks.join(", ")
        ));
        result.tables.extend([table, regions]);
        Ok(())
    }
}

/// The share of regions, in percent, that still differ if only some features are considered.
fn told_apart(view: &View, features: &[usize]) -> f64 {
    let regions = |features: &mut dyn Iterator<Item = usize>| {
        let features: Vec<usize> = features.collect();
        let region = |row: usize| -> Vec<(u32, u32)> {
            let ends = |feature: &usize| match view.train[*feature].get(row) {
                Extent::Codes { lo, hi } => (lo, hi),
                _ => (u32::MAX, u32::MAX),
            };
            features.iter().map(ends).collect()
        };
        let different: FastSet<Vec<(u32, u32)>> = (0..view.places.len()).map(region).collect();
        different.len() as f64
    };
    100.0 * regions(&mut features.iter().copied()) / regions(&mut (0..view.train.len())).max(1.0)
}
