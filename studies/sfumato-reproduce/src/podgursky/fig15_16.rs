//! (k,1)-anonymity: exact neighbours, by hashing, and top-down.

use sfumato_core::Result;

use super::compared::{
    Arm, CLUSTER_ALL, CLUSTER_LSH, Grid, K1_ALL, K1_LSH, K1_TOP_DOWN, MOND_EVEN, OUR_K1,
};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// (k,1)-anonymity: exact neighbours, by hashing, and top-down.
pub struct Fig15And16;

static INFO: FigureInfo = FigureInfo {
    name: "fig15_16",
    caption: "(k,1)-anonymity: exact neighbours, by hashing, and top-down",
    paper: "With exact neighbours (k,1)-anonymity keeps more than any algorithm for k-anonymity; \
        with hashing less. An algorithm that goes top-down is left open.",
    data: "Adult as items.",
    files: &[ADULT],
};

const ABOVE: Statement = Statement::new(
    Origin::Line(1122),
    "an algorithm for (k,1)-anonymity keeps more than its counterpart for k-anonymity at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const LOW: Statement = Statement::new(
    Origin::Line(1141),
    "with hashing less is kept than with exact neighbours, at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const NEAR: Statement = Statement::new(
    Origin::Ours,
    "top-down keeps at least 97 % of the exhaustive algorithm at every k",
    Gauge::Custom {
        measure: "the least percent of the exhaustive algorithm's utility over all k",
        control: "Mondrian for k-anonymity in place of top-down",
    },
    Rule::AtLeast(97.0),
);
const FAST: Statement = Statement::new(
    Origin::Ours,
    "top-down takes at most three times as long as Mondrian",
    Gauge::Custom {
        measure: "time of top-down over Mondrian's, over all k",
        control: "the exhaustive algorithm in place of top-down",
    },
    Rule::AtMost(3.0),
);

impl Figure for Fig15And16 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [K1_ALL, K1_LSH, OUR_K1, K1_TOP_DOWN, MOND_EVEN, CLUSTER_ALL, CLUSTER_LSH];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 15: utility", "Figure 16: time");
        let mut nulls = settings.nulls();
        for (first, second) in [(K1_ALL, CLUSTER_ALL), (K1_LSH, CLUSTER_LSH)] {
            let pairs = grid.kept(&first, &[second], |_| true);
            let about = format!("{} and {}", first.name, second.name);
            result.claims.push(ABOVE.claim(&about, nulls.pairs(ABOVE.gauge(), &pairs)));
        }
        let pairs = grid.kept(&K1_ALL, &[K1_LSH], |_| true);
        result.claims.push(LOW.claim("", nulls.pairs(LOW.gauge(), &pairs)));
        let share = |arm: &Arm| {
            let pairs = grid.kept(arm, &[K1_ALL], |_| true);
            pairs.iter().map(|(kept, all)| 100.0 * kept / all).fold(f64::INFINITY, f64::min)
        };
        let time = |arm: &Arm| {
            let (even, other) = grid.times(&MOND_EVEN, arm, |_| true)[0];
            other / even
        };
        result.claims.extend([
            NEAR.claim("", Measured::new(share(&K1_TOP_DOWN), share(&MOND_EVEN))),
            FAST.claim("", Measured::new(time(&K1_TOP_DOWN), time(&K1_ALL))),
        ]);
        Ok(result)
    }
}
