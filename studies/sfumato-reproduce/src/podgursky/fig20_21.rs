//! Figures 20 and 21: the synthetic data.

use sfumato_core::Result;
use sfumato_sets::data::BasketData;

use super::compared::{
    Arm, CLUSTER_LSH, CLUSTER_RAND, Grid, K1_LSH, K1_TOP_DOWN, MOND_EVEN, MOND_UTILITY,
    OUR_CLUSTER, OUR_K1, TWO_PHASE, measure,
};
use super::data::{longtail, with_other_utilities};
use super::ks;
use crate::claims::gauge::{least, mean};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Figures 20 and 21.
pub struct Fig20And21;

static INFO: FigureInfo = FigureInfo {
    name: "fig20_21",
    caption: "The synthetic data, with utilities",
    paper: "TWO_PHASE keeps more than every other algorithm. CLUSTER_LSH comes close to Mondrian \
        at large k, because it knows utilities. K1_LSH keeps little for k above 5, although its \
        model asks for less.",
    data: "Generated: `longtail`, 100,000 records of 1,000 items, utilities uniform in 1 to 100.",
    files: &[],
};

/// How much more Mondrian by utility keeps than MOND_EVEN depends on what the most frequent items
/// happen to be worth: how many times as much at k = 10, for several draws, and TWO_PHASE beside.
fn over_draws(
    data: &BasketData,
    settings: &Settings<'_>,
    result: &mut FigureResult,
) -> Result<Vec<[f64; 2]>> {
    let arms = [MOND_EVEN, TWO_PHASE, MOND_UTILITY];
    let names = arms.map(|arm| arm.name);
    let mut table =
        Table::new("Other draws of utilities, k = 10", "draw", "utility kept, %", &names)
            .digits(2)
            .plotted(Plot::None);
    let mut ratios = Vec::new();
    for draw in 1..=settings.pick(2, 4, 10) {
        let data = with_other_utilities(data, draw)?;
        let kept = arms.iter().map(|arm| Ok(measure(&data, arm, 10, settings)?.utility));
        let kept: Vec<f64> = kept.collect::<Result<_>>()?;
        table.push(draw, kept.iter().map(|kept| Number::exact(100.0 * kept)).collect());
        ratios.push([kept[2] / kept[0], kept[1] / kept[0]]);
    }
    result.tables.push(table);
    Ok(ratios)
}

const BEST: Statement = Statement::new(
    Origin::Line(1159),
    "TWO_PHASE keeps more than each of the other strategies at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const COMPETITIVE: Statement = Statement::new(
    Origin::Line(1164),
    "at high k CLUSTER_LSH is competitive with Mondrian (here: keeps at least 90 % of it for every \
        k from 100 on)",
    Gauge::Custom {
        measure: "the least of what is kept over what MOND_EVEN keeps",
        control: "CLUSTER_RAND in place of CLUSTER_LSH",
    },
    Rule::AtLeast(0.9),
);
const POOR: Statement = Statement::new(
    Origin::Line(1166),
    "K1_LSH is very poor beside algorithms for k-anonymity for every k above 5 (here: MOND_EVEN \
        keeps at least 1.2 times as much)",
    Gauge::LeastRatio,
    Rule::AtLeast(1.2),
);
const OUR_K1_IS_NOT: Statement = Statement::new(
    Origin::Ours,
    "with the buckets of the growing cluster (k,1) by hashing keeps more than MOND_EVEN at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const TIMES_AS_MUCH: Statement = Statement::new(
    Origin::Ours,
    "Mondrian by utility keeps at least 1.45 times what MOND_EVEN does at k = 10, on average over \
        draws of what items are worth",
    Gauge::Custom {
        measure: "the mean ratio over draws",
        control: "TWO_PHASE in place of Mondrian by utility",
    },
    Rule::AtLeast(1.45),
);
const UTILITY: Statement = Statement::new(
    Origin::Ours,
    "Mondrian by utility keeps more at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const TOP_DOWN: Statement = Statement::new(
    Origin::Ours,
    "top-down (k,1) keeps more than every algorithm for k-anonymity at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const FAST: Statement = Statement::new(
    Origin::Ours,
    "top-down (k,1) takes at most three times as long as Mondrian",
    Gauge::Custom {
        measure: "time over MOND_EVEN's, over all k",
        control: "TWO_PHASE in place of top-down",
    },
    Rule::AtMost(3.0),
);

impl Figure for Fig20And21 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let records = settings.pick(600, 10_000, 100_000);
        let data = longtail("synthetic", "0", records, settings)?;
        let mut result = FigureResult::new(&INFO, format!("{records} records, one run for each k"));
        let arms = [
            CLUSTER_LSH,
            MOND_EVEN,
            TWO_PHASE,
            K1_LSH,
            MOND_UTILITY,
            K1_TOP_DOWN,
            CLUSTER_RAND,
            OUR_CLUSTER,
            OUR_K1,
        ];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 20: utility", "Figure 21: time");
        let mut nulls = settings.nulls();
        let best = grid.kept(&TWO_PHASE, &[CLUSTER_LSH, MOND_EVEN, K1_LSH], |_| true);
        let share = |arm: &Arm| {
            let high = grid.kept(arm, &[MOND_EVEN], |k| k >= 100);
            least(&high.iter().map(|(kept, even)| kept / even).collect::<Vec<f64>>())
        };
        let poor = grid.kept(&K1_LSH, &[MOND_EVEN], |k| k > 5);
        let our_k1 = grid.kept(&OUR_K1, &[MOND_EVEN], |_| true);
        let (_, words) = grid.kept_near(&K1_LSH, &MOND_EVEN, 20);
        let ratios = over_draws(&data, settings, &mut result)?;
        let time = |arm: &Arm| {
            let (even, other) = grid.times(&MOND_EVEN, arm, |_| true)[0];
            other / even
        };
        let of = |place: usize| mean(&ratios.iter().map(|pair| pair[place]).collect::<Vec<f64>>());
        result.claims = vec![
            BEST.claim("", nulls.pairs(BEST.gauge(), &best)),
            COMPETITIVE.claim("", Measured::new(share(&CLUSTER_LSH), share(&CLUSTER_RAND))),
            POOR.claim("", nulls.pairs(POOR.gauge(), &poor).told(words)),
            OUR_K1_IS_NOT.claim("", nulls.pairs(OUR_K1_IS_NOT.gauge(), &our_k1)),
            TIMES_AS_MUCH.claim("", Measured::new(of(0), of(1))),
        ];
        for (others, which) in [
            (&[TWO_PHASE][..], "than TWO_PHASE"),
            (&[CLUSTER_LSH, MOND_EVEN][..], "than CLUSTER_LSH and MOND_EVEN"),
        ] {
            let pairs = grid.kept(&MOND_UTILITY, others, |_| true);
            result.claims.push(UTILITY.claim(which, nulls.pairs(UTILITY.gauge(), &pairs)));
        }
        let others = [MOND_UTILITY, TWO_PHASE, CLUSTER_LSH, MOND_EVEN];
        let down = grid.kept(&K1_TOP_DOWN, &others, |_| true);
        result.claims.extend([
            TOP_DOWN.claim("", nulls.pairs(TOP_DOWN.gauge(), &down)),
            FAST.claim("", Measured::new(time(&K1_TOP_DOWN), time(&TWO_PHASE))),
        ]);
        Ok(result)
    }
}
