//! Measures how long the steps of a run take, and how much memory they need.

use std::time::Instant;

/// Times the steps of a run.
#[derive(Debug)]
pub struct Stopwatch {
    start: Instant,
    lap: Instant,
}

impl Default for Stopwatch {
    fn default() -> Self {
        Self::start()
    }
}

impl Stopwatch {
    /// Start the stopwatch.
    pub fn start() -> Self {
        let now = Instant::now();
        Stopwatch { start: now, lap: now }
    }
    /// Milliseconds since the last lap.
    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let elapsed = now - self.lap;
        self.lap = now;
        elapsed.as_secs_f64() * 1e3
    }
    /// Milliseconds since the start.
    pub fn total(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1e3
    }
}

/// The largest amount of memory that this process had at once, if the operating system reports it.
pub fn peak_rss_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// The date and time in UTC, for people.
pub fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string()
}
