//! Figure 19: the frequencies of items.

use sfumato_core::Result;

use super::adult_records;
use super::data::{ADULT, adult, frequencies, longtail, sizes};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Table};

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

const OTHER: &str = "the targeting stand-in in its place";
const MEAN: Statement = Statement::new(
    Origin::Line(1155),
    "synthetic records have 40 items on average (here: within 5 %)",
    Gauge::Custom { measure: "mean number of items", control: OTHER },
    Rule::Within(38.0, 42.0),
);
const DEVIATION: Statement = Statement::new(
    Origin::Line(1155),
    "with a standard deviation of 24 (here: within 5 %)",
    Gauge::Custom { measure: "standard deviation of the number of items", control: OTHER },
    Rule::Within(22.8, 25.2),
);
const HIGHEST: Statement = Statement::new(
    Origin::Line(1155),
    "the synthetic data's most frequent item has frequency 0.5 (here: within 0.05)",
    Gauge::Custom { measure: "the highest frequency", control: "Adult in its place" },
    Rule::Within(0.45, 0.55),
);
const LOWEST: Statement = Statement::new(
    Origin::Line(1155),
    "and its rarest 0.001 (here: from a third to three times that)",
    Gauge::Custom { measure: "the lowest frequency", control: "Adult in its place" },
    Rule::Within(0.000_33, 0.003),
);
const TAIL: Statement = Statement::new(
    Origin::Line(1153),
    "Adult has a larger share of rare items (below 1 % of the records) than the targeting data",
    Gauge::MeanGap,
    Rule::Above(0.0),
);
const TEN: Statement = Statement::new(
    Origin::Line(1153),
    "no record of Adult has more than 10 items",
    Gauge::Custom { measure: "items of the largest record", control: "synthetic records instead" },
    Rule::AtMost(10.0),
);

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
        let mut nulls = settings.nulls();
        let (mean, deviation) = sizes(&sets[1].quasi);
        let other = sizes(&sets[2].quasi);
        let ends = |set: usize| (all[set][0], all[set][all[set].len() - 1]);
        let largest = |set: usize| {
            let sets = &sets[set].quasi;
            (0..sets.len()).map(|record| sets.size(record)).max().unwrap_or(0) as f64
        };
        let rare = |shares: &[f64]| {
            let n = shares.iter().filter(|share| **share < 0.01).count();
            100.0 * n as f64 / shares.len() as f64
        };
        let rare: Vec<f64> = all.iter().map(|shares| rare(shares)).collect();
        let words = format!(
            "Adult {:.0} %, synthetic {:.0} %, targeting stand-in {:.0} %",
            rare[0], rare[1], rare[2]
        );
        result.claims = vec![
            MEAN.claim("", Measured::new(mean, other.0)),
            DEVIATION.claim("", Measured::new(deviation, other.1)),
            HIGHEST.claim("", Measured::new(ends(1).0, ends(0).0)),
            LOWEST.claim("", Measured::new(ends(1).1, ends(0).1)),
            TAIL.claim("", nulls.pairs(TAIL.gauge(), &[(rare[0], rare[2])]).told(words)),
            TEN.claim("", Measured::new(largest(0), largest(1))),
        ];
        Ok(result)
    }
}
