//! Doubles the step until every rounded number stands for enough records.

use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Capabilities, Info};
use sfumato_core::{Error, Result};

use super::RoundingAlgorithm;
use crate::forms::rounded::{counts, rounded};

/// The algorithm `doubling`, an entry of the registry.
pub struct Doubling;

static INFO: Info = Info {
    name: "doubling",
    summary: "double the step until every rounded number stands for enough records",
    papers: &[],
    params: &[],
    doc: "Made up to show what an algorithm must bring. n log(range) steps.",
    capabilities: Capabilities { serves: &[Fact::Hiding(Hiding::Copies)], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

impl RoundingAlgorithm for Doubling {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn step(&self, numbers: &[i64], k: u64) -> Result<i64> {
        let mut step: i64 = 1;
        loop {
            let published: Vec<i64> = numbers.iter().map(|number| rounded(*number, step)).collect();
            if counts(&published).values().all(|count| *count >= k) {
                return Ok(step);
            }
            step = step.checked_mul(2).ok_or_else(|| {
                Error::infeasible(format!("no step puts {k} numbers together"))
                    .hint("ask for a smaller k, or bring more data")
            })?;
        }
    }
}
