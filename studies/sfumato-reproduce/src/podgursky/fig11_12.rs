//! Iterative and single-pass clustering, neighbours by hashing.

use sfumato_core::Result;

use super::compared::{CLUSTER_LSH, Grid, ITER_LSH, OUR_ITER_LSH};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// Iterative and single-pass clustering, neighbours by hashing.
pub struct Fig11And12;

static INFO: FigureInfo = FigureInfo {
    name: "fig11_12",
    caption: "Iterative and single-pass clustering, neighbours by hashing",
    paper: "Above k = 20 the iterative algorithm keeps more: 26.6 % more at k = 180. It takes far \
        longer.",
    data: "Adult as items.",
    files: &[ADULT],
};

const ABOVE_20: Statement = Statement::new(
    Origin::Line(1096),
    "with hashing the iterative algorithm keeps more for every k above 20",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const AT_180: Statement = Statement::new(
    Origin::Line(1096),
    "at k = 180 it keeps 26.6 % more (here: half to twice that)",
    Gauge::Gain,
    Rule::Within(13.3, 53.2),
);
const SLOW: Statement = Statement::new(
    Origin::Line(1096),
    "it takes far longer (here: at least five times as long over all k)",
    Gauge::MeanRatio,
    Rule::AtLeast(5.0),
);
const OURS: Statement = Statement::new(
    Origin::Ours,
    "joining the cluster whose utility grows most keeps more than the thesis' choice at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);

impl Figure for Fig11And12 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [CLUSTER_LSH, ITER_LSH, OUR_ITER_LSH];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 11: utility", "Figure 12: time");
        let mut nulls = settings.nulls();
        let above = grid.kept(&ITER_LSH, &[CLUSTER_LSH], |k| k > 20);
        let (at_180, words) = grid.kept_near(&ITER_LSH, &CLUSTER_LSH, 180);
        let times = grid.times(&CLUSTER_LSH, &ITER_LSH, |_| true);
        let ours = grid.kept(&OUR_ITER_LSH, &[ITER_LSH], |_| true);
        result.claims = vec![
            ABOVE_20.claim("", nulls.pairs(ABOVE_20.gauge(), &above)),
            AT_180.claim("", nulls.pairs(AT_180.gauge(), &at_180).told(words)),
            SLOW.claim("", nulls.pairs(SLOW.gauge(), &times)),
            OURS.claim("", nulls.pairs(OURS.gauge(), &ours)),
        ];
        Ok(result)
    }
}
