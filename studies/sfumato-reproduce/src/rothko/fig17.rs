//! Figure 17: an implementation in memory for growing inputs.

use sfumato_core::Result;

use super::arms::{MEDIAN, k_anonymity};
use super::scaled::Scaled;
use super::timed::{Arm, Input, PAPER_ROWS, Timed, scale, sizes};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// Figure 17 of the paper.
pub struct Fig17;

static INFO: FigureInfo = FigureInfo {
    name: "fig17",
    caption: "An implementation in memory for growing inputs, Median",
    paper: "k = 1000, up to 10 million records, 512 MB of memory, which the operating system \
        manages: the system begins to thrash for data that don't fit.",
    data: "Generated: `agrawal` as a CSV file. The machine isn't made to thrash: what is measured \
        is how much memory the engine in memory asks for, beside that of Rothko-S.",
    files: &[],
};

const GROWS: Statement = Statement::new(
    Origin::Line(865),
    "in memory, memory grows with the data, so that some size no longer fits (here: by at least \
        20 bytes for each further record of nine columns)",
    Gauge::Custom {
        measure: "bytes of memory taken for each record between the two largest sizes",
        control: "the same between records that are already there: two runs of the largest size",
    },
    Rule::AtLeast(20.0),
);
const BOUNDED: Statement = Statement::new(
    Origin::Line(865),
    "and Rothko is easily applied to much larger data (here: it takes less memory at the largest \
        size)",
    Gauge::MeanRatio,
    Rule::Above(1.0),
);

impl Figure for Fig17 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let sizes = sizes(settings);
        let scaled = Scaled::of(sizes.last().copied().unwrap_or(1), PAPER_ROWS);
        let arms = [Arm::in_memory(MEDIAN), Arm::sample(MEDIAN, scaled.partition_rows)];
        let names = ["in memory", "Rothko-S"];
        let mut seconds = Table::new("Run time", "records", "seconds", &names).digits(2);
        let mut memory = Table::new("Memory that the run took", "records", "MiB", &names).digits(1);
        let mut taken: Vec<(u64, Vec<f64>)> = Vec::new();
        let mut again = f64::NAN;
        let mib = |timed: &Timed| timed.taken.unwrap_or(f64::NAN);
        for rows in &sizes {
            let input = Input::new("none", *rows, &scaled, settings)?;
            let run = |arm| input.run(arm, &k_anonymity(scaled.k), None, settings);
            let line: Vec<Timed> = arms.iter().map(run).collect::<Result<_>>()?;
            seconds.push(rows, line.iter().map(|one| Number::exact(one.seconds)).collect());
            memory.push(rows, line.iter().map(|one| one.taken.and_then(Number::exact)).collect());
            taken.push((*rows, line.iter().map(mib).collect()));
            if Some(rows) == sizes.last() {
                again = mib(&run(&arms[0])?);
            }
        }
        let mut result = FigureResult::new(&INFO, scale(&sizes, &scaled, &scaled.k.to_string()));
        let last = taken.len() - 1;
        let before = last.saturating_sub(1);
        let more = (taken[last].0 - taken[before].0).max(1) as f64;
        let per_record = |mib: f64| mib * f64::from(1 << 20) / more;
        let grown = per_record(taken[last].1[0] - taken[before].1[0]);
        let same = per_record(again - taken[last].1[0]);
        let pair = (taken[last].1[1], taken[last].1[0]);
        result.claims = vec![
            GROWS.claim("", Measured::new(grown, same)),
            BOUNDED.claim("", settings.nulls().pairs(BOUNDED.gauge(), &[pair])),
        ];
        result.tables = vec![seconds, memory.plotted(Plot::Lines)];
        result.notes.push(
            "Memory is that of the process at its most, less what it held before the run; what \
                earlier runs left behind is used again, so that small inputs may take none. A \
                record of nine columns of numbers is 44 bytes in the paper."
                .into(),
        );
        Ok(result)
    }
}
