//! Table I: the two data sets.

use sfumato_core::Result;

use super::data::{BMS, FILES};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Table I.
pub struct Table1;

static INFO: FigureInfo = FigureInfo {
    name: "table1",
    caption: "Characteristics of the data sets",
    paper: "BMS1 has 59,602 transactions of 497 items, the longest of 267 and 2.5 on average; BMS2 \
        has 77,512 of 3,340, 161 and 5.0.",
    data: "BMS-WebView-1 and BMS-WebView-2 (KDD Cup 2000), as they are passed on today.",
    files: FILES,
};

const OTHER: &str = "against the printed line of the other data set";
const COUNTS: Statement = Statement::new(
    Origin::Line(335),
    "transactions, items and the longest transaction are those printed in table I",
    Gauge::Custom { measure: "numbers of the three that are as printed", control: OTHER },
    Rule::AtLeast(3.0),
);
const LENGTH: Statement = Statement::new(
    Origin::Line(335),
    "transactions have 2.5 items (BMS1) and 5.0 items (BMS2) on average",
    Gauge::Custom { measure: "distance from the printed mean", control: OTHER },
    Rule::AtMost(0.05),
);

impl Figure for Table1 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let mut result = FigureResult::new(&INFO, "all records");
        let columns = ["BMS1", "printed", "BMS2", "printed"];
        let mut table = Table::new("Table I", "", "", &columns).digits(2).plotted(Plot::None);
        let mut found = Vec::new();
        for bms in BMS {
            let sets = bms.read(settings)?;
            let items = sets.counts().iter().filter(|count| **count > 0).count();
            let longest = (0..sets.len()).map(|record| sets.size(record)).max().unwrap_or(0);
            let mean = sets.n_instances() as f64 / sets.len().max(1) as f64;
            found.push([sets.len() as f64, items as f64, longest as f64, mean]);
        }
        for (place, label) in
            ["transactions", "items", "max. length", "avg. length"].into_iter().enumerate()
        {
            let cells =
                found.iter().zip(BMS).flat_map(|(found, bms)| [found[place], bms.printed[place]]);
            table.push(label, cells.map(Number::exact).collect());
        }
        result.tables.push(table);
        for (place, (found, bms)) in found.iter().zip(BMS).enumerate() {
            let other = BMS[1 - place].printed;
            let equal = |printed: &[f64; 4]| {
                found[..3].iter().zip(printed).filter(|(a, b)| a == b).count() as f64
            };
            let off = |printed: &[f64; 4]| (found[3] - printed[3]).abs();
            result.claims.extend([
                COUNTS.claim(bms.name, Measured::new(equal(&bms.printed), equal(&other))),
                LENGTH.claim(bms.name, Measured::new(off(&bms.printed), off(&other))),
            ]);
        }
        Ok(result)
    }
}
