//! What a metric says, for readers who don't know its name.

/// A metric in a sentence, and which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricNote {
    /// The name in the catalogue.
    pub name: &'static str,
    /// What it measures.
    pub summary: &'static str,
    /// Whether it says how much is kept instead of lost.
    pub more_is_better: bool,
}

impl MetricNote {
    /// Which way is better.
    pub fn direction(&self) -> &'static str {
        if self.more_is_better { "more is better" } else { "less is better" }
    }
}
