//! Figure 10: reconstruction error against the number of sensitive items.

use sfumato_core::Result;

use super::compared::{DRAWS, Measured, Setting, below, measure};
use super::data::{BMS, FILES};
use super::{CURVES, at_10_and_20, n_trials, scale};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// Figure 10 of the paper.
pub struct Fig10;

static INFO: FigureInfo = FigureInfo {
    name: "fig10",
    caption: "Reconstruction error against the number of sensitive items, r = 4",
    paper: "m from 5 to 20, r = 4, p = 10 and p = 20. CAHD is below PM for both. CAHD with p = 20 \
        is even below PM with p = 10.",
    data: "BMS-WebView-1 and BMS-WebView-2.",
    files: FILES,
};

impl Figure for Fig10 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let ms = settings.pick(&[5, 10][..], &[5, 20], &[5, 10, 15, 20]);
        let rows: Vec<Setting> = ms
            .iter()
            .map(|m| Setting { label: *m as u64, m: *m, r: 4, curves: at_10_and_20() })
            .collect();
        let mut result = FigureResult::new(&INFO, scale(settings, "r = 4"));
        let mut all: Vec<Measured> = Vec::new();
        for bms in BMS {
            let sets = bms.sample(settings)?;
            all.push(measure((bms.name, &sets), &rows, n_trials(settings), settings)?);
        }
        for measured in &all {
            result.tables.extend(measured.tables("Figure 10", "m", &CURVES));
        }
        for (place, (_, words)) in DRAWS.iter().enumerate() {
            for (p, cahd, pm) in [(10, 0, 2), (20, 1, 3)] {
                let (holds, measured) = below(&all, place, cahd, pm);
                result.claims.push(Claim::new(
                    format!("CAHD is below PM for every m on both data sets, p = {p} ({words})"),
                    holds,
                    measured,
                ));
            }
            let (holds, measured) = below(&all, place, 1, 2);
            result.claims.push(Claim::new(
                format!("CAHD with p = 20 is below PM with p = 10 for every m ({words})"),
                holds,
                measured,
            ));
        }
        Ok(result)
    }
}
