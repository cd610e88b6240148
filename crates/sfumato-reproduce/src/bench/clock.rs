//! What the operating system says that this process took.

/// What this process took of the processors so far, in its own code and in the system's, if the operating system tells.
pub fn processor_seconds() -> Option<[f64; 2]> {
    /// The unit of these numbers, a hundredth of a second on every Linux.
    const TICKS: f64 = 100.0;
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program comes before and may hold anything.
    let mut numbers = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut seconds = || Some(numbers.next()?.parse::<f64>().ok()? / TICKS);
    Some([seconds()?, seconds()?])
}

/// The most memory held so far starts anew, where the operating system lets us: what is held now, in bytes.
pub fn forget_peak() -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
