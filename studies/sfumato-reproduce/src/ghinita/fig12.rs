//! Figure 12: execution time against p.

use sfumato_core::Result;

use super::compared::PM;
use super::data::{BMS, FILES, divided};
use super::timed::{ordered, seconds_of};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Table};

/// Figure 12 of the paper.
pub struct Fig12;

static INFO: FigureInfo = FigureInfo {
    name: "fig12",
    caption: "Execution time against p, m = 20",
    paper: "m = 20. CAHD takes at most 5 s on BMS1 and 15 s on BMS2 without the ordering, which \
        takes 158 s and 457 s once for all p; PM takes around 300 s and 1500 s, slightly less with \
        a higher p (a machine of 2008).",
    data: "BMS-WebView-1 and BMS-WebView-2.",
    files: FILES,
};

const PROPORTION: Gauge = Gauge::Custom {
    measure: "the first time over the second here, over the same of the printed seconds",
    control: "the two times here swapped at random",
};
const FORMING: Statement = Statement::new(
    Origin::Line(374),
    "CAHD's groups take a small share of its ordering's time: at most 5 of 158 s on BMS1 and 15 of \
        457 s on BMS2 (here: in the same proportion, but for a factor of 3)",
    PROPORTION,
    Rule::Within(1.0 / 3.0, 3.0),
);
const AGAINST_PM: Statement = Statement::new(
    Origin::Line(374),
    "PM takes around 300 s on BMS1 and 1500 s on BMS2, CAHD with its ordering 163 and 472 s (here: \
        in the same proportion, but for a factor of 1.5)",
    PROPORTION,
    Rule::Within(1.0 / 1.5, 1.5),
);
const FASTER: Statement = Statement::new(
    Origin::Line(409),
    "CAHD with its ordering takes less time than PM for every p",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const LESS: Statement = Statement::new(
    Origin::Line(374),
    "PM takes slightly less with a higher p",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);

impl Figure for Fig12 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let ps = settings.pick(&[4, 20][..], &[4, 12, 20], &[4, 8, 12, 16, 20]);
        let runs = settings.pick(1, 2, 3);
        let scale = format!(
            "m = 20, one draw of sensitive items, the least of {runs} runs; seconds by the clock"
        );
        let mut result = FigureResult::new(&INFO, scale);
        let mut nulls = settings.nulls();
        for bms in BMS {
            let data = divided(&bms.sample(settings)?, 20, settings.seed_of(&[1, 0]))?;
            let (in_order, ordering) = ordered(&data, runs)?;
            let title = format!("Figure 12, {}", bms.name);
            let mut table =
                Table::new(&title, "p", "seconds", &["CAHD", "ordering", "PM"]).digits(3);
            for p in ps {
                // The records are in band order already, so that only groups are formed.
                let cahd = seconds_of(
                    "cahd(alpha=3, similarity=common, order=input)",
                    &in_order,
                    *p,
                    runs,
                    settings,
                )?;
                let pm = seconds_of(PM.algorithm, &data, *p, runs, settings)?;
                table.push(p, [cahd, ordering, pm].map(Number::exact).to_vec());
            }
            let most = |column: usize| table.means(column).into_iter().fold(0.0, f64::max);
            let [cahd, order, pm] = bms.seconds;
            for (statement, here, printed) in [
                (FORMING, (most(0), most(1)), cahd / order),
                (AGAINST_PM, (most(2), most(0) + most(1)), pm / (cahd + order)),
            ] {
                let swapped = nulls.shuffled(&[here.0, here.1]);
                let found =
                    Measured::new(here.0 / here.1 / printed, swapped[0] / swapped[1] / printed);
                let words = format!("at most {:.3} s and {:.3} s", here.0, here.1);
                result.claims.push(statement.claim(bms.name, found.told(words)));
            }
            let (cahd, pm) = (table.means(0), table.means(2));
            let both: Vec<(f64, f64)> =
                cahd.iter().zip(&pm).map(|(cahd, pm)| (cahd + ordering, *pm)).collect();
            result.claims.extend([
                FASTER.claim(bms.name, nulls.pairs(FASTER.gauge(), &both)),
                LESS.claim(bms.name, nulls.falling(&[pm])),
            ]);
            result.tables.push(table);
        }
        result.notes.push(
            "Orders of magnitude between the paper's seconds and these are not only the machine: A \
                x A^T is never built here, and PM keeps the counts of the larger part of a split \
                instead of \
counting it again."
                .into(),
        );
        Ok(result)
    }
}
