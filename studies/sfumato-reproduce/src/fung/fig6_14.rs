//! Figure 6.14: discernibility ratio on Adult over K and L.

use sfumato_core::Result;

use super::adult::FILE;
use super::grid::{Line, Ran, from_to, over_k, ratios, scale, told};
use crate::claims::gauge::least;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// The figure.
pub struct Fig6_14;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.14",
    caption: "discernibility ratio on Adult over K, for L = 2, 4, 6 at C = 20 %",
    paper: "At L = 2 the ratio stays close to 0 whatever K is; at L = 4 it is much higher; at L = \
        6 it is that of k-anonymity. It sometimes drops as \
K rises, because the search is greedy.",
    data: "as in figure 6.12; k-anonymity over all 13 quasi columns by the same algorithm, and by \
        TDR, which the book takes (on Blood it says so)",
    files: &[FILE],
};

const NEAR_0: Statement = Statement::new(
    Origin::Line(2432),
    "at L = 2 the ratio stays close to 0 whatever K is (here: below 0.05)",
    Gauge::Custom {
        measure: "the ratio, the most over K",
        control: "k-anonymity over all quasi columns",
    },
    Rule::Below(0.05),
);
const HIGHER: Statement = Statement::new(
    Origin::Line(2432),
    "at L = 4 it is significantly higher than at L = 2 (here: at least twice as high for every K)",
    Gauge::LeastRatio,
    Rule::AtLeast(2.0),
);
const EQUALS: Statement = Statement::new(
    Origin::Line(2432),
    "at L = 6 it equals that of traditional k-anonymity (here: within 0.01)",
    Gauge::Custom {
        measure: "distance from k-anonymity's, the most over K",
        control: "L = 2 in place of L = 6",
    },
    Rule::AtMost(0.01),
);
const DROPS: Statement = Statement::new(
    Origin::Line(2432),
    "it sometimes drops as K rises",
    Gauge::Custom {
        measure: "steps of K at which it drops, of all L",
        control: "ratios in ascending order: of a search that is never worse for a smaller K",
    },
    Rule::AtLeast(1.0),
);

impl Figure for Fig6_14 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let Ran { table, why_empty } = ratios(settings, "K", &over_k(settings), 614)?;
        let ls = scale(settings).ls;
        let mut result = FigureResult::new(&INFO, told(settings));
        let mut nulls = settings.nulls();
        let column = |place: usize| table.means(place);
        let most = |values: &[f64]| -least(&values.iter().map(|x| -x).collect::<Vec<f64>>());
        let (first, second) = (column(0), column(1));
        let both: Vec<(f64, f64)> = first.iter().copied().zip(second.iter().copied()).collect();
        result.claims.extend([
            NEAR_0.claim("", Measured::new(most(&first), most(&column(ls.len())))),
            HIGHER.claim("", nulls.pairs(HIGHER.gauge(), &both)),
        ]);
        if let Some(six) = ls.iter().position(|l| *l == 6) {
            for (place, name) in [(ls.len(), "by HDTDS"), (ls.len() + 1, "by TDR")] {
                let off = |values: Vec<f64>| {
                    let pairs = values.into_iter().zip(column(place));
                    most(&pairs.map(|(a, b)| (a - b).abs()).collect::<Vec<f64>>())
                };
                let found = Measured::new(off(column(six)), off(first.clone()));
                result.claims.push(EQUALS.claim(name, found));
            }
        }
        let drops = |values: &[f64]| values.windows(2).filter(|two| two[1] < two[0]).count();
        let all: usize = (0..ls.len()).map(|place| drops(&column(place))).sum();
        let sorted = |place: usize| {
            let mut values = column(place);
            values.sort_by(f64::total_cmp);
            drops(&values)
        };
        let of_sorted: usize = (0..ls.len()).map(sorted).sum();
        result.claims.push(DROPS.claim("", Measured::new(all as f64, of_sorted as f64)));
        result.tables.push(table);
        result.notes.extend(why_empty);
        // Which of the two bounds is it? The same without the one on confidence.
        let lines: Vec<Line> =
            over_k(settings).iter().map(|(label, k, _)| (*label, *k, 100)).collect();
        let mut free = ratios(settings, "K", &lines, 614)?.table;
        free.title = "Adult, confidence not bounded (C = 100 %)".into();
        if let Some(place) = ls.iter().position(|l| *l == 6) {
            let (six, all) = (free.means(place), free.means(ls.len()));
            let apart: Vec<f64> = six.iter().zip(&all).map(|(six, all)| six - all).collect();
            let is_confidence = !apart.is_empty() && apart.iter().all(|apart| apart.abs() < 0.01);
            let because = match is_confidence {
                true => {
                    "so that what is more at C = 20 % is the price of that bound, which \
                        k-anonymity doesn't have"
                }
                false => "so that the bound on confidence doesn't explain the difference",
            };
            let apart = from_to(&apart, 4);
            result.notes.push(format!(
                "without a bound on confidence L = 6 minus k-anonymity is {apart}, {because}"
            ));
        }
        result.tables.push(free);
        Ok(result)
    }
}
