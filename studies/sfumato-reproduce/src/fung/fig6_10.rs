//! Figure 6.10: classification error on Blood over K and L.

use sfumato_core::Result;

use super::blood::blood;
use super::grid::{Ran, SCORES, errors_of, over_k};
use crate::claims::gauge::{least, mean};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// The figure.
pub struct Fig6_10;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.10",
    caption: "classification error on a stand-in for Blood over K, for several L at C = 20 %",
    paper: "BE = 22.1 %, UE = 44.1 %. CE generally increases with K and L, not monotonically. For \
        L = 2 and 4 CE - BE is from -2.9 to 5.2 points and UE - CE from 16.8 to 24.9; for L = 6 CE \
        is about 40 %.",
    data: "Generated: the shape of Blood (62 columns, 41 of them quasi, 8 groups, 15 diagnoses), \
        with columns that tell about the group such that BE and UE are near the book's.",
    files: &[],
};

const RISES_K: Statement = Statement::new(
    Origin::Line(2407),
    "CE generally increases as K does (here: mean of all L)",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const RISES_L: Statement = Statement::new(
    Origin::Line(2407),
    "CE increases as L does (here: mean of all K)",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const SMALL_COST: Statement = Statement::new(
    Origin::Line(2413),
    "for L = 2 and 4 the cost CE - BE is small: at most 5.2 points",
    Gauge::Custom {
        measure: "CE - BE in points, the most over K and L",
        control: "all quasi columns removed: UE in place of CE",
    },
    Rule::AtMost(5.2),
);
const LARGE_BENEFIT: Statement = Statement::new(
    Origin::Line(2413),
    "and the benefit UE - CE is large: from 16.8 points on",
    Gauge::Custom {
        measure: "UE - CE in points, the least over K and L",
        control: "all quasi columns removed: UE in place of CE",
    },
    Rule::AtLeast(16.8),
);

impl Figure for Fig6_10 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let n = settings.pick(600, 3_000, 10_000);
        let ls: &[u64] = settings.pick(&[2], &[2, 4], &[2, 4]);
        let data = blood(settings, n)?;
        let mut result =
            FigureResult::new(&INFO, format!("{n} generated records, 41 quasi columns"));
        let mut nulls = settings.nulls();
        for score in SCORES {
            let Ran { table, .. } =
                errors_of(&data, settings, "K", &over_k(settings), (610, ls), score)?;
            let bound = |place: usize| table.means(place).first().copied().unwrap_or(f64::NAN);
            let (be, ue) = (bound(ls.len()), bound(ls.len() + 1));
            let lists: Vec<Vec<f64>> = (0..ls.len()).map(|place| table.means(place)).collect();
            let all = lists.concat();
            let most = -least(&all.iter().map(|x| -x).collect::<Vec<f64>>());
            let by_k: Vec<f64> = (0..table.rows.len())
                .map(|row| {
                    mean(&lists.iter().filter_map(|l| l.get(row).copied()).collect::<Vec<_>>())
                })
                .collect();
            let by_l: Vec<f64> = lists.iter().map(|list| mean(list)).collect();
            let words = format!("BE {be:.1} %, UE {ue:.1} %, CE up to {most:.1} %");
            let (cost, benefit) = (|ce: f64| ce - be, |ce: f64| ue - ce);
            result.claims.extend([
                RISES_K.claim(score.0, nulls.trend(&[by_k])),
                SMALL_COST.claim(score.0, Measured::new(cost(most), cost(ue)).told(words)),
                LARGE_BENEFIT.claim(score.0, Measured::new(benefit(most), benefit(ue))),
            ]);
            if ls.len() > 1 {
                result.claims.push(RISES_L.claim(score.0, nulls.trend(&[by_l])));
            }
            result.tables.push(table);
        }
        Ok(result)
    }
}
