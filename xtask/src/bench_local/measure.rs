//! One run of the program with a time limit, and the figures of its report.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::data::DataSet;

/// Runs that take longer are ended.
pub const LIMIT: Duration = Duration::from_secs(120);

/// What a run came to.
pub enum Run {
    /// It published something.
    Done(Sample),
    /// It was over the limit.
    TooSlow,
    /// It refused, in these words.
    Failed(String),
}

/// The figures of a run.
pub struct Sample {
    pub ncp: f64,
    pub discernibility: f64,
    pub c_avg: f64,
    pub classes: u64,
    /// Wall time of the step that anonymizes.
    pub seconds: f64,
    /// CPU time of the whole process, where the system tells.
    pub cpu: Option<f64>,
    pub peak: f64,
    /// No local recoding has a lower NCP, where the algorithm says so.
    pub lower_bound: Option<f64>,
}

/// Run one algorithm once.
pub fn one(
    program: &Path,
    folder: &Path,
    set: &DataSet,
    algorithm: &str,
    effort: &str,
    k: u32,
) -> Result<Run, String> {
    let [report, errors, release] =
        ["local.json", "local.stderr", "local-release.csv"].map(|n| folder.join(n));
    let create =
        |path| File::create(path).map_err(|error| format!("can't write to the bench folder: {error}"));
    let mut command = Command::new(program);
    command
        .args(["--threads", "1", "anonymize"])
        .arg(&set.path)
        .arg("-o")
        .arg(&release)
        .args(["--json", "--seed", "1", "--qi", &set.quasi, "-k", &k.to_string()])
        .args(["--algorithm", algorithm, "--effort", effort]);
    for (column, hierarchy) in &set.hierarchies {
        command.arg("--hierarchy").arg(format!("{column}={hierarchy}"));
    }
    // Into files, not pipes: a pipe that nobody empties would stop the program.
    command.stdin(Stdio::null()).stdout(create(&report)?).stderr(create(&errors)?);
    let before = cpu_of_children();
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("can't run {}: {error}", program.display()))?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if start.elapsed() > LIMIT {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            return Ok(Run::TooSlow);
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let cpu = cpu_of_children().zip(before).map(|(after, before)| after - before);
    let read =
        |path| std::fs::read_to_string(path).map_err(|error| format!("can't read what was said: {error}"));
    if !status.success() {
        let said = read(&errors)?;
        let reason = said.lines().find(|line| line.starts_with("error")).or(said.lines().last());
        return Ok(Run::Failed(reason.unwrap_or("failed without a word").replace('|', "/")));
    }
    let report: serde_json::Value =
        serde_json::from_str(&read(&report)?).map_err(|error| format!("the report: {error}"))?;
    let metric = |name: &str| report["metrics"][name].as_f64().unwrap_or(f64::NAN);
    Ok(Run::Done(Sample {
        ncp: metric("ncp"),
        discernibility: metric("discernibility"),
        c_avg: metric("average-class-size"),
        classes: report["classes"]["count"].as_u64().unwrap_or_default(),
        seconds: report["timings_ms"]["anonymize"].as_f64().unwrap_or(f64::NAN) / 1e3,
        cpu,
        peak: report["peak_rss_bytes"].as_f64().unwrap_or(f64::NAN),
        lower_bound: report["algorithm_details"]["lower_bound"].as_f64(),
    }))
}

/// CPU seconds of all children that ended so far. Linux counts them in hundredths; elsewhere nothing is known.
fn cpu_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold blanks: fields are counted behind it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}
