//! Figure 11: reconstruction error against the number of items of a query.

use sfumato_core::Result;

use super::compared::{DRAWS, Measured, Setting, below, measure};
use super::data::{BMS, FILES};
use super::{CURVES, at_10_and_20, n_trials, scale};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

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
        for (place, (_, words)) in DRAWS.iter().enumerate() {
            for (p, cahd, pm) in [(10, 0, 2), (20, 1, 3)] {
                let (holds, measured) = below(&all, place, cahd, pm);
                result.claims.push(Claim::new(
                    format!("CAHD is below PM for every r on both data sets, p = {p} ({words})"),
                    holds,
                    measured,
                ));
            }
            let gap =
                |one: &Measured, row: usize| one.mean(place, row, 2) - one.mean(place, row, 0);
            let ends: Vec<(f64, f64)> =
                all.iter().map(|one| (gap(one, 0), gap(one, rs.len() - 1))).collect();
            result.claims.push(Claim::new(
                format!("the larger r, the larger the difference, p = 10 ({words})"),
                ends.iter().all(|(first, last)| last > first),
                format!(
                    "from r = {} to {} it goes from {:.4} to {:.4} on BMS1 and from {:.4} to {:.4} \
                        on BMS2",
                    rs[0],
                    rs[rs.len() - 1],
                    ends[0].0,
                    ends[0].1,
                    ends[1].0,
                    ends[1].1
                ),
            ));
            let failing: Vec<String> = all
                .iter()
                .flat_map(|one| {
                    one.not_below(place, 1, 2)
                        .into_iter()
                        .map(|r| format!("{} at r = {r}", one.data))
                })
                .collect();
            result.claims.push(Claim::new(
                format!("for r of at least 3 CAHD with p = 20 is below PM with p = 10 ({words})"),
                failing.iter().all(|words| words.ends_with(" r = 2")),
                if failing.is_empty() {
                    "at every r".into()
                } else {
                    format!("not on {}", failing.join(", "))
                },
            ));
        }
        Ok(result)
    }
}
