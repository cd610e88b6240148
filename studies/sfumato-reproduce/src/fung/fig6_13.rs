//! Figure 6.13: classification error on Adult over C and L.

use sfumato_core::Result;

use super::adult::FILE;
use super::grid::{Ran, ends, errors, over_c, scale, told};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// The figure.
pub struct Fig6_13;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.13",
    caption: "classification error on Adult over C, for L = 2, 4, 6 at K = 100",
    paper: "CE hardly depends on C, from 5 % to 30 %, and rises slightly with L.",
    data: "as in figure 6.12",
    files: &[FILE],
};

impl Figure for Fig6_13 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let Ran { table, why_empty } = errors(settings, "C, %", &over_c(settings), 613)?;
        let ls = scale(settings).ls;
        let mut result = FigureResult::new(&INFO, told(settings));
        let mut widths = Vec::new();
        let mut means = Vec::new();
        for (place, l) in ls.iter().enumerate() {
            let values = table.means(place);
            let (lo, hi) = ends(&values);
            if !values.is_empty() {
                widths.push((*l, hi - lo));
                means.push((*l, values.iter().sum::<f64>() / values.len() as f64));
            }
        }
        let words = |list: &[(u64, f64)]| -> String {
            list.iter().map(|(l, x)| format!("L = {l}: {x:.2}")).collect::<Vec<_>>().join(", ")
        };
        let flat = !widths.is_empty() && widths.iter().all(|(_, width)| *width <= 1.0);
        let text =
            "CE hardly depends on C: it spans at most 1 point for each L (where C can be met)";
        result.claims.push(Claim::new(text, flat, words(&widths)));
        // Equal errors are no rise.
        let rises = means.len() > 1 && means.is_sorted_by(|a, b| a.1 < b.1);
        result.claims.push(Claim::new("CE rises with L", rises, words(&means)));
        result.tables.push(table);
        result.notes.extend(why_empty);
        Ok(result)
    }
}
