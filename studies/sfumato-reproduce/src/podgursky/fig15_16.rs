//! (k,1)-anonymity: exact neighbours, by hashing, and top-down.

use sfumato_core::Result;

use super::compared::{Grid, K1_ALL, K1_LSH, K1_TOP_DOWN, MOND_EVEN, words};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// (k,1)-anonymity: exact neighbours, by hashing, and top-down.
pub struct Fig15And16;

static INFO: FigureInfo = FigureInfo {
    name: "fig15_16",
    caption: "(k,1)-anonymity: exact neighbours, by hashing, and top-down",
    paper: "With exact neighbours (k,1)-anonymity keeps more than any algorithm for k-anonymity; \
        with hashing less. An algorithm that goes top-down is left open.",
    data: "Adult as items.",
    files: &[ADULT],
};

impl Figure for Fig15And16 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let data = adult(settings, adult_records(settings))?;
        let mut result = FigureResult::new(&INFO, adult_scale(data.quasi.len()));
        let arms = [K1_ALL, K1_LSH, K1_TOP_DOWN, MOND_EVEN];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 15: utility", "Figure 16: time");
        let above = grid.above(&K1_ALL, &[K1_LSH, MOND_EVEN]);
        result.claims.push(Claim::new(
            "exact neighbours keep more than hashing and than k-anonymity",
            above.2.is_empty(),
            words(&above),
        ));
        let shares = grid.lines.iter().map(|(_, line)| line[2].utility / line[0].utility);
        let worst = 100.0 * shares.fold(f64::INFINITY, f64::min);
        result.claims.push(Claim::new(
            "ours: top-down keeps at least 97 % of the exhaustive algorithm",
            worst >= 97.0,
            format!("at least {worst:.1} %"),
        ));
        let ratio = grid.time_ratio(&K1_TOP_DOWN, &MOND_EVEN);
        result.claims.push(Claim::new(
            "ours: top-down takes at most three times as long as Mondrian",
            ratio <= 3.0,
            format!("{ratio:.2} times as long over all k"),
        ));
        Ok(result)
    }
}
