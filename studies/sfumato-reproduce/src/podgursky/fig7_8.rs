//! Clustering with neighbours from all records, from a random sample and by hashing.

use sfumato_core::Result;

use super::compared::{Arm, CLUSTER_ALL, CLUSTER_LSH, CLUSTER_RAND, Grid, OUR_CLUSTER, measure};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// Clustering with neighbours from all records, from a random sample and by hashing.
pub struct Fig7And8;

static INFO: FigureInfo = FigureInfo {
    name: "fig7_8",
    caption: "Clustering with neighbours from all records, from a random sample and by hashing",
    paper: "At k = 10 hashing keeps 12.8 % more than a random sample and is close to the exact \
        search; at large k the gain falls to 3.4 %. It takes less than 2 % of the exact search's \
        time.",
    data: "Adult as items.",
    files: &[ADULT],
};

const MORE_AT_10: Statement = Statement::new(
    Origin::Line(1085),
    "at k = 10 hashing keeps 12.8 % more than a random sample (here: half to twice that)",
    Gauge::Gain,
    Rule::Within(6.4, 25.6),
);
const NEAR: Statement = Statement::new(
    Origin::Line(1085),
    "at k = 10 that is close to what the exact search keeps",
    Gauge::Custom {
        measure: "what hashing keeps beyond a random sample over what the exact search does",
        control: "another random sample in place of hashing",
    },
    Rule::AtLeast(0.8),
);
const SHRINKS: Statement = Statement::new(
    Origin::Line(1085),
    "the gain gets smaller as k grows",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const MORE_AT_LARGE: Statement = Statement::new(
    Origin::Line(1085),
    "at large k the gain is 3.4 % (here: half to twice that at the largest k)",
    Gauge::Gain,
    Rule::Within(1.7, 6.8),
);
const SLOWER: Statement = Statement::new(
    Origin::Line(1085),
    "hashing takes longer than a random sample (its 1.5 s are of another machine)",
    Gauge::MeanRatio,
    Rule::Above(1.0),
);
const TWO_PERCENT: Statement = Statement::new(
    Origin::Line(1085),
    "hashing takes less than 2 % of the exact search's time",
    Gauge::MeanRatio,
    Rule::Below(0.02),
);
const OURS: Statement = Statement::new(
    Origin::Ours,
    "looking at the buckets of the growing cluster keeps more than the thesis' hashing at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);

impl Figure for Fig7And8 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [CLUSTER_ALL, CLUSTER_LSH, CLUSTER_RAND, OUR_CLUSTER];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 7: utility", "Figure 8: time");
        let mut nulls = settings.nulls();
        let (at_10, words) = grid.kept_near(&CLUSTER_LSH, &CLUSTER_RAND, 10);
        let other = settings.with_seed(settings.seed_of(&[22]));
        let (exact, _) = grid.kept_near(&CLUSTER_ALL, &CLUSTER_RAND, 10);
        let again = 100.0 * measure(&data, &CLUSTER_RAND, 10, &other)?.utility;
        let share = |kept: f64| (kept - at_10[0].1) / (exact[0].0 - exact[0].1);
        let gains: Vec<f64> = grid
            .kept(&CLUSTER_LSH, &[CLUSTER_RAND], |_| true)
            .iter()
            .map(|(hashed, random)| hashed / random)
            .collect();
        let (large, large_words) = grid.kept_near(&CLUSTER_LSH, &CLUSTER_RAND, 200);
        let times = |first: &Arm| grid.times(first, &CLUSTER_LSH, |_| true);
        let ours = grid.kept(&OUR_CLUSTER, &[CLUSTER_LSH], |_| true);
        result.claims = vec![
            MORE_AT_10.claim("", nulls.pairs(MORE_AT_10.gauge(), &at_10).told(words)),
            NEAR.claim("", Measured::new(share(at_10[0].0), share(again))),
            SHRINKS.claim("", nulls.falling(&[gains])),
            MORE_AT_LARGE.claim("", nulls.pairs(MORE_AT_LARGE.gauge(), &large).told(large_words)),
            SLOWER.claim("", nulls.pairs(SLOWER.gauge(), &times(&CLUSTER_RAND))),
            TWO_PERCENT.claim("", nulls.pairs(TWO_PERCENT.gauge(), &times(&CLUSTER_ALL))),
            OURS.claim("", nulls.pairs(OURS.gauge(), &ours)),
        ];
        Ok(result)
    }
}
