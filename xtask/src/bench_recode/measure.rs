//! One run of the program with a time limit, and the figures of its report.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::data::DataSet;

/// The time limit of a run; longer runs are ended.
pub const LIMIT: Duration = Duration::from_secs(120);
/// How often `quickest` repeats a run.
const ROUNDS: usize = 3;
/// The wall time in seconds above which `quickest` doesn't repeat a run.
const SHORT: f64 = 6.0;

/// The result of a run.
pub enum Run {
    /// It published a release.
    Done(Sample),
    /// It exceeded the time limit.
    TooSlow,
    /// It refused.
    Failed {
        /// The message of the refusal.
        why: String,
        /// The exit code, if the program ended by itself.
        code: Option<i32>,
    },
}

/// The settings of a run, besides its data set.
pub struct Settings<'a> {
    /// The algorithm with its parameters.
    pub algorithm: &'a str,
    /// The effort of the search.
    pub effort: &'a str,
    /// The number of threads.
    pub threads: u32,
    /// How many records may be suppressed, as an argument of the program.
    pub suppression: &'a str,
    /// k-anonymity, unless only other models are asked for.
    pub k: Option<u32>,
    /// Further arguments.
    pub extra: &'a [&'a str],
}

impl<'a> Settings<'a> {
    /// Settings with one thread, no suppression, normal effort and no model.
    pub fn of(algorithm: &'a str) -> Self {
        Settings { algorithm, effort: "normal", threads: 1, suppression: "0", k: None, extra: &[] }
    }
}

/// The figures of a run.
pub struct Sample {
    pub ncp: f64,
    pub discernibility: f64,
    pub c_avg: f64,
    pub classes: u64,
    /// Wall time of the step that anonymizes.
    pub seconds: f64,
    /// CPU time of the whole process, if the system reports it.
    pub cpu: Option<f64>,
    pub peak: f64,
    /// A lower bound of the NCP of every local recoding, if the algorithm reports one.
    pub lower_bound: Option<f64>,
    /// The number of suppressed records.
    pub suppressed: u64,
    /// Whether the search ended with a proof, if the algorithm reports that.
    pub proven: Option<bool>,
    /// How many recodings the search examined, if the algorithm counts them.
    pub looked_at: Option<u64>,
    /// Wall time of the whole process in seconds, rounded to hundredths.
    pub wall: f64,
    /// Wall time of all steps in milliseconds, as in the report.
    timings: serde_json::Value,
}

impl Sample {
    /// Wall time of a step in seconds.
    pub fn step(&self, name: &str) -> f64 {
        self.timings[name].as_f64().unwrap_or(f64::NAN) / 1e3
    }
}

/// Run one algorithm three times, unless it takes long, and keep the quickest run: short runs
/// suffer most from other work on the machine.
pub fn quickest(
    program: &Path,
    folder: &Path,
    set: &DataSet,
    settings: &Settings<'_>,
) -> Result<Run, String> {
    let mut best = one(program, folder, set, settings)?;
    for _ in 1..ROUNDS {
        let Run::Done(sample) = &best else { break };
        if sample.wall > SHORT {
            break;
        }
        if let Run::Done(again) = one(program, folder, set, settings)?
            && again.seconds < sample.seconds
        {
            best = Run::Done(again);
        }
    }
    Ok(best)
}

/// Run one algorithm once.
pub fn one(
    program: &Path,
    folder: &Path,
    set: &DataSet,
    settings: &Settings<'_>,
) -> Result<Run, String> {
    let [report, errors, release] =
        ["run.json", "run.stderr", "run-release.csv"].map(|n| folder.join(n));
    let create = |path| {
        File::create(path).map_err(|error| format!("can't write to the bench folder: {error}"))
    };
    let mut command = Command::new(program);
    command
        .args(["--threads", &settings.threads.to_string(), "anonymize"])
        .arg(&set.path)
        .arg("-o")
        .arg(&release)
        .args([
            "--json",
            "--seed",
            "1",
            "--qi",
            &set.quasi,
            "--max-suppression",
            settings.suppression,
        ])
        .args(["--algorithm", settings.algorithm, "--effort", settings.effort])
        .args(settings.extra);
    if let Some(k) = settings.k {
        command.args(["-k", &k.to_string()]);
    }
    for (column, hierarchy) in &set.hierarchies {
        command.arg("--hierarchy").arg(format!("{column}={hierarchy}"));
    }
    // Into files, not pipes: a pipe that nobody empties would stop the program.
    command.stdin(Stdio::null()).stdout(create(&report)?).stderr(create(&errors)?);
    let before = cpu_of_children();
    let start = Instant::now();
    let mut child =
        command.spawn().map_err(|error| format!("can't run {}: {error}", program.display()))?;
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
    let wall = start.elapsed().as_secs_f64();
    let cpu = cpu_of_children().zip(before).map(|(after, before)| after - before);
    let read = |path| {
        std::fs::read_to_string(path).map_err(|error| format!("can't read what was said: {error}"))
    };
    if !status.success() {
        let said = read(&errors)?;
        let reason = said.lines().find(|line| line.starts_with("error")).or(said.lines().last());
        let why = reason.unwrap_or("failed without a word").replace('|', "/");
        return Ok(Run::Failed { why, code: status.code() });
    }
    let report: serde_json::Value =
        serde_json::from_str(&read(&report)?).map_err(|error| format!("the report: {error}"))?;
    let details = &report["algorithm_details"];
    let metric = |name: &str| report["metrics"][name].as_f64().unwrap_or(f64::NAN);
    Ok(Run::Done(Sample {
        ncp: metric("ncp"),
        discernibility: metric("discernibility"),
        c_avg: metric("average-class-size"),
        classes: report["classes"]["count"].as_u64().unwrap_or_default(),
        seconds: report["timings_ms"]["anonymize"].as_f64().unwrap_or(f64::NAN) / 1e3,
        cpu,
        peak: report["peak_rss_bytes"].as_f64().unwrap_or(f64::NAN),
        lower_bound: details["lower_bound"].as_f64(),
        suppressed: report["suppressed"]["records"].as_u64().unwrap_or_default(),
        proven: details["proven_optimal"].as_f64().map(|proven| proven > 0.5),
        looked_at: ["nodes_looked_at", "visited"]
            .iter()
            .find_map(|name| details[*name].as_f64())
            .map(|nodes| nodes as u64),
        wall,
        timings: report["timings_ms"].clone(),
    }))
}

/// CPU seconds of all child processes that have ended. Linux counts them in hundredths; on other
/// systems they are unknown.
pub fn cpu_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold blanks: fields are counted behind it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}
