//! All algorithms side by side on Adult.

use sfumato_core::Result;

use super::compared::{
    CLUSTER_LSH, Grid, ITER_LSH, K1_ALL, K1_LSH, K1_TOP_DOWN, MOND_EVEN, MOND_UTILITY, OUR_CLUSTER,
    OUR_ITER_LSH, OUR_K1, TWO_PHASE,
};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// All algorithms side by side on Adult.
pub struct Fig17And18;

static INFO: FigureInfo = FigureInfo {
    name: "fig17_18",
    caption: "All algorithms side by side on Adult",
    paper: "TWO_PHASE and Mondrian keep much more than clustering; (k,1)-anonymity with exact \
        neighbours keeps most of all, with hashing about as much as TWO_PHASE and Mondrian at \
        small k.",
    data: "Adult as items.",
    files: &[ADULT],
};

const STRONGLY: Statement = Statement::new(
    Origin::Line(1134),
    "it strongly outperforms clustering at every k (here: at least 5 % more)",
    Gauge::LeastRatio,
    Rule::AtLeast(1.05),
);
const COSTLY: Statement = Statement::new(
    Origin::Line(1134),
    "iterative clustering takes extremely long (here: at least ten times as long as Mondrian)",
    Gauge::MeanRatio,
    Rule::AtLeast(10.0),
);
const MOST: Statement = Statement::new(
    Origin::Line(1136),
    "K1_ALL keeps more than every algorithm for k-anonymity at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const MATCHES: Statement = Statement::new(
    Origin::Line(1141),
    "K1_LSH roughly matches TWO_PHASE and Mondrian at low k (here: within 5 % for k up to 5)",
    Gauge::Custom {
        measure: "the largest difference in percent of the two",
        control: "the same with K1_LSH at the largest k",
    },
    Rule::AtMost(5.0),
);
const ONLY: Statement = Statement::new(
    Origin::Line(1141),
    "and only there: for every k above 5 it keeps less",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const UTILITY: Statement = Statement::new(
    Origin::Ours,
    "Mondrian by utility keeps more than the thesis' algorithms for k-anonymity at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const TOP_DOWN: Statement = Statement::new(
    Origin::Ours,
    "top-down (k,1) keeps more than every algorithm for k-anonymity at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);

impl Figure for Fig17And18 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [
            CLUSTER_LSH,
            ITER_LSH,
            MOND_EVEN,
            TWO_PHASE,
            K1_ALL,
            K1_LSH,
            MOND_UTILITY,
            K1_TOP_DOWN,
            OUR_CLUSTER,
            OUR_ITER_LSH,
            OUR_K1,
        ];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 17: utility", "Figure 18: time");
        let mut nulls = settings.nulls();
        for better in [TWO_PHASE, MOND_EVEN] {
            let pairs = grid.kept(&better, &[CLUSTER_LSH, ITER_LSH], |_| true);
            let pairs: Vec<(f64, f64)> = pairs.into_iter().map(|(a, b)| (b, a)).collect();
            let found = nulls.pairs(STRONGLY.gauge(), &pairs);
            result.claims.push(STRONGLY.claim(better.name, found));
        }
        let times = grid.times(&MOND_EVEN, &ITER_LSH, |_| true);
        result.claims.push(COSTLY.claim("", nulls.pairs(COSTLY.gauge(), &times)));
        let theirs = [CLUSTER_LSH, ITER_LSH, MOND_EVEN, TWO_PHASE];
        let most = grid.kept(&K1_ALL, &theirs, |_| true);
        result.claims.push(MOST.claim("", nulls.pairs(MOST.gauge(), &most)));
        for other in [TWO_PHASE, MOND_EVEN] {
            let low = grid.kept(&K1_LSH, &[other], |k| k <= 5);
            let (_, largest) = grid.ends();
            let far = grid.kept(&K1_LSH, &[other], |k| k == largest);
            let apart = |kept: &dyn Fn(usize) -> f64| {
                let all = low.iter().enumerate().map(|(at, pair)| (kept(at) / pair.1 - 1.0).abs());
                100.0 * all.fold(0.0, f64::max)
            };
            let found = Measured::new(apart(&|at| low[at].0), apart(&|_| far[0].0));
            result.claims.push(MATCHES.claim(other.name, found));
            let high = grid.kept(&other, &[K1_LSH], |k| k > 5);
            result.claims.push(ONLY.claim(other.name, nulls.pairs(ONLY.gauge(), &high)));
        }
        let ours = grid.kept(&MOND_UTILITY, &theirs, |_| true);
        let all = [CLUSTER_LSH, ITER_LSH, MOND_EVEN, TWO_PHASE, MOND_UTILITY];
        let down = grid.kept(&K1_TOP_DOWN, &all, |_| true);
        result.claims.extend([
            UTILITY.claim("", nulls.pairs(UTILITY.gauge(), &ours)),
            TOP_DOWN.claim("", nulls.pairs(TOP_DOWN.gauge(), &down)),
        ]);
        Ok(result)
    }
}
