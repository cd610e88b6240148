//! Figure 12: execution time against p.

use sfumato_core::Result;

use super::compared::PM;
use super::data::{BMS, FILES, divided};
use super::timed::{ordered, seconds_of};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number, Table};

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
            result.claims.push(Claim::new(
                format!(
                    "on {} CAHD takes at most {cahd} s, its ordering {order} s and PM around \
                    {pm} s (here: no more)",
                    bms.name
                ),
                most(0) <= cahd && most(1) <= order && most(2) <= pm,
                format!("at most {:.3} s, {:.3} s and {:.3} s", most(0), most(1), most(2)),
            ));
            let (cahd, pm) = (table.means(0), table.means(2));
            let faster = cahd.iter().zip(&pm).all(|(cahd, pm)| cahd + ordering < *pm);
            result.claims.push(Claim::new(
                format!("on {} CAHD with its ordering is faster than PM for every p", bms.name),
                faster,
                format!(
                    "PM takes {:.1} times as long at p = {}",
                    pm[0] / (cahd[0] + ordering),
                    ps[0]
                ),
            ));
            let last = pm[pm.len() - 1];
            result.claims.push(Claim::new(
                format!("on {} PM takes slightly less with a higher p", bms.name),
                last < pm[0],
                format!(
                    "{:.3} s at p = {} and {last:.3} s at p = {}",
                    pm[0],
                    ps[0],
                    ps[ps.len() - 1]
                ),
            ));
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
