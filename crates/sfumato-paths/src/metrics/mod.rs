//! Metrics for paths: one folder for each form.

pub mod flows;
pub mod moved;
pub mod regions;
pub mod suppressed;

/// The entropy of shares, in bits, by how often each is there. `None` if nothing is.
pub(crate) fn entropy(mut counts: Vec<u64>) -> Option<f64> {
    // In one order, so that sums of floats are the same however they were counted.
    counts.sort_unstable();
    let all: u64 = counts.iter().sum();
    let part = |n: u64| {
        let share = n as f64 / all as f64;
        -share * share.log2()
    };
    (all > 0).then(|| counts.into_iter().filter(|n| *n > 0).map(part).sum::<f64>().max(0.0))
}
