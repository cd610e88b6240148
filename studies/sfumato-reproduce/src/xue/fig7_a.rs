//! Figure 7 (a): time of assignment extraction against k.

use sfumato_core::Result;
use sfumato_kernels::nonreciprocal::ring::ring;

use super::data::{CENSUS, PUMSB, for_pumsb};
use super::gray_tsp_order;
use super::walks::{ANY_END, BACKTRACKING, FORGETFUL, READINGS, Walks};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Plot};

/// Figure 7 (a).
pub struct Fig7A;

static INFO: FigureInfo = FigureInfo {
    name: "fig7_a",
    caption: "Time of assignment extraction against k, closed walk and backtracking",
    paper: "Figure 7 (a): on Pumsb the closed walk has a clear benefit over backtracking. The \
        values of k aren't in the text.",
    data: "For Pumsb (49,046 records): its first 4,334 records, and as many records as it has of \
        Census-Income (KDD), each value of 41 columns an item.",
    files: &[PUMSB.file, CENSUS.file],
};

const FASTER: Statement = Statement::new(
    Origin::Line(383),
    "the closed walk is clearly faster than backtracking at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const ANY_IS_FASTER: Statement = Statement::new(
    Origin::Ours,
    "where walks end at any free row, the closed walk is faster than backtracking at every k",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig7A {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let ks = settings.pick(&[2, 5][..], &[2, 5, 10, 20], &[2, 4, 8, 12, 16, 20]);
        let mut result =
            FigureResult::new(&INFO, "all k assignments of the ring; processor time of one thread");
        let mut nulls = settings.nulls();
        for source in for_pumsb(settings) {
            let order = gray_tsp_order(&source.read(settings)?);
            let mut walks = Walks::new(source.name, "k", Plot::Lines);
            for k in ks {
                walks.measure(
                    *k,
                    &ring(&order, *k)?,
                    settings.seed_of(&[5, *k as u64]),
                    settings,
                )?;
            }
            for (statement, other, about) in [
                (FASTER, BACKTRACKING, ""),
                (FASTER, FORGETFUL, ", backtracking that forgets"),
                (ANY_IS_FASTER, ANY_END, ""),
            ] {
                let found = nulls.pairs(statement.gauge(), &walks.beside(other, false));
                let about = format!("{}{about}", source.name);
                result.claims.push(statement.claim(&about, found));
            }
            result.tables.extend([walks.times, walks.steps]);
        }
        result.notes.push(READINGS.into());
        Ok(result)
    }
}
