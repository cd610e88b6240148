//! The processor time of this process, of all processors together.

/// Seconds of all threads that run now, to the nanosecond; `None` where the operating system
/// doesn't tell. Threads that have ended don't count, so this is for differences over work that a
/// pool of lasting threads does.
pub fn cpu_seconds() -> Option<f64> {
    let mut nanoseconds = 0u64;
    for entry in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        // A thread may end while we look.
        let Ok(text) = std::fs::read_to_string(entry.path().join("schedstat")) else { continue };
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    (nanoseconds > 0).then_some(nanoseconds as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_tells_a_time_or_nothing() {
        let Some(before) = super::cpu_seconds() else {
            println!("skipped: the operating system doesn't tell");
            return;
        };
        assert!(before >= 0.0 && before.is_finite());
    }
}
