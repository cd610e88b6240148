//! Figure 6.16: run time against the number of records.

use std::time::Instant;

use sfumato_core::Result;

use super::adult::{FILE, blown_up};
use super::measure::{FOR_ALL, Measure};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Table};

/// The figure.
pub struct Fig6_16;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.16",
    caption: "run time of HDTDS against the number of records, L = 4, K = 20, C = 100 %",
    paper: "Adult blown up by variations to 200,000 up to 1 million records. Run time grows \
        linearly; a million records take 33 s without reading and writing (a machine of 2009).",
    data: "UCI Adult with variations: each quasi cell of a copy is that of another record with a \
        probability of 1 in 4.",
    files: &[FILE],
};

const LINEAR: Statement = Statement::new(
    Origin::Line(2445),
    "run time grows linearly with the records",
    Gauge::Custom {
        measure: "power of the records with which time grows, from the least to the most",
        control: "times fall to the sizes at random",
    },
    Rule::Within(0.8, 1.2),
);
impl Figure for Fig6_16 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sizes = settings.scale_up(
            &[500, 1_000],
            &[20_000, 40_000, 60_000, 80_000],
            &[200_000, 400_000, 600_000, 800_000, 1_000_000],
        );
        let words: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let mut result = FigureResult::new(&INFO, format!("{} records, one run", words.join(", ")));
        let mut table = Table::new("Run time", "records", "seconds by the clock", &["HDTDS"]);
        let mut seconds = Vec::new();
        for n in &sizes {
            let data = blown_up(settings, *n as usize)?;
            let measure = Measure::new(&data.study, &data.truth, 1, settings.seed_of(&[616]))?;
            let begun = Instant::now();
            measure.anonymize(&data.lkc(4, 20, 100), FOR_ALL)?;
            seconds.push(begun.elapsed().as_secs_f64());
            table.push(n, vec![Number::exact(seconds[seconds.len() - 1])]);
        }
        let power = |seconds: &[f64]| {
            let last = sizes.len() - 1;
            (seconds[last] / seconds[0]).ln() / (sizes[last] as f64 / sizes[0] as f64).ln()
        };
        let dealt = settings.nulls().shuffled(&seconds);
        let last = sizes.len() - 1;
        let words = format!("{:.1} s for {} records", seconds[last], sizes[last]);
        let found = Measured::new(power(&seconds), power(&dealt)).told(words);
        result.claims.push(LINEAR.claim("", found));
        result.tables.push(table.digits(2));
        Ok(result)
    }
}
