//! Figure 6.11: discernibility ratio on Blood over K and L.

use sfumato_core::Result;

use super::blood::blood;
use super::grid::{Ran, over_k, ratios_of};
use crate::claims::gauge::{least, mean};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// The figure.
pub struct Fig6_11;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.11",
    caption: "discernibility ratio on a stand-in for Blood over K, for several L at C = 20 %",
    paper: "The ratio generally increases with K, and quickly with L. That of traditional \
        k-anonymity by TDR is 0.1 to 0.45 higher.",
    data: "as in figure 6.10",
    files: &[],
};

const RISES_K: Statement = Statement::new(
    Origin::Line(2415),
    "the ratio generally increases as K does (here: mean of all L)",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const RISES_L: Statement = Statement::new(
    Origin::Line(2415),
    "it increases quickly as L does (here: at least twice as high for L = 4 as for 2, at every K)",
    Gauge::LeastRatio,
    Rule::AtLeast(2.0),
);
const BENEFIT: Statement = Statement::new(
    Origin::Line(2415),
    "traditional k-anonymity by TDR has a ratio that is 0.1 to 0.45 higher",
    Gauge::Custom {
        measure: "TDR's ratio minus that of every L, the least of all K",
        control: "the ratio of L minus TDR's",
    },
    Rule::Within(0.1, 0.45),
);

impl Figure for Fig6_11 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let n = settings.pick(600, 3_000, 10_000);
        let ls: &[u64] = settings.pick(&[2], &[2, 4], &[2, 4]);
        let data = blood(settings, n)?;
        let mut result =
            FigureResult::new(&INFO, format!("{n} generated records, 41 quasi columns"));
        let mut nulls = settings.nulls();
        let Ran { table, .. } = ratios_of(&data, settings, "K", &over_k(settings), (611, ls))?;
        let lists: Vec<Vec<f64>> = (0..ls.len()).map(|place| table.means(place)).collect();
        let by_k: Vec<f64> = (0..table.rows.len())
            .map(|row| mean(&lists.iter().filter_map(|l| l.get(row).copied()).collect::<Vec<_>>()))
            .collect();
        result.claims.push(RISES_K.claim("", nulls.trend(&[by_k])));
        if let [two, four, ..] = &lists[..] {
            let pairs: Vec<(f64, f64)> = two.iter().copied().zip(four.iter().copied()).collect();
            result.claims.push(RISES_L.claim("", nulls.pairs(RISES_L.gauge(), &pairs)));
        }
        let tdr = table.means(ls.len() + 1);
        let gaps: Vec<f64> = lists
            .iter()
            .flat_map(|list| tdr.iter().zip(list).map(|(tdr, own)| tdr - own))
            .collect();
        let other: Vec<f64> = gaps.iter().map(|gap| -gap).collect();
        result.claims.push(BENEFIT.claim("", Measured::new(least(&gaps), least(&other))));
        result.tables.push(table);
        Ok(result)
    }
}
