//! Figure 11: reconstruction error against the number of items of a query.

use sfumato_core::Result;

use super::compared::{DRAWS, Measured, Setting, measure, pairs, told};
use super::data::{BMS, FILES};
use super::{CURVES, at_10_and_20, n_trials, scale};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// Figure 11 of the paper.
pub struct Fig11;

static INFO: FigureInfo = FigureInfo {
    name: "fig11",
    caption: "Reconstruction error against the number of items of a query, m = 10",
    paper: "r from 2 to 8, m = 10, p = 10 and p = 20. CAHD is below PM in all cases; the larger r, \
        the larger the difference. For r of at least 3 CAHD with p = 20 is below PM with p = 10.",
    data: "BMS-WebView-1 and BMS-WebView-2.",
    files: FILES,
};

const BELOW: Statement = Statement::new(
    Origin::Line(367),
    "CAHD's error is below PM's for every r on both data sets",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const WIDENS: Statement = Statement::new(
    Origin::Line(367),
    "the larger r, the larger the difference between PM and CAHD, p = 10",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const STRICTER: Statement = Statement::new(
    Origin::Line(367),
    "for r of at least 3 CAHD with p = 20 is below PM with p = 10 on both data sets",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig11 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let rs = settings.pick(&[2, 8][..], &[2, 4, 6, 8], &[2, 3, 4, 5, 6, 7, 8]);
        let rows: Vec<Setting> = rs
            .iter()
            .map(|r| Setting { label: *r as u64, m: 10, r: *r, curves: at_10_and_20() })
            .collect();
        let mut result = FigureResult::new(&INFO, scale(settings, "m = 10"));
        let mut all: Vec<Measured> = Vec::new();
        for bms in BMS {
            let sets = bms.sample(settings)?;
            all.push(measure((bms.name, &sets), &rows, n_trials(settings), settings)?);
        }
        for measured in &all {
            result.tables.extend(measured.tables("Figure 11", "r", &CURVES));
        }
        let mut nulls = settings.nulls();
        for (place, (_, words)) in DRAWS.iter().enumerate() {
            for (about, first, second) in [("p = 10, ", 0, 2), ("p = 20, ", 1, 3)] {
                let found = nulls
                    .pairs(BELOW.gauge(), &pairs(&all, place, first, second))
                    .told(told(&all, place, first, second));
                result.claims.push(BELOW.claim(&format!("{about}{words}"), found));
            }
            let gaps = |one: &Measured| -> Vec<f64> {
                let gap = |row| one.mean(place, row, 2) - one.mean(place, row, 0);
                (0..rs.len()).map(gap).collect()
            };
            let gaps: Vec<Vec<f64>> = all.iter().map(gaps).collect();
            result.claims.push(WIDENS.claim(words, nulls.trend(&gaps)));
            let long: Vec<(f64, f64)> = all
                .iter()
                .flat_map(|one| {
                    let rows = (0..rs.len()).filter(|row| rs[*row] >= 3);
                    rows.map(|row| (one.mean(place, row, 1), one.mean(place, row, 2)))
                        .collect::<Vec<_>>()
                })
                .collect();
            result.claims.push(STRICTER.claim(words, nulls.pairs(STRICTER.gauge(), &long)));
        }
        Ok(result)
    }
}
