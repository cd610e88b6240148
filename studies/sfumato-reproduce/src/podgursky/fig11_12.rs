//! Iterative and single-pass clustering, neighbours by hashing.

use sfumato_core::Result;

use super::compared::{CLUSTER_LSH, Grid, ITER_LSH};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

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

impl Figure for Fig11And12 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [CLUSTER_LSH, ITER_LSH];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 11: utility", "Figure 12: time");
        let (high, words_high) = grid.gain(&ITER_LSH, &CLUSTER_LSH, 180);
        result.claims.push(Claim::new(
            "the iterative algorithm keeps more at large k (26.6 % at 180)",
            high > 0.0,
            words_high,
        ));
        let ratio = grid.time_ratio(&ITER_LSH, &CLUSTER_LSH);
        result.claims.push(Claim::new(
            "the iterative algorithm takes longer",
            ratio > 1.0,
            format!("{ratio:.1} times as long over all k"),
        ));
        Ok(result)
    }
}
