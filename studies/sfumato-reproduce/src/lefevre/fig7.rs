//! Figure 7: accuracy on real data for growing k.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::arms::{ARMS, CLASS_LEARNERS, CURVES, learners};
use super::census::{CONTRACEPTIVES, SURVEY, contraceptives, survey, survey_study};
use super::sweep::{Sweep, Swept, ks, mean};
use crate::claims::{Claim, Gauge, Measured, Nulls, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, p_higher};

/// Figure 7 of the paper.
pub struct Fig7;

static INFO: FigureInfo = FigureInfo {
    name: "fig7",
    caption: "Classifying real data for growing k",
    paper: "Census and Contraceptives, means over 10 folds. InfoGain is better than TDS and than \
        Median: on Census with J48 and naive Bayes \
p < .02 for k = 5, with random forests p < .02 for k = 10; on Contraceptives with J48 p < .05 for \
k = 10. A random forest overfits the \
original Census data (97 % on the training set, 73 % on the test set), and models of anonymized \
data can be better.",
    data: "Contraceptives as in the paper; General Social Survey in place of Census.",
    files: &[SURVEY, CONTRACEPTIVES],
};

/// The places of the arms.
const INFOGAIN: usize = 0;
const TDS: usize = 1;
const MEDIAN: usize = 2;

const P: Gauge = Gauge::Custom {
    measure: "one-tailed p of a paired t-test over the folds",
    control: "the two scores of each fold swapped at random",
};
const ON_CENSUS: Statement = Statement::new(
    Origin::Line(482),
    "on Census InfoGain is better (p < .02 for k = 5, with random forests for k = 10)",
    P,
    Rule::Below(0.02),
);
const ON_CONTRACEPTIVES: Statement = Statement::new(
    Origin::Line(500),
    "on Contraceptives InfoGain is better with J48 (p < .05 for k = 10)",
    P,
    Rule::Below(0.05),
);
const OVERFITS: Statement = Statement::new(
    Origin::Line(480),
    "a random forest of the original data overfits: of anonymized data it is more accurate",
    Gauge::Custom {
        measure: "accuracy of InfoGain minus that of the original, points, the most over all k",
        control: "Median in InfoGain's place",
    },
    Rule::Above(0.0),
);

impl Figure for Fig7 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sheet =
            survey(&settings.data, settings.pick(300, 6000, usize::MAX), settings.seed_of(&[7]))?;
        let census = survey_study(&sheet, "class", Role::Target)?;
        let small = contraceptives(&settings.data)?;
        let used = &CLASS_LEARNERS[..settings.pick(1, 2, 3)];
        let folds = settings.pick((10, 1), (10, 3), (10, 5));
        let on_census = Sweep {
            study: &census,
            target: "class",
            kind: TargetKind::Classes,
            requirements: ks(settings.pick(
                &[5],
                &[5, 10, 50, 250],
                &[5, 10, 25, 50, 100, 250, 500],
            )),
            arms: &ARMS,
            learners: learners(used)?,
            folds,
        };
        let on_small = Sweep {
            study: &small,
            requirements: ks(settings.pick(
                &[10],
                &[2, 5, 10, 25, 50, 100],
                &[2, 5, 10, 25, 50, 100],
            )),
            learners: learners(&CLASS_LEARNERS[..1])?,
            arms: &ARMS,
            folds: settings.pick((10, 1), (10, 10), (10, 10)),
            ..on_census
        };
        let mut result = FigureResult::new(
            &INFO,
            format!(
                "{} records of the survey, {} of {} folds; 1,473 records of Contraceptives, {} of \
                    10 folds",
                census.n_rows(),
                folds.1,
                folds.0,
                on_small.folds.1
            ),
        );
        let mut nulls = settings.nulls();
        let found = on_census.run("fig7", settings)?;
        for (place, (name, _)) in used.iter().enumerate() {
            let table = on_census.table(
                &format!("Survey, {name}"),
                "k",
                "accuracy, %",
                &CURVES,
                Some(Number::of(&found.original(place))),
                |k, arm| Number::of(&found.scores(k, arm, place)),
            );
            result.tables.push(table);
            let wanted = if place == 2 { "10" } else { "5" };
            let about = format!("survey, {name}");
            let claims =
                better(&ON_CENSUS, &on_census, &found, place, (wanted, &about), &mut nulls);
            result.claims.extend(claims);
        }
        if used.len() > 2 {
            let most = |arm: usize| {
                let of = |k: usize| mean(&found.scores(k, arm, 2)) - mean(&found.original(2));
                (0..on_census.requirements.len()).map(of).fold(f64::NEG_INFINITY, f64::max)
            };
            result.claims.push(OVERFITS.claim("", Measured::new(most(INFOGAIN), most(MEDIAN))));
        }
        let found = on_small.run("fig7", settings)?;
        result.tables.push(on_small.table(
            "Contraceptives, J48",
            "k",
            "accuracy, %",
            &CURVES,
            Some(Number::of(&found.original(0))),
            |k, arm| Number::of(&found.scores(k, arm, 0)),
        ));
        let at = ("10", "J48");
        result.claims.extend(better(&ON_CONTRACEPTIVES, &on_small, &found, 0, at, &mut nulls));
        Ok(result)
    }
}

/// InfoGain against Median and TDS at one k, and in the mean at how many k.
fn better(
    statement: &Statement,
    sweep: &Sweep<'_>,
    found: &Swept,
    learner: usize,
    (k, about): (&str, &str),
    nulls: &mut Nulls,
) -> Vec<Claim> {
    let at = sweep.requirements.iter().position(|(label, _)| label == k).unwrap_or(0);
    let claim = |(arm, name): (usize, &str)| {
        let (first, second) = (found.scores(at, INFOGAIN, learner), found.scores(at, arm, learner));
        let n = sweep.requirements.len();
        let higher = |k: &usize| {
            mean(&found.scores(*k, INFOGAIN, learner)) > mean(&found.scores(*k, arm, learner))
        };
        let wins = (0..n).filter(higher).count();
        let measured = Measured::new(p_higher(&first, &second), nulls.p_swapped(&first, &second))
            .told(format!("a higher mean for {wins} of {n} values of k"));
        statement.claim(&format!("than {name}, {about}"), measured)
    };
    [(TDS, "TDS"), (MEDIAN, "Median")].map(claim).into()
}
