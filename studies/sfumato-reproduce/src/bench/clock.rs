//! Measures the time of experiments: by the clock, and by the operating system.

use std::time::Instant;

use sfumato_core::{Error, Result};

/// The least seconds by the clock of some runs: what else the machine does only ever adds to them.
pub fn least_seconds(runs: usize, mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut least = f64::MAX;
    for _ in 0..runs.max(1) {
        let begun = Instant::now();
        run()?;
        least = least.min(begun.elapsed().as_secs_f64());
    }
    Ok(least)
}

/// What this thread took of a processor so far, if the operating system tells; behind by a few
/// milliseconds.
fn thread_seconds() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(status.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

/// The processor time of a run on one thread, or wall time if the operating system doesn't report
/// it. Runs are repeated for a number of seconds, and their mean is taken, since times of one
/// thread are only known to milliseconds.
pub fn single_thread_seconds(
    at_least: f64,
    mut run: impl FnMut() -> Result<()> + Send,
) -> Result<f64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| Error::resources(format!("no thread can be made: {error}")))?;
    pool.install(|| {
        let (begun, before) = (Instant::now(), thread_seconds());
        let mut runs = 0.0;
        while runs == 0.0 || begun.elapsed().as_secs_f64() < at_least {
            run()?;
            runs += 1.0;
        }
        let processor = before.zip(thread_seconds()).map(|(before, after)| after - before);
        Ok(processor.unwrap_or(begun.elapsed().as_secs_f64()) / runs)
    })
}

/// What a run took.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    /// Seconds by the clock.
    pub clock: f64,
    /// Seconds of the processors, where the operating system tells.
    pub processor: Option<f64>,
}

impl Took {
    /// The processor time, or by the clock where the operating system doesn't tell.
    pub fn time(&self) -> f64 {
        self.processor.unwrap_or(self.clock)
    }
}

/// Run something, and say what it took, on all threads together.
pub fn timed<T>(run: impl FnOnce() -> Result<T>) -> Result<(T, Took)> {
    let taken = || processor_seconds().map(|[own, system]| own + system);
    let (begun, before) = (Instant::now(), taken());
    let found = run()?;
    let clock = begun.elapsed().as_secs_f64();
    Ok((
        found,
        Took { clock, processor: before.zip(taken()).map(|(before, after)| after - before) },
    ))
}

/// What this process took of the processors so far, in its own code and in the system's, if the
/// operating system tells.
pub fn processor_seconds() -> Option<[f64; 2]> {
    /// The unit of these numbers, a hundredth of a second on every Linux.
    const TICKS: f64 = 100.0;
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program comes before and may hold anything.
    let mut numbers = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut seconds = || Some(numbers.next()?.parse::<f64>().ok()? / TICKS);
    Some([seconds()?, seconds()?])
}

/// The most memory held so far starts anew, where the operating system lets us: what is held now,
/// in bytes.
pub fn forget_peak() -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
