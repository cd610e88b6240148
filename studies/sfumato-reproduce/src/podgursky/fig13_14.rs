//! Mondrian that splits on the most frequent item and by entropy.

use sfumato_core::Result;

use super::compared::{Grid, MOND_ENTROPY, MOND_EVEN, MOND_UTILITY};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// Mondrian that splits on the most frequent item and by entropy.
pub struct Fig13And14;

static INFO: FigureInfo = FigureInfo {
    name: "fig13_14",
    caption: "Mondrian that splits on the most frequent item and by entropy",
    paper: "Both keep nearly the same: at k = 195 entropy keeps 0.098 % more. It takes several \
        orders of magnitude longer.",
    data: "Adult as items.",
    files: &[ADULT],
};

impl Figure for Fig13And14 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [MOND_EVEN, MOND_ENTROPY, MOND_UTILITY];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 13: utility", "Figure 14: time");
        let (gain, words) = grid.gain(&MOND_ENTROPY, &MOND_EVEN, 200);
        result.claims.push(Claim::new(
            "both keep nearly the same at large k (within 1 %)",
            gain.abs() < 1.0,
            words,
        ));
        let ratio = grid.time_ratio(&MOND_ENTROPY, &MOND_EVEN);
        result.claims.push(Claim::new(
            "entropy takes orders of magnitude longer (at least ten times)",
            ratio >= 10.0,
            format!("{ratio:.1} times as long over all k"),
        ));
        Ok(result)
    }
}
