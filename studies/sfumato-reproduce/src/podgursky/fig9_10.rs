//! Iterative and single-pass clustering, exact neighbours.

use sfumato_core::Result;

use super::compared::{CLUSTER_ALL, Grid, ITER_ALL, OUR_ITER_ALL};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// Iterative and single-pass clustering, exact neighbours.
pub struct Fig9And10;

static INFO: FigureInfo = FigureInfo {
    name: "fig9_10",
    caption: "Iterative and single-pass clustering, exact neighbours",
    paper: "Below k = 30 the single pass keeps more, above it the iterative algorithm does: 9.7 % \
        more at k = 150. It takes much longer at small k, and about twice as long at large k.",
    data: "Adult as items.",
    files: &[ADULT],
};

const BELOW_30: Statement = Statement::new(
    Origin::Line(1091),
    "the single pass keeps more for every k below 30",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const ABOVE_30: Statement = Statement::new(
    Origin::Line(1091),
    "the iterative algorithm keeps more for every k above 30",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const AT_150: Statement = Statement::new(
    Origin::Line(1091),
    "at k = 150 the iterative algorithm keeps 9.7 % more (here: half to twice that)",
    Gauge::Gain,
    Rule::Within(4.85, 19.4),
);
const SLOW_AT_LOW: Statement = Statement::new(
    Origin::Line(1091),
    "at low k the iterative algorithm takes considerably longer (here: at least twice as long at \
        the least k)",
    Gauge::MeanRatio,
    Rule::AtLeast(2.0),
);
const TWICE_AT_HIGH: Statement = Statement::new(
    Origin::Line(1091),
    "at high k it takes around twice as long (here: 1.4 to 2.8 times at the largest k)",
    Gauge::MeanRatio,
    Rule::Within(1.4, 2.8),
);
const OURS: Statement = Statement::new(
    Origin::Ours,
    "joining the cluster whose utility grows most keeps more than the thesis' choice at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);

impl Figure for Fig9And10 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [CLUSTER_ALL, ITER_ALL, OUR_ITER_ALL];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 9: utility", "Figure 10: time");
        let mut nulls = settings.nulls();
        let below = grid.kept(&CLUSTER_ALL, &[ITER_ALL], |k| k < 30);
        let above = grid.kept(&ITER_ALL, &[CLUSTER_ALL], |k| k > 30);
        let (at_150, words) = grid.kept_near(&ITER_ALL, &CLUSTER_ALL, 150);
        let (least, most) = grid.ends();
        let low = grid.times(&CLUSTER_ALL, &ITER_ALL, |k| k == least);
        let high = grid.times(&CLUSTER_ALL, &ITER_ALL, |k| k == most);
        let ours = grid.kept(&OUR_ITER_ALL, &[ITER_ALL], |_| true);
        result.claims = vec![
            BELOW_30.claim("", nulls.pairs(BELOW_30.gauge(), &below)),
            ABOVE_30.claim("", nulls.pairs(ABOVE_30.gauge(), &above)),
            AT_150.claim("", nulls.pairs(AT_150.gauge(), &at_150).told(words)),
            SLOW_AT_LOW.claim("", nulls.pairs(SLOW_AT_LOW.gauge(), &low)),
            TWICE_AT_HIGH.claim("", nulls.pairs(TWICE_AT_HIGH.gauge(), &high)),
            OURS.claim("", nulls.pairs(OURS.gauge(), &ours)),
        ];
        Ok(result)
    }
}
