//! Figure 9: reconstruction error against p.

use sfumato_core::Result;

use super::compared::{CAHD, DRAWS, Measured, OURS, PM, Setting, measure, pairs, told};
use super::data::{BMS, FILES};
use super::{n_trials, scale};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// Figure 9 of the paper.
pub struct Fig9;

static INFO: FigureInfo = FigureInfo {
    name: "fig9",
    caption: "Reconstruction error against p, r = 4",
    paper: "r = 4, p from 4 to 20. CAHD is below PM on both data sets, by up to a factor of 2. A \
        higher p means a higher error. m isn't said.",
    data: "BMS-WebView-1 and BMS-WebView-2, m = 10.",
    files: FILES,
};

const BELOW: Statement = Statement::new(
    Origin::Line(363),
    "CAHD's error is below PM's for every p on both data sets",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const FACTOR: Statement = Statement::new(
    Origin::Line(363),
    "PM's error is up to twice CAHD's",
    Gauge::MostRatio,
    Rule::Within(1.5, 2.5),
);
const GROWS: Statement = Statement::new(
    Origin::Line(363),
    "a higher p means a higher error of CAHD",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const JACCARD: Statement = Statement::new(
    Origin::Ours,
    "CAHD by Jaccard's measure is below the paper's CAHD for every p on both data sets",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig9 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let ps =
            settings.pick(&[4, 20][..], &[4, 8, 12, 16, 20], &[4, 6, 8, 10, 12, 14, 16, 18, 20]);
        let setting = |p: &u64| Setting {
            label: *p,
            m: 10,
            r: 4,
            curves: [CAHD, PM, OURS].map(|arm| (arm, *p)).to_vec(),
        };
        let rows: Vec<Setting> = ps.iter().map(setting).collect();
        let mut result = FigureResult::new(&INFO, scale(settings, "m = 10, r = 4"));
        let mut all: Vec<Measured> = Vec::new();
        for bms in BMS {
            let sets = bms.sample(settings)?;
            all.push(measure((bms.name, &sets), &rows, n_trials(settings), settings)?);
        }
        for measured in &all {
            result.tables.extend(measured.tables("Figure 9", "p", &["CAHD", "PM", "ours"]));
        }
        let mut nulls = settings.nulls();
        for (place, (_, words)) in DRAWS.iter().enumerate() {
            let cahd = pairs(&all, place, 0, 1);
            let curves: Vec<Vec<f64>> = all
                .iter()
                .map(|one| (0..ps.len()).map(|p| one.mean(place, p, 0)).collect())
                .collect();
            let ours = pairs(&all, place, 2, 0);
            result.claims.extend([
                BELOW.claim(words, nulls.pairs(BELOW.gauge(), &cahd).told(told(&all, place, 0, 1))),
                FACTOR.claim(words, nulls.pairs(FACTOR.gauge(), &cahd)),
                GROWS.claim(words, nulls.trend(&curves)),
                JACCARD.claim(
                    words,
                    nulls.pairs(JACCARD.gauge(), &ours).told(told(&all, place, 2, 0)),
                ),
            ]);
        }
        Ok(result)
    }
}
