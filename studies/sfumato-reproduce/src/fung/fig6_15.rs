//! Figure 6.15: discernibility ratio on Adult over C and L.

use sfumato_core::Result;

use super::adult::FILE;
use super::grid::{Ran, by_l, over_c, ratios, scale, told, turned, widest};
use crate::claims::gauge::mean;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// The figure.
pub struct Fig6_15;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.15",
    caption: "discernibility ratio on Adult over C, for L = 2, 4, 6 at K = 100",
    paper: "The ratio rises with L and hardly depends on C: what drives generalization are L and \
        K.",
    data: "as in figure 6.14",
    files: &[FILE],
};

const INSENSITIVE: Statement = Statement::new(
    Origin::Line(2434),
    "the ratio hardly depends on C (here: it spans at most 0.05 for each L, where C can be met)",
    Gauge::Custom {
        measure: "what it spans over C, the most of every L",
        control: "what it spans over L, the most of every C",
    },
    Rule::AtMost(0.05),
);
const RISES: Statement =
    Statement::new(Origin::Line(2434), "the ratio rises with L", Gauge::Trend, Rule::AtLeast(0.5));

impl Figure for Fig6_15 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let Ran { table, why_empty } = ratios(settings, "C, %", &over_c(settings), 615)?;
        let ls = scale(settings).ls;
        let mut result = FigureResult::new(&INFO, told(settings));
        let known = by_l(&table, ls);
        let lists: Vec<Vec<f64>> = known.iter().map(|(_, values)| values.clone()).collect();
        let means: Vec<f64> = lists.iter().map(|values| mean(values)).collect();
        let words: Vec<String> =
            known.iter().zip(&means).map(|((l, _), x)| format!("L = {l}: {x:.4}")).collect();
        let found = Measured::new(widest(&lists), widest(&turned(&lists)));
        let rises = settings.nulls().trend(&[means]).told(words.join(", "));
        result.claims = vec![INSENSITIVE.claim("", found), RISES.claim("", rises)];
        result.tables.push(table);
        result.notes.extend(why_empty);
        Ok(result)
    }
}
