//! How much memory a run may take: what the job says, or what the machine has free.

use sfumato_core::dataset::Role;
use sfumato_core::memory::parse_bytes;
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;
use sfumato_io::Source;

use crate::job::{Engine, Job};

/// Of the memory that is free so much is taken without being asked.
const SHARE: f64 = 0.8;

/// The limit of a job, and whether the job says so.
fn limit(job: &Job) -> Result<(u64, bool)> {
    match &job.run.memory {
        Some(text) => Ok((parse_bytes(text)?, true)),
        None => Ok((machine().map_or(u64::MAX, |free| (free as f64 * SHARE) as u64), false)),
    }
}

/// Memory that is free now: the machine's, or the share of it that this process may have.
fn machine() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let free = line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024;
    let limited = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse().ok());
    Some(limited.map_or(free, |limited: u64| limited.min(free)))
}

/// Whether a file is so small that nobody need look: texts grow to a few times their length, packed
/// files to much more.
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

/// The memory that a job may take, where it may not be enough and a look at the input must say.
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
