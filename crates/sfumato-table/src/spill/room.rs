//! How much memory a run may take: what the job says, or what the machine has free.

use sfumato_core::Result;
use sfumato_core::memory::parse_bytes;

use sfumato_engine::job::Job;

/// Of the memory that is free so much is taken without being asked.
const SHARE: f64 = 0.8;

/// The limit of a job, and whether the job says so.
pub fn limit(job: &Job) -> Result<(u64, bool)> {
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
    let limited =
        std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    Some(limited.map_or(free, |limited: u64| limited.min(free)))
}

/// Whether a file is so small that nobody need look: texts grow to a few times their length, packed files to much more.
pub fn surely_fits(job: &Job, path: &str, limit: u64) -> bool {
    const PACKED: u64 = 100;
    const PLAIN: u64 = 10;
    const PROGRAM: u64 = 96 << 20;
    let Ok(metadata) = std::fs::metadata(path) else { return path != "-" || job.run.memory.is_none() };
    let lower = path.to_ascii_lowercase();
    let plain = [".csv", ".tsv", ".txt", ".jsonl", ".ndjson"].iter().any(|end| lower.ends_with(end));
    let factor = if plain { PLAIN } else { PACKED };
    metadata.len().saturating_mul(factor).saturating_add(PROGRAM) <= limit
}
