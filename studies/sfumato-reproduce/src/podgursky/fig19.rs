//! Figure 19: the frequencies of items.

use sfumato_core::Result;

use super::adult_records;
use super::data::{ADULT, adult, frequencies, longtail, sizes};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number, Table};

/// Figure 19 of the paper.
pub struct Fig19;

static INFO: FigureInfo = FigureInfo {
    name: "fig19",
    caption: "How often items occur, by rank",
    paper: "Items of the targeting data have frequencies along a logarithmic curve; Adult has a \
        longer tail of rare items. The synthetic data has 1000 items with frequencies from 0.5 to \
        0.001, and \
records of 40 items on average with a standard deviation of 24.",
    data: "Adult as items, and generated: `longtail` with both presets.",
    files: &[ADULT],
};

impl Figure for Fig19 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let records = settings.pick(2_000, 20_000, 100_000);
        let sets = [
            adult(settings, adult_records(settings))?,
            longtail("synthetic", "0", records, settings)?,
            longtail("targeting", "0", records, settings)?,
        ];
        let mut result = FigureResult::new(&INFO, format!("{records} generated records each"));
        let all: Vec<Vec<f64>> = sets.iter().map(|set| frequencies(set)).collect();
        let mut table = Table::new(
            "Figure 19: frequency by rank",
            "rank, % of all items",
            "share of records, %",
            &["Adult", "synthetic", "targeting stand-in"],
        )
        .digits(3);
        for percent in [0, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100] {
            let at = |shares: &Vec<f64>| {
                Number::exact(
                    100.0 * shares[((shares.len() - 1) * percent / 100).min(shares.len() - 1)],
                )
            };
            table.push(percent, all.iter().map(at).collect());
        }
        result.tables.push(table);
        let (mean, deviation) = sizes(&sets[1].quasi);
        result.claims.push(Claim::new(
            "synthetic records have 40 items on average, standard deviation 24 (within 5 %)",
            (mean / 40.0 - 1.0).abs() < 0.05 && (deviation / 24.0 - 1.0).abs() < 0.05,
            format!("{mean:.2} and {deviation:.2}"),
        ));
        let (highest, lowest) = (all[1][0], all[1][all[1].len() - 1]);
        result.claims.push(Claim::new(
            "the synthetic data's frequencies range from 0.5 to 0.001",
            (highest - 0.5).abs() < 0.05 && lowest < 0.003,
            format!("from {highest:.3} to {lowest:.5}"),
        ));
        let rare = |shares: &Vec<f64>| {
            shares.iter().filter(|share| **share < 0.01).count() as f64 / shares.len() as f64
        };
        result.claims.push(Claim::new(
            "Adult has a larger share of rare items (below 1 % of the records) than the targeting \
                data",
            rare(&all[0]) > rare(&all[2]),
            format!(
                "Adult {:.0} %, synthetic {:.0} %, targeting stand-in {:.0} %",
                100.0 * rare(&all[0]),
                100.0 * rare(&all[1]),
                100.0 * rare(&all[2])
            ),
        ));
        Ok(result)
    }
}
