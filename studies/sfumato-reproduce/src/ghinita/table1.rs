//! Table I: the two data sets.

use sfumato_core::Result;

use super::data::{BMS, FILES};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number, Plot, Table};

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
        for (found, bms) in found.iter().zip(BMS) {
            result.claims.push(Claim::new(
                format!(
                    "{} has the printed numbers of transactions and items and the printed \
                    longest transaction",
                    bms.name
                ),
                found[..3] == bms.printed[..3],
                format!("{}, {} and {}", found[0], found[1], found[2]),
            ));
            result.claims.push(Claim::new(
                format!("its transactions have {} items on average", bms.printed[3]),
                (found[3] - bms.printed[3]).abs() < 0.05,
                format!("{:.2}", found[3]),
            ));
        }
        Ok(result)
    }
}
