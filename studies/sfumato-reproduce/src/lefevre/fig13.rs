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
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number, Table};

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

const LIMITS: &str = "\
The paper says neither how many groups it went up to nor what slightly means. The limits of 5 and \
2 points are ours and were set before the first run; the \
comparison with Median was added after it.";

const NOTE: &str = "\
Models of regions lose less than models of the original data when the most predictive features go: \
the ends of a region in the features \
left still tell which region it is, and so what the missing feature was like. The last table \
counts that. TDS recodes each column by itself, \
and what is dropped is gone.";

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
        result.claims.push(Claim::new(
            "accuracy decreases slightly with the number of unrelated selections (by at most 5 \
                points)",
            last < first && first - last <= 5.0,
            format!("InfoGain {first:.1} % with one group, {last:.1} % with {}", ns[ns.len() - 1]),
        ));
        let several = ns
            .iter()
            .zip(&means)
            .filter(|(n, _)| **n <= 8)
            .map(|(_, mean)| *mean)
            .fold(first, f64::min);
        result.claims.push(Claim::new(
            "several selections do little harm (at most 2 points with up to 8)",
            first - several <= 2.0,
            format!("at most {:.1} points lost", first - several),
        ));
        result.notes.push(LIMITS.into());
        let above: Vec<String> = ns
            .iter()
            .zip(&means)
            .filter(|(_, mean)| **mean > median)
            .map(|(n, _)| n.to_string())
            .collect();
        result.claims.push(Claim::new(
            "the same, read as: InfoGain with 4 groups is still better than Median with one",
            above.len() >= ns.iter().filter(|n| **n <= 4).count(),
            format!("better with {} groups", above.join(", ")),
        ));
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
        let losses: Vec<String> = (1..CURVES.len())
            .map(|curve| format!("{} {:.1}", CURVES[curve], lost(curve)))
            .collect();
        result.claims.push(Claim::new(
            "TDS loses accuracy most steeply as features are left out",
            lost(2) > lost(1) && lost(2) > lost(3),
            format!("points lost, on average over the projections: {}", losses.join(", ")),
        ));
        let lowest = |row: &crate::found::Row| {
            let of = |place: usize| row.cells[place].map_or(0.0, |number| number.mean);
            of(2) < of(1)
        };
        let below = table.rows[1..].iter().filter(|row| lowest(row)).count();
        result.claims.push(Claim::new(
            "with features left out, TDS is less accurate than InfoGain",
            2 * below > table.rows.len() - 1,
            format!("for {below} of {} projections", table.rows.len() - 1),
        ));
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
        result.note_of_full_run(self.settings, NOTE);
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
