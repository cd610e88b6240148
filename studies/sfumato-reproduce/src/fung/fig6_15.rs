//! Figure 6.15: discernibility ratio on Adult over C and L.

use sfumato_core::Result;

use super::adult::FILE;
use super::grid::{Ran, ends, over_c, ratios, scale, told};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// The figure.
pub struct Fig6_15;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.15",
    caption: "discernibility ratio on Adult over C, for L = 2, 4, 6 at K = 100",
    paper: "The ratio rises with L and hardly depends on C: what drives generalization are L and \
        K.",
    data: "as in figure 6.14",
    files: &[FILE],
};

impl Figure for Fig6_15 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let Ran { table, why_empty } = ratios(settings, "C, %", &over_c(settings), 615)?;
        let ls = scale(settings).ls;
        let mut result = FigureResult::new(&INFO, told(settings));
        let known: Vec<(u64, Vec<f64>)> = ls
            .iter()
            .enumerate()
            .map(|(place, l)| (*l, table.means(place)))
            .filter(|(_, values)| !values.is_empty())
            .collect();
        let words = |of: &dyn Fn(&[f64]) -> f64| -> String {
            known
                .iter()
                .map(|(l, values)| format!("L = {l}: {:.4}", of(values)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let width = |values: &[f64]| ends(values).1 - ends(values).0;
        let flat = !known.is_empty() && known.iter().all(|(_, values)| width(values) <= 0.05);
        let text = "it hardly depends on C: it spans at most 0.05 for each L (where C can be met)";
        result.claims.push(Claim::new(text, flat, words(&width)));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // Equal ratios are no rise.
        let rises = known.len() > 1 && known.is_sorted_by(|a, b| mean(&a.1) < mean(&b.1));
        result.claims.push(Claim::new("it rises with L", rises, words(&mean)));
        result.tables.push(table);
        result.notes.extend(why_empty);
        Ok(result)
    }
}
