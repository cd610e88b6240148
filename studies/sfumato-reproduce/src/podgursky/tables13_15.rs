//! Tables 13 to 15: the targeting data, and how the time grows with their size.

use sfumato_core::Result;

use super::compared::{Arm, Kept, MOND_EVEN, MOND_UTILITY, TWO_PHASE, measure};
use super::data::{longtail, targeting};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Tables 13 to 15.
pub struct Tables13To15;

static INFO: FigureInfo = FigureInfo {
    name: "tables13_15",
    caption: "The targeting data: utility and items kept, and run time",
    paper: "20,616,891 records of 1,987 items. Kept of the utility (table 13): MOND_EVEN 43.4, \
        24.2, 22.7, 21.4 % for k = 2, 10, 20, 40; TWO_PHASE 45.4, 27.3, 25.5 and 32.0 %, the last \
        of which breaks its row. \
Kept of the items (table 14): MOND_EVEN 43.2, 24.3, 22.8, 21.6 %; TWO_PHASE 42.0, 22.1, 20.1, 15.6 \
%. Time (table 15, hours on twelve cores): MOND_EVEN 0.90, 0.84, 1.04, 0.79; TWO_PHASE 5.69, 5.04, \
4.96, 5.23.",
    data: "Generated: a stand-in calibrated to tables 13 and 14: items of a long tail \
        (`longtail(preset=targeting)`) with six segments whose records have nine items in common, \
        and a quarter of the records twice. The scale-up has independent items and the stand-in.",
    files: &[],
};

const KS: [u64; 4] = [2, 10, 20, 40];
/// Printed shares of utility, items and hours, for each k: MOND_EVEN, TWO_PHASE.
const PRINTED: [[[f64; 4]; 2]; 3] = [
    [[43.4, 24.2, 22.7, 21.4], [45.4, 27.3, 25.5, 32.0]],
    [[43.2, 24.3, 22.8, 21.6], [42.0, 22.1, 20.1, 15.6]],
    [[0.90, 0.84, 1.04, 0.792], [5.69, 5.04, 4.96, 5.23]],
];

const MET: Gauge = Gauge::Custom {
    measure: "numbers of the row's four that are met but for a tenth",
    control: "the row's printed numbers in random order",
};
const TABLE_13: Statement = Statement::new(
    Origin::Line(1186),
    "the shares of utility are those of table 13 (the stand-in is calibrated to MOND_EVEN's)",
    MET,
    Rule::AtLeast(3.0),
);
const TABLE_14: Statement = Statement::new(
    Origin::Line(1193),
    "the shares of items are those of table 14 (the stand-in is calibrated to MOND_EVEN's)",
    MET,
    Rule::AtLeast(3.0),
);
const GUIDED: Statement = Statement::new(
    Origin::Line(1203),
    "TWO_PHASE keeps more utility than MOND_EVEN at every k: without a guide it keeps items of low \
        utility",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const ITEMS: Statement = Statement::new(
    Origin::Line(1203),
    "MOND_EVEN keeps more items than TWO_PHASE at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);
const TIME: Statement = Statement::new(
    Origin::Line(1203),
    "MOND_EVEN is very efficient: TWO_PHASE takes five to six times as long (here: 4 to 8 times)",
    Gauge::MeanRatio,
    Rule::Within(4.0, 8.0),
);
const UTILITY: Statement = Statement::new(
    Origin::Ours,
    "Mondrian by utility keeps more than TWO_PHASE at every k",
    Gauge::LeastGap,
    Rule::Above(0.0),
);

impl Figure for Tables13To15 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sizes =
            settings.scale_up(&[500, 1_000], &[10_000, 20_000], &[50_000, 100_000, 200_000]);
        let largest = sizes.last().copied().unwrap_or(1_000);
        let words: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let mut result = FigureResult::new(
            &INFO,
            format!("{} records; tables 13 to 15 at {largest}", words.join(", ")),
        );
        let arms = [MOND_EVEN, TWO_PHASE, MOND_UTILITY];
        let data = targeting(largest, settings)?;
        let mut lines: Vec<Vec<Kept>> = Vec::new();
        for k in KS {
            lines.push(
                arms.iter().map(|arm| measure(&data, arm, k, settings)).collect::<Result<_>>()?,
            );
        }
        drop(data);
        tables(&lines, &mut result);
        let mut nulls = settings.nulls();
        let pairs = |first: usize, second: usize, of: fn(&Kept) -> f64| -> Vec<(f64, f64)> {
            lines.iter().map(|line| (of(&line[first]), of(&line[second]))).collect()
        };
        let utility = |kept: &Kept| 100.0 * kept.utility;
        let items = |kept: &Kept| 100.0 * kept.instances;
        for (statement, which, of) in
            [(TABLE_13, 0, utility as fn(&Kept) -> f64), (TABLE_14, 1, items)]
        {
            for (arm, name) in ["MOND_EVEN", "TWO_PHASE"].into_iter().enumerate() {
                let here: Vec<f64> = lines.iter().map(|line| of(&line[arm])).collect();
                let printed = PRINTED[which][arm];
                let met = |printed: &[f64]| {
                    let near =
                        |(here, printed): &(&f64, &f64)| (*here - *printed).abs() <= 0.1 * *printed;
                    here.iter().zip(printed).filter(near).count() as f64
                };
                let found = Measured::new(met(&printed), met(&nulls.shuffled(&printed)));
                result.claims.push(statement.claim(name, found));
            }
        }
        let times = pairs(0, 1, |kept| kept.took.clock);
        result.claims.extend([
            GUIDED.claim("", nulls.pairs(GUIDED.gauge(), &pairs(1, 0, utility))),
            ITEMS.claim("", nulls.pairs(ITEMS.gauge(), &pairs(0, 1, items))),
            TIME.claim("", nulls.pairs(TIME.gauge(), &times)),
            UTILITY.claim("", nulls.pairs(UTILITY.gauge(), &pairs(2, 1, utility))),
        ]);
        scale_up(&sizes, &arms, settings, &mut result)?;
        Ok(result)
    }
}

fn tables(lines: &[Vec<Kept>], result: &mut FigureResult) {
    let columns = ["MOND_EVEN", "printed", "TWO_PHASE", "printed", "ours: utility"];
    let titles = [
        ("Table 13: utility", "utility kept, %"),
        ("Table 14: items", "items kept, %"),
        ("Table 15: time", "ours: seconds by the clock; printed: hours"),
    ];
    for (which, (title, measure)) in titles.into_iter().enumerate() {
        let mut table = Table::new(title, "k", measure, &columns).digits(2).plotted(Plot::None);
        for (place, k) in KS.iter().enumerate() {
            let ours = |arm: usize| {
                let kept = &lines[place][arm];
                Number::exact(
                    [100.0 * kept.utility, 100.0 * kept.instances, kept.took.clock][which],
                )
            };
            let printed = |arm: usize| Number::exact(PRINTED[which][arm][place]);
            table.push(k, vec![ours(0), printed(0), ours(1), printed(1), ours(2)]);
        }
        result.tables.push(table);
    }
}

/// Time against the number of records, on independent items and on the stand-in, k = 10.
fn scale_up(
    sizes: &[u64],
    arms: &[Arm],
    settings: &Settings<'_>,
    result: &mut FigureResult,
) -> Result<()> {
    let names: Vec<String> = ["independent", "stand-in"]
        .iter()
        .flat_map(|kind| arms.iter().map(move |arm| format!("{}, {kind}", arm.name)))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut times =
        Table::new("Scale-up: time, k = 10", "records", "seconds by the clock", &names).digits(2);
    let mut kept = Table::new("Scale-up: utility, k = 10", "records", "utility kept, %", &names)
        .digits(2)
        .plotted(Plot::None);
    for records in sizes {
        let mut line: Vec<Kept> = Vec::new();
        for data in
            [longtail("targeting", "0", *records, settings)?, targeting(*records, settings)?]
        {
            for arm in arms {
                line.push(measure(&data, arm, 10, settings)?);
            }
        }
        times.push(records, line.iter().map(|kept| Number::exact(kept.took.clock)).collect());
        kept.push(records, line.iter().map(|kept| Number::exact(100.0 * kept.utility)).collect());
    }
    result.tables.extend([times, kept]);
    Ok(())
}
