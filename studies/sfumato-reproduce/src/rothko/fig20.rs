//! Figure 20: run time for varied k, Median.

use sfumato_core::Result;

use super::arms::{MEDIAN, k_anonymity};
use super::scaled::Scaled;
use super::timed::{Arm, Grid, Input, PAPER_ROWS, divided_faster, push_notes, scale, sizes};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

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

const COSTS: Statement = Statement::new(
    Origin::Line(889),
    "a smaller k costs more processor time (the least k against the largest)",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);
const NO_IO: Statement = Statement::new(
    Origin::Line(897),
    "what it costs more is processor time, and no input and output (here: at most a tenth more)",
    Gauge::Custom {
        measure: "most reads and writes by least over all k, the most of the three",
        control: "the same over the three algorithms at one k",
    },
    Rule::AtMost(1.1),
);

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
        let pairs: Vec<(f64, f64)> =
            (0..arms.len()).map(|arm| (seconds(last, arm), seconds(0, arm))).collect();
        let words: Vec<String> = pairs
            .iter()
            .zip(&arms)
            .map(|((large, small), arm)| format!("{} {:.2}", arm.name, small / large.max(0.01)))
            .collect();
        let words = format!(
            "k = {} takes so many times as long as k = {}: {}",
            ks[0],
            ks[last],
            words.join(", ")
        );
        let mut nulls = settings.nulls();
        let moved = |line: usize, arm: usize| {
            grid.lines[line].1[arm].reads + grid.lines[line].1[arm].writes
        };
        let spread = |numbers: Vec<f64>| {
            let most = numbers.iter().copied().fold(0.0, f64::max);
            most / numbers.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let over_ks = (0..arms.len())
            .map(|arm| spread((0..=last).map(|line| moved(line, arm)).collect()))
            .fold(0.0, f64::max);
        let over_arms = spread((0..arms.len()).map(|arm| moved(0, arm)).collect());
        result.claims = vec![
            COSTS.claim("", nulls.pairs(COSTS.gauge(), &pairs).told(words)),
            NO_IO.claim("", Measured::new(over_ks, over_arms)),
            divided_faster(&grid, &mut nulls),
        ];
        push_notes(&sizes, &mut result);
        Ok(result)
    }
}
