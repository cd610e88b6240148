//! Whole runs out of core over generated files, with the time, memory and disk that they took.

use std::path::PathBuf;

use sfumato_core::{Error, Result};
use sfumato_table::Job;
use sfumato_table::job::Engine;

use super::scaled::{Scaled, numeric, write_csv};
use crate::bench::clock::{forget_peak, processor_seconds};
use crate::claims::{Claim, Gauge, Nulls, Origin, Rule, Statement};
use crate::figure::Settings;
use crate::found::{FigureResult, Number, Plot, Table};

/// The memory of the paper's machine.
const MEMORY: &str = "512MiB";
/// The paper's largest input, as far as its words say.
pub const PAPER_ROWS: u64 = 100_000_000;

/// The sizes of a scale-up where none are asked for.
pub fn sizes(settings: &Settings<'_>) -> Vec<u64> {
    settings.scale_up(&[1500, 3000], &[25_000, 50_000], &[25_000, 50_000, 100_000, 200_000])
}

/// A generated file in a temporary folder, which goes with it.
pub struct Input {
    folder: tempfile::TempDir,
    path: PathBuf,
    labels: Vec<&'static str>,
}

impl Input {
    /// Generate one.
    pub fn new(label: &str, rows: u64, scaled: &Scaled, settings: &Settings<'_>) -> Result<Self> {
        let folder = tempfile::tempdir()
            .map_err(|error| Error::io(&std::env::temp_dir(), "make a folder here", &error))?;
        let path = folder.path().join("input.csv");
        write_csv(&path, label, rows, settings.seed_of(&[19]), scaled.unit, settings.observer)?;
        let labels = if label == "none" { vec![] } else { vec!["class"] };
        Ok(Input { folder, path, labels })
    }

    /// Run a job on it.
    pub fn run(
        &self,
        arm: &Arm,
        model: &str,
        task: Option<&str>,
        settings: &Settings<'_>,
    ) -> Result<Timed> {
        let mut job = Job::default();
        job.input.path = self.path.display().to_string();
        job.output.path = self.folder.path().join("release.csv").display().to_string();
        job.columns.0 = numeric(&self.labels);
        // Amounts in large units may tell of one another: that isn't what is looked at here.
        job.columns.0.iter_mut().for_each(|(_, spec)| spec.accept = true);
        job.privacy.models = vec![model.to_string()];
        job.workload.tasks = task.into_iter().map(str::to_string).collect();
        job.recode.algorithm.clone_from(&arm.algorithm);
        // A budget would move the engine in memory to the disk.
        job.run.memory = (arm.engine != Engine::Memory).then(|| MEMORY.into());
        job.run.engine = arm.engine;
        job.run.seed = Some(settings.seed);
        let held = forget_peak();
        let before = processor_seconds();
        let report = sfumato_table::run(&job, settings.observer)?;
        let after = processor_seconds();
        // The next release is written beside this one, and both may be large.
        std::fs::remove_file(&job.output.path)
            .map_err(|error| Error::io(std::path::Path::new(&job.output.path), "remove", &error))?;
        let engine = &report.algorithm.details["engine"];
        let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
        Ok(Timed {
            seconds: report.timings_ms.total / 1e3,
            stages: report.timings_ms.stages().map(|(name, ms)| (name, ms / 1e3)).to_vec(),
            processor: before
                .zip(after)
                .map(|(before, after)| [after[0] - before[0], after[1] - before[1]]),
            peak: report.peak_rss_bytes.filter(|_| held.is_some()).map(in_mib),
            taken: report
                .peak_rss_bytes
                .zip(held)
                .map(|(peak, held)| in_mib(peak.saturating_sub(held))),
            spilled: number(&engine["spilled_bytes"]) / f64::from(1 << 20),
            reads: number(&engine["actual"]["reads"]),
            writes: number(&engine["actual"]["writes"]),
        })
    }
}

fn in_mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// An algorithm with the engine that it belongs to.
pub struct Arm {
    /// What its curve is called.
    pub name: String,
    algorithm: String,
    engine: Engine,
}

impl Arm {
    /// Rothko-T.
    pub fn tree(split: &str, groups: u64, partition_rows: u64) -> Self {
        let algorithm = super::arms::tree(split, groups, partition_rows);
        Arm { name: format!("T, F_CACHE = {groups}"), algorithm, engine: Engine::Tree }
    }

    /// Mondrian with everything in memory.
    pub fn in_memory(split: &str) -> Self {
        let algorithm = format!("mondrian({split})");
        Arm { name: "in memory".into(), algorithm, engine: Engine::Memory }
    }

    /// Rothko-S with a sample of what fits in memory.
    pub fn sample(split: &str, partition_rows: u64) -> Self {
        let algorithm = super::arms::sample(split, partition_rows, partition_rows);
        Arm { name: "S".into(), algorithm, engine: Engine::Sample }
    }
}

/// What a run took.
#[derive(Debug, Clone)]
pub struct Timed {
    /// By the clock.
    pub seconds: f64,
    /// The seconds by stage.
    pub stages: Vec<(&'static str, f64)>,
    /// Seconds of all processors together, in our code and in the system's, if they are known.
    pub processor: Option<[f64; 2]>,
    /// The most memory that the process held, in MiB, if it is known.
    pub peak: Option<f64>,
    /// That without what it held before the run.
    pub taken: Option<f64>,
    /// Written to temporary files, in MiB.
    pub spilled: f64,
    /// How often the data was read, as in figure 18.
    pub reads: f64,
    /// How often it was written.
    pub writes: f64,
}

impl Timed {
    /// All processors together; the clock where that isn't known.
    pub fn processor_seconds(&self) -> f64 {
        self.processor.map_or(self.seconds, |[user, system]| user + system)
    }

    /// Reading and dividing by the clock.
    fn until_divided(&self) -> f64 {
        self.stages
            .iter()
            .filter(|(name, _)| ["read", "plan", "encode"].contains(name))
            .map(|(_, s)| s)
            .sum()
    }
}

/// Runs in a grid: a line for each input or requirement, a column for each arm.
pub struct Grid {
    /// What the lines are.
    pub rows_are: &'static str,
    /// What the arms are called.
    pub arms: Vec<String>,
    /// The lines.
    pub lines: Vec<(String, Vec<Timed>)>,
}

impl Grid {
    /// Without lines.
    pub fn new(rows_are: &'static str, arms: &[Arm]) -> Self {
        Grid {
            rows_are,
            arms: arms.iter().map(|arm| arm.name.clone()).collect(),
            lines: Vec::new(),
        }
    }

    /// One number of every run.
    pub fn table(
        &self,
        title: &str,
        measure: &str,
        number: impl Fn(&Timed) -> Option<f64>,
    ) -> Table {
        let columns: Vec<&str> = self.arms.iter().map(String::as_str).collect();
        let mut table = Table::new(title, self.rows_are, measure, &columns);
        for (label, line) in &self.lines {
            table.push(
                label,
                line.iter().map(|timed| number(timed).and_then(Number::exact)).collect(),
            );
        }
        table
    }

    /// The tables of a figure about run time: seconds drawn, where they went in the last line,
    /// memory and disk.
    pub fn tables(&self, result: &mut FigureResult) {
        result
            .tables
            .push(self.table("Run time", "seconds", |timed| Some(timed.seconds)).digits(2));
        if let Some((label, line)) = self.lines.last() {
            let columns: Vec<&str> = self.arms.iter().map(String::as_str).collect();
            let title = format!("Where the time went, {} = {label}", self.rows_are);
            let mut table =
                Table::new(&title, "stage", "seconds", &columns).digits(2).plotted(Plot::Bars);
            for (place, (name, _)) in line[0].stages.iter().enumerate() {
                let name = if *name == "encode" { "divide" } else { name };
                table.push(
                    name,
                    line.iter().map(|timed| Number::exact(timed.stages[place].1)).collect(),
                );
            }
            result.tables.push(table);
        }
        let more = [
            self.table("Processor time, user", "seconds", |timed| Some(timed.processor?[0]))
                .digits(2),
            self.table("Processor time, system", "seconds", |timed| Some(timed.processor?[1]))
                .digits(2),
            self.table("Peak memory of the process", "MiB", |timed| timed.peak).digits(0),
            self.table("Of it taken by the run", "MiB", |timed| timed.taken).digits(1),
            self.table("Written to temporary files", "MiB", |timed| Some(timed.spilled)),
            self.table("Reads", "multiples of the input", |timed| Some(timed.reads)).digits(2),
            self.table("Writes", "multiples of the input", |timed| Some(timed.writes)).digits(2),
        ];
        let is_known =
            |table: &Table| table.rows.iter().any(|row| row.cells.iter().any(Option::is_some));
        result
            .tables
            .extend(more.map(|table| table.plotted(Plot::None)).into_iter().filter(is_known));
    }
}

/// One of the times of a run.
type Seconds = fn(&Timed) -> f64;

/// What a figure states about run time.
pub struct Faster {
    /// Rothko-S against Rothko-T, by the clock and in processor time.
    pub statement: Statement,
}

impl Faster {
    /// The claims: against each Rothko-T, over all lines.
    pub fn claims(&self, grid: &Grid, nulls: &mut Nulls) -> Vec<Claim> {
        let measures: [(&str, Seconds); 2] = [
            ("by the clock", |timed| timed.seconds),
            ("in processor time", Timed::processor_seconds),
        ];
        let last = grid.arms.len() - 1;
        let mut claims = Vec::new();
        for (how, seconds) in measures {
            for arm in 0..last {
                let pair = |line: &Vec<Timed>| (seconds(&line[last]), seconds(&line[arm]));
                let pairs: Vec<(f64, f64)> =
                    grid.lines.iter().map(|(_, line)| pair(line)).collect();
                let ratios: Vec<String> =
                    pairs.iter().map(|(s, t)| format!("{:.2}", t / s)).collect();
                let found = nulls
                    .pairs(self.statement.gauge(), &pairs)
                    .told(format!("times as long as S, line by line: {}", ratios.join(", ")));
                let about = format!("{how}, than {}", grid.arms[arm]);
                claims.push(self.statement.claim(&about, found));
            }
        }
        claims
    }
}

/// Until the data is divided, Rothko-S is faster: what the two differ in.
pub const DIVIDED_FASTER: Statement = Statement::new(
    Origin::Ours,
    "until the data is divided Rothko-S takes less time by the clock than either Rothko-T",
    Gauge::LeastRatio,
    Rule::Above(1.0),
);

/// The claim about the time until the data is divided.
pub fn divided_faster(grid: &Grid, nulls: &mut Nulls) -> Claim {
    let last = grid.arms.len() - 1;
    let pairs = grid.lines.iter().flat_map(|(_, line)| {
        line[..last].iter().map(|other| (line[last].until_divided(), other.until_divided()))
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    DIVIDED_FASTER.claim("", nulls.pairs(DIVIDED_FASTER.gauge(), &pairs))
}

/// What all figures about run time say.
const NOTE: &str = "\
Each number is of one run with at most 512 MiB of memory, as much as the paper's machine had. \
`divide` is what the two algorithms differ in; what follows (anonymizing partitions, writing, \
verifying, measuring) is the same work for both, but for Rothko-S leaving smaller partitions, so \
that they surely fit. `read` is the first look at the input, where Rothko-S also draws its sample; \
it is \
among the reads that are counted, so that Rothko-T has one more than in figure 18. Peak memory is \
that of the process; below it stands how much more that is than what it held before the run.";

/// A remark about small inputs.
const SMALL: &str = "\
With inputs as small as these one run differs from the next by more than the algorithms do. \
`--rows` runs larger ones.";

/// Add what all figures about run time say.
pub fn push_notes(sizes: &[u64], result: &mut FigureResult) {
    result.notes.push(NOTE.into());
    if sizes.iter().all(|rows| *rows < 1_000_000) {
        result.notes.push(SMALL.into());
    }
}

/// The sizes of a figure in words.
pub fn scale(sizes: &[u64], scaled: &Scaled, k: &str) -> String {
    let sizes = sizes.iter().map(u64::to_string).collect::<Vec<String>>().join(", ");
    let Scaled { partition_rows, unit, .. } = scaled;
    format!(
        "{sizes} records, TM = {partition_rows}, k = {k}, amounts in units of {unit}{}",
        build()
    )
}

fn build() -> &'static str {
    if cfg!(debug_assertions) {
        "; by a development build, which is several times slower than a release build"
    } else {
        ""
    }
}
