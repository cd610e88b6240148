//! Determines how much memory a run may use: as the job says, or by what the machine has free.

use sfumato_core::dataset::Role;
use sfumato_core::memory::parse_bytes;
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;
use sfumato_io::Source;

use crate::job::{Engine, Job};

/// The share of the free memory that is used by default.
const SHARE: f64 = 0.8;

/// The memory limit of a job, and whether the job sets it.
fn limit(job: &Job) -> Result<(u64, bool)> {
    match &job.run.memory {
        Some(text) => Ok((parse_bytes(text)?, true)),
        None => Ok((machine().map_or(u64::MAX, |free| (free as f64 * SHARE) as u64), false)),
    }
}

/// The free memory of the machine, or of the share that this process may use.
fn machine() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let free = line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024;
    let limited = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse().ok());
    Some(limited.map_or(free, |limited: u64| limited.min(free)))
}

/// Whether a file is so small that it surely fits: texts grow to a few times their length, and
/// compressed files to much more.
fn surely_fits(job: &Job, path: &str, limit: u64) -> bool {
    const PACKED: u64 = 100;
    const PLAIN: u64 = 10;
    const PROGRAM: u64 = 96 << 20;
    let source = Source::of(path);
    let Some(bytes) = source.size() else {
        return source != Source::StandardInput || job.run.memory.is_none();
    };
    let lower = path.to_ascii_lowercase();
    let plain = !source.is_path()
        || [".csv", ".tsv", ".txt", ".jsonl", ".ndjson"].iter().any(|end| lower.ends_with(end));
    let factor = if plain { PLAIN } else { PACKED };
    bytes.saturating_mul(factor).saturating_add(PROGRAM) <= limit
}

/// The memory that a job may use, if that may not be enough and a first pass over the input must
/// decide.
pub fn beyond_memory(job: &Job) -> Result<Option<u64>> {
    let (limit, is_asked) = limit(job)?;
    if job.columns.0.iter().any(|(_, spec)| spec.role == Role::Guard) {
        return match is_asked
            || matches!(job.run.engine, Engine::Sample | Engine::Tree | Engine::Cuts)
        {
            true => {
                Err(Error::unsupported("guards need the table in memory: a limit can't be given"))
            }
            false => Ok(None),
        };
    }
    let path = resolve(&job.base, &job.input.path);
    Ok(match job.run.engine {
        Engine::Sample | Engine::Tree | Engine::Cuts => Some(limit),
        // Who asks for both gets both or an error: a limit is a promise.
        Engine::Memory if is_asked && !surely_fits(job, &path, limit) => Some(limit),
        Engine::Memory => None,
        Engine::Auto if surely_fits(job, &path, limit) => None,
        // Standard input is read once, and a machine's free memory is no promise.
        Engine::Auto if path == "-" && !is_asked => None,
        Engine::Auto => Some(limit),
    })
}
