//! All algorithms side by side on Adult.

use sfumato_core::Result;

use super::compared::{
    CLUSTER_LSH, Grid, ITER_LSH, K1_ALL, K1_LSH, K1_TOP_DOWN, MOND_EVEN, MOND_UTILITY, TWO_PHASE,
    words,
};
use super::data::{ADULT, adult};
use super::{adult_records, adult_scale, ks};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

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
        ];
        let grid = Grid::run(&data, &arms, &ks(settings), settings)?;
        result.tables = grid.tables("Figure 17: utility", "Figure 18: time");
        let k_anonymous = [CLUSTER_LSH, ITER_LSH, MOND_EVEN, TWO_PHASE];
        for better in [TWO_PHASE, MOND_EVEN] {
            let above = grid.above(&better, &[CLUSTER_LSH, ITER_LSH]);
            result.claims.push(Claim::new(
                format!("{} keeps more than clustering", better.name),
                above.2.is_empty(),
                words(&above),
            ));
        }
        let above = grid.above(&K1_ALL, &k_anonymous);
        result.claims.push(Claim::new(
            "K1_ALL keeps more than every algorithm for k-anonymity",
            above.2.is_empty(),
            words(&above),
        ));
        let above = grid.above(&MOND_UTILITY, &k_anonymous);
        result.claims.push(Claim::new(
            "ours: Mondrian by utility keeps no less than the thesis' algorithms for k-anonymity",
            above.2.is_empty(),
            words(&above),
        ));
        let above =
            grid.above(&K1_TOP_DOWN, &[CLUSTER_LSH, ITER_LSH, MOND_EVEN, TWO_PHASE, MOND_UTILITY]);
        result.claims.push(Claim::new(
            "ours: top-down (k,1) keeps more than every algorithm for k-anonymity",
            above.2.is_empty(),
            words(&above),
        ));
        Ok(result)
    }
}
