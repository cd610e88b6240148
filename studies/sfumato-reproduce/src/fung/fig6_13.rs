//! Figure 6.13: classification error on Adult over C and L.

use sfumato_core::Result;

use super::adult::FILE;
use super::grid::{Ran, SCORES, by_l, errors, over_c, scale, told, turned, widest};
use crate::claims::gauge::mean;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// The figure.
pub struct Fig6_13;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.13",
    caption: "classification error on Adult over C, for L = 2, 4, 6 at K = 100",
    paper: "CE hardly depends on C, from 5 % to 30 %, and rises slightly with L.",
    data: "as in figure 6.12",
    files: &[FILE],
};

const INSENSITIVE: Statement = Statement::new(
    Origin::Line(2425),
    "CE hardly depends on C (here: it spans at most 1 point for each L, where C can be met)",
    Gauge::Custom {
        measure: "points that CE spans over C, the most of every L",
        control: "points that it spans over L, the most of every C",
    },
    Rule::AtMost(1.0),
);
const RISES: Statement =
    Statement::new(Origin::Line(2425), "CE rises with L", Gauge::Trend, Rule::AtLeast(0.5));

impl Figure for Fig6_13 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let ls = scale(settings).ls;
        let mut result = FigureResult::new(&INFO, told(settings));
        let mut nulls = settings.nulls();
        for score in SCORES {
            let Ran { table, why_empty } = errors(settings, "C, %", &over_c(settings), 613, score)?;
            let known = by_l(&table, ls);
            let lists: Vec<Vec<f64>> = known.iter().map(|(_, values)| values.clone()).collect();
            let means: Vec<f64> = lists.iter().map(|values| mean(values)).collect();
            let words: Vec<String> =
                known.iter().zip(&means).map(|((l, _), x)| format!("L = {l}: {x:.2}")).collect();
            let found = Measured::new(widest(&lists), widest(&turned(&lists)));
            result.claims.extend([
                INSENSITIVE.claim(score.0, found),
                RISES.claim(score.0, nulls.trend(&[means]).told(words.join(", "))),
            ]);
            result.tables.push(table);
            if score == SCORES[0] {
                result.notes.extend(why_empty);
            }
        }
        Ok(result)
    }
}
