//! Figure 20: run time for varied k, Median.

use sfumato_core::Result;

use super::arms::{MEDIAN, k_anonymity};
use super::scaled::Scaled;
use super::timed::{Arm, Grid, Input, PAPER_ROWS, not_slower, push_notes, scale, sizes};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// Figure 20 of the paper.
pub struct Fig20;

static INFO: FigureInfo = FigureInfo {
    name: "fig20",
    caption: "Run time for varied k, Median",
    paper: "A smaller k costs more. Because all algorithms go on in memory after some splits, what \
        it costs more is processor time, and no input and output.",
    data: "Generated: `agrawal` as a CSV file.",
    files: &[],
};

impl Figure for Fig20 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sizes = sizes(settings);
        let largest = sizes.last().copied().unwrap_or(1);
        // One step below the largest: every k is a run of its own.
        let rows = if sizes.len() > 2 { sizes[sizes.len() - 2] } else { largest };
        let scaled = Scaled::of(largest, PAPER_ROWS);
        let memory = scaled.partition_rows;
        // From the least k to one that a partition in memory is split by a few times only.
        let ks: Vec<u64> = [1, 10, 100, 400]
            .iter()
            .map(|times| times * scaled.k)
            .filter(|k| *k <= memory / 2)
            .collect();
        let arms = [
            Arm::tree(MEDIAN, 1, memory),
            Arm::tree(MEDIAN, 8, memory),
            Arm::sample(MEDIAN, memory),
        ];
        let mut grid = Grid::new("k", &arms);
        let input = Input::new("none", rows, &scaled, settings)?;
        for k in &ks {
            let run = |arm| input.run(arm, &k_anonymity(*k), None, settings);
            grid.lines.push((k.to_string(), arms.iter().map(run).collect::<Result<_>>()?));
        }
        let words = ks.iter().map(u64::to_string).collect::<Vec<String>>().join(", ");
        let mut result = FigureResult::new(&INFO, scale(&[rows], &scaled, &words));
        grid.tables(&mut result);
        let last = ks.len() - 1;
        let seconds = |line: usize, arm: usize| grid.lines[line].1[arm].processor_seconds();
        let ratio = |arm: usize| seconds(0, arm) / seconds(last, arm).max(0.01);
        let ratios: Vec<String> =
            (0..arms.len()).map(|arm| format!("{} {:.2}", arms[arm].name, ratio(arm))).collect();
        result.claims.push(Claim::new(
            "a smaller k costs more processor time",
            (0..arms.len()).all(|arm| ratio(arm) > 1.0),
            format!(
                "k = {} takes so many times as long as k = {}: {}",
                ks[0],
                ks[last],
                ratios.join(", ")
            ),
        ));
        let moved = |arm: usize| -> Vec<f64> {
            grid.lines.iter().map(|(_, line)| line[arm].reads + line[arm].writes).collect()
        };
        let spread = |numbers: Vec<f64>| {
            let most = numbers.iter().copied().fold(0.0, f64::max);
            most / numbers.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let spreads: Vec<f64> = (0..arms.len()).map(|arm| spread(moved(arm))).collect();
        result.claims.push(Claim::new(
            "what it costs more is no input and output (at most a tenth)",
            spreads.iter().all(|spread| *spread <= 1.1),
            format!(
                "most reads and writes by least over all k: {}",
                spreads.iter().map(|spread| format!("{spread:.2}")).collect::<Vec<_>>().join(", ")
            ),
        ));
        not_slower(&grid, &mut result);
        push_notes(&sizes, &mut result);
        Ok(result)
    }
}
