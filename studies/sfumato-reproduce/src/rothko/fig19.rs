//! Figure 19: run time of growing inputs, Median.

use sfumato_core::Result;

use super::arms::{MEDIAN, k_anonymity};
use super::scaled::Scaled;
use super::timed::{
    Arm, Faster, Grid, Input, PAPER_ROWS, divided_faster, push_notes, scale, sizes,
};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// Figure 19 of the paper.
pub struct Fig19;

static INFO: FigureInfo = FigureInfo {
    name: "fig19",
    caption: "Run time of growing inputs, Median",
    paper: "TM = 2 million, k = 1000; Rothko-T with F_CACHE 1 and 8, Rothko-S. Rothko-S is faster, \
        in all and in processor time. Rothko-T does more input and \
output with F_CACHE = 8 than Rothko-S, and waits for it about as long, because it computes \
meanwhile.",
    data: "Generated: `agrawal` as a CSV file.",
    files: &[],
};

const FASTER: Faster = Faster {
    statement: Statement::new(
        Origin::Line(887),
        "Rothko-S is faster at every size",
        Gauge::LeastRatio,
        Rule::Above(1.0),
    ),
};
const MORE_IO: Statement = Statement::new(
    Origin::Line(887),
    "Rothko-T with F_CACHE = 8 does more input and output than Rothko-S at every size",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

impl Figure for Fig19 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sizes = sizes(settings);
        let scaled = Scaled::of(sizes.last().copied().unwrap_or(1), PAPER_ROWS);
        let rows = scaled.partition_rows;
        let arms =
            [Arm::tree(MEDIAN, 1, rows), Arm::tree(MEDIAN, 8, rows), Arm::sample(MEDIAN, rows)];
        let mut grid = Grid::new("records", &arms);
        for rows in &sizes {
            let input = Input::new("none", *rows, &scaled, settings)?;
            let run = |arm| input.run(arm, &k_anonymity(scaled.k), None, settings);
            grid.lines.push((rows.to_string(), arms.iter().map(run).collect::<Result<_>>()?));
        }
        let mut result = FigureResult::new(&INFO, scale(&sizes, &scaled, &scaled.k.to_string()));
        grid.tables(&mut result);
        let mut nulls = settings.nulls();
        result.claims = FASTER.claims(&grid, &mut nulls);
        let moved = |line: &[super::timed::Timed], arm: usize| line[arm].reads + line[arm].writes;
        let both: Vec<(f64, f64)> =
            grid.lines.iter().map(|(_, line)| (moved(line, 2), moved(line, 1))).collect();
        result.claims.push(MORE_IO.claim("", nulls.pairs(MORE_IO.gauge(), &both)));
        result.claims.push(divided_faster(&grid, &mut nulls));
        push_notes(&sizes, &mut result);
        Ok(result)
    }
}
