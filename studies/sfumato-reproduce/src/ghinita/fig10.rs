//! Figure 10: reconstruction error against the number of sensitive items.

use sfumato_core::Result;

use super::compared::{DRAWS, Measured, Setting, measure, pairs, told};
use super::data::{BMS, FILES};
use super::{CURVES, at_10_and_20, n_trials, scale};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

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

const BELOW: Statement = Statement::new(
    Origin::Line(365),
    "CAHD's error is below PM's for every m on both data sets",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const STRICTER: Statement = Statement::new(
    Origin::Line(365),
    "CAHD with p = 20 is below PM with p = 10 for every m on both data sets",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

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
        let mut nulls = settings.nulls();
        for (place, (_, words)) in DRAWS.iter().enumerate() {
            for (statement, about, first, second) in
                [(BELOW, "p = 10, ", 0, 2), (BELOW, "p = 20, ", 1, 3), (STRICTER, "", 1, 2)]
            {
                let found = nulls
                    .pairs(statement.gauge(), &pairs(&all, place, first, second))
                    .told(told(&all, place, first, second));
                result.claims.push(statement.claim(&format!("{about}{words}"), found));
            }
        }
        Ok(result)
    }
}
