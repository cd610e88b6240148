//! Figure 21: run time of growing inputs, InfoGain.

use sfumato_core::Result;

use super::arms::{GUIDED, MEDIAN, k_anonymity};
use super::scaled::Scaled;
use super::timed::{
    Arm, Faster, Grid, Input, PAPER_ROWS, divided_faster, push_notes, scale, sizes,
};
use crate::claims::{Gauge, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;

/// Figure 21 of the paper.
pub struct Fig21;

static INFO: FigureInfo = FigureInfo {
    name: "fig21",
    caption: "Run time of growing inputs, InfoGain",
    paper: "TM = 2 million, k = 1000, labels by C2; Rothko-T with F_CACHE 1 and 4, Rothko-S. \
        Splits go over to the median where they gain less than 0.01 \
(footnote 18). It costs more processor time than Median, because thresholds are looked for. \
Rothko-S is always faster than Rothko-T.",
    data: "Generated: `agrawal` with label c2 as a CSV file.",
    files: &[],
};

const TASK: &str = "classification(target=class)";

const FASTER: Faster = Faster {
    statement: Statement::new(
        Origin::Line(899),
        "with InfoGain Rothko-S consistently outperforms Rothko-T, at every size",
        Gauge::LeastRatio,
        Rule::Above(1.0),
    ),
};
const COSTS: Statement = Statement::new(
    Origin::Line(899),
    "InfoGain costs more processor time than Median (Rothko-S, the largest input)",
    Gauge::MeanRatio,
    Rule::Above(1.0),
);

impl Figure for Fig21 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sizes = sizes(settings);
        let scaled = Scaled::of(sizes.last().copied().unwrap_or(1), PAPER_ROWS);
        let rows = scaled.partition_rows;
        let guided = format!("{GUIDED}, min_gain=0.01");
        let arms =
            [Arm::tree(&guided, 1, rows), Arm::tree(&guided, 4, rows), Arm::sample(&guided, rows)];
        let median = Arm::sample(MEDIAN, rows);
        let model = k_anonymity(scaled.k);
        let mut grid = Grid::new("records", &arms);
        let mut by_median = 0.0;
        for rows in &sizes {
            let input = Input::new("c2", *rows, &scaled, settings)?;
            let run = |arm| input.run(arm, &model, Some(TASK), settings);
            grid.lines.push((rows.to_string(), arms.iter().map(run).collect::<Result<_>>()?));
            if Some(rows) == sizes.last() {
                by_median = input.run(&median, &model, None, settings)?.processor_seconds();
            }
        }
        let mut result = FigureResult::new(&INFO, scale(&sizes, &scaled, &scaled.k.to_string()));
        grid.tables(&mut result);
        let guided = grid.lines[sizes.len() - 1].1[2].processor_seconds();
        let mut nulls = settings.nulls();
        result.claims = FASTER.claims(&grid, &mut nulls);
        result.claims.extend([
            COSTS.claim("", nulls.pairs(COSTS.gauge(), &[(by_median, guided)])),
            divided_faster(&grid, &mut nulls),
        ]);
        push_notes(&sizes, &mut result);
        Ok(result)
    }
}
