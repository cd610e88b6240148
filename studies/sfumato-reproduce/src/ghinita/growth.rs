//! How the time of the band order grows with the number of transactions, which isn't in the paper.

use sfumato_core::Result;
use sfumato_sets::algorithms::buckets::band;

use crate::bench::baskets::quest;
use crate::bench::clock::least_seconds;
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// The growth.
pub struct Growth;

static INFO: FigureInfo = FigureInfo {
    name: "growth",
    caption: "Time of the band order against the number of transactions",
    paper: "Not a figure of the paper, whose ordering takes 158 s and 457 s for 59,602 and 77,512 \
        transactions, and is called linear in the entries of A x A^T.",
    data: "Generated: `quest` with 3,340 items and 5 items in a transaction on average, like BMS2, \
        correlation 0.5.",
    files: &[],
};

const FAST: Statement = Statement::new(
    Origin::Ours,
    "a million transactions are ordered within a second",
    Gauge::Custom {
        measure: "seconds for a million transactions at the largest size",
        control: "the seconds of one record at the paper's pace (457 s for 77,512), for a million",
    },
    Rule::AtMost(1.0),
);
const STEADY: Statement = Statement::new(
    Origin::Ours,
    "time grows in proportion to the data, but for memory that is further away",
    Gauge::Custom {
        measure: "seconds for each transaction at the largest size over the smallest",
        control: "the same if time grew with the square of the transactions",
    },
    Rule::AtMost(2.0),
);

impl Figure for Growth {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let rows = settings.scale_up(
            &[2_000, 4_000],
            &[50_000, 100_000],
            &[250_000, 500_000, 1_000_000, 2_000_000],
        );
        let runs = settings.pick(1, 2, 2);
        let words: Vec<String> = rows.iter().map(u64::to_string).collect();
        let mut result = FigureResult::new(
            &INFO,
            format!(
                "{} transactions, the least of {runs} runs; seconds by the clock",
                words.join(", ")
            ),
        );
        let mut times = Table::new("Ordering", "transactions", "seconds", &["seconds"]).digits(2);
        let mut each = Table::new(
            "Ordering, for each item of a transaction",
            "transactions",
            "ns",
            &["nanoseconds"],
        )
        .digits(1);
        let mut widths = Table::new(
            "Records that share an item: how far apart at most",
            "transactions",
            "rows",
            &["before", "after"],
        )
        .digits(0)
        .plotted(Plot::None);
        for n in &rows {
            let sets = quest("items=3340, size=5, correlation=0.5", *n, settings.seed_of(&[14]))?;
            let mut order = Vec::new();
            let seconds = least_seconds(runs, || {
                order = band::order(&sets);
                Ok(())
            })?;
            times.push(n, vec![Number::exact(seconds)]);
            each.push(n, vec![Number::exact(1e9 * seconds / sets.n_instances().max(1) as f64)]);
            let given: Vec<u32> = (0..sets.len() as u32).collect();
            let most = [&given, &order].map(|order| band::record_bandwidth(&sets, order) as f64);
            widths.push(n, most.map(Number::exact).to_vec());
        }
        let seconds = times.means(0);
        let per_million = |place: usize| 1e6 * seconds[place] / rows[place].max(1) as f64;
        let last = rows.len() - 1;
        let grown = rows[last] as f64 / rows[0].max(1) as f64;
        result.claims.extend([
            FAST.claim("", Measured::new(per_million(last), 1e6 * 457.0 / 77_512.0)),
            STEADY.claim("", Measured::new(per_million(last) / per_million(0), grown)),
        ]);
        result.tables.extend([times, each, widths]);
        Ok(result)
    }
}
