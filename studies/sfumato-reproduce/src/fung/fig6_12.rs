//! Figure 6.12: classification error on Adult over K and L.

use sfumato_core::Result;

use super::adult::FILE;
use super::grid::{Line, Ran, errors, from_to, over_k, scale, told};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// The figure.
pub struct Fig6_12;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.12",
    caption: "classification error on Adult over K, for L = 2, 4, 6 at C = 20 %",
    paper: "BE = 14.7 %, UE = 24.5 %. For L = 2 the cost CE - BE is below 1 point and the benefit \
        UE - CE from 8.9 to 9.5; for L = 4 and 6 the cost \
is from 1.1 to 4.1 and the benefit from 5.8 to 8.8.",
    data: "UCI Adult, the complete records of both parts, as in the book. The taxonomies are ours, \
        with the book's numbers of levels.",
    files: &[FILE],
};

impl Figure for Fig6_12 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let Ran { table, why_empty } = errors(settings, "K", &over_k(settings), 612)?;
        let ls = scale(settings).ls;
        let mut result = FigureResult::new(&INFO, told(settings));
        let mean = |column: usize| table.means(column).first().copied().unwrap_or(f64::NAN);
        let (be, ue) = (mean(ls.len()), mean(ls.len() + 1));
        for (name, ours, theirs) in [("BE", be, 14.7), ("UE", ue, 24.5)] {
            let text = format!("{name} is {theirs} % (here: within 1 point)");
            result.claims.push(Claim::new(
                text,
                (ours - theirs).abs() <= 1.0,
                format!("{ours:.2} %"),
            ));
        }
        let column = |place: usize| table.means(place);
        let cost: Vec<f64> = column(0).iter().map(|ce| ce - be).collect();
        let benefit: Vec<f64> = column(0).iter().map(|ce| ue - ce).collect();
        let small = !cost.is_empty() && cost.iter().all(|cost| *cost < 1.0);
        result.claims.push(Claim::new(
            "at L = 2 the cost CE - BE is below 1 point",
            small,
            from_to(&cost, 2),
        ));
        let large = !benefit.is_empty() && benefit.iter().all(|benefit| *benefit >= 8.9);
        result.claims.push(Claim::new(
            "at L = 2 the benefit UE - CE is 8.9 points or more",
            large,
            from_to(&benefit, 2),
        ));
        if ls.len() > 1 {
            let higher: Vec<f64> = (1..ls.len()).flat_map(column).collect();
            let cost: Vec<f64> = higher.iter().map(|ce| ce - be).collect();
            let benefit: Vec<f64> = higher.iter().map(|ce| ue - ce).collect();
            let small = !cost.is_empty() && cost.iter().all(|cost| *cost <= 4.1);
            result.claims.push(Claim::new(
                "at L = 4 and 6 the cost is at most 4.1 points",
                small,
                from_to(&cost, 2),
            ));
            let large = !benefit.is_empty() && benefit.iter().all(|benefit| *benefit >= 5.8);
            let text = "at L = 4 and 6 the benefit is 5.8 points or more";
            result.claims.push(Claim::new(text, large, from_to(&benefit, 2)));
        }
        result.tables.push(table);
        result.notes.extend(why_empty);
        // Which of the two bounds costs it? The same without the one on confidence.
        let lines: Vec<Line> =
            over_k(settings).iter().map(|(label, k, _)| (*label, *k, 100)).collect();
        let mut free = errors(settings, "K", &lines, 612)?.table;
        free.title = "Adult, confidence not bounded (C = 100 %)".into();
        let cost: Vec<f64> = free.means(0).iter().map(|ce| ce - be).collect();
        result.notes.push(format!(
            "without a bound on confidence the cost at L = 2 is {}",
            from_to(&cost, 2)
        ));
        result.tables.push(free);
        Ok(result)
    }
}
