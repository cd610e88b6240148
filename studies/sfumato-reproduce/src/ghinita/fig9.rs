//! Figure 9: reconstruction error against p.

use sfumato_core::Result;

use super::compared::{CAHD, DRAWS, Measured, OURS, PM, Setting, below, measure};
use super::data::{BMS, FILES};
use super::{n_trials, scale};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

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
        for (place, (_, words)) in DRAWS.iter().enumerate() {
            let (holds, measured) = below(&all, place, 0, 1);
            result.claims.push(Claim::new(
                format!("CAHD is below PM for every p on both data sets ({words})"),
                holds,
                measured,
            ));
            let most =
                all.iter().map(|one| one.ratios(place, 0, 1).into_iter().fold(0.0, f64::max));
            let most: Vec<f64> = most.collect();
            result.claims.push(Claim::new(
                format!("by up to a factor of 2 ({words})"),
                most.iter().any(|ratio| *ratio >= 2.0),
                format!("at most {:.2} on BMS1 and {:.2} on BMS2", most[0], most[1]),
            ));
            let last = ps.len() - 1;
            let growth: Vec<f64> = all
                .iter()
                .map(|one| one.mean(place, last, 0) / one.mean(place, 0, 0).max(1e-12))
                .collect();
            result.claims.push(Claim::new(
                format!("a higher p means a higher error of CAHD ({words})"),
                growth.iter().all(|ratio| *ratio > 1.0),
                format!(
                    "from p = {} to {} {:.2} times on BMS1 and {:.2} times on BMS2",
                    ps[0], ps[last], growth[0], growth[1]
                ),
            ));
            let (holds, measured) = below(&all, place, 2, 0);
            result.claims.push(Claim::new(
                format!(
                    "ours: CAHD by Jaccard's measure is below the paper's CAHD for every p on \
                    both data sets ({words})"
                ),
                holds,
                measured,
            ));
        }
        Ok(result)
    }
}
