//! What is published for a region in a column of the release.

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};

use super::Job;

/// One way to publish a region in a quasi column. Several can be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShownAs {
    /// The generalized text: a range, a node's label, `*`.
    Interval,
    /// The smallest and the largest value of the region's records, in columns of their own.
    Range,
    /// The mean of the region's records, in a column of its own.
    Mean,
}

impl ShownAs {
    /// The default: only the generalized text.
    pub fn only_interval() -> Vec<ShownAs> {
        vec![ShownAs::Interval]
    }

    /// Whether a list asks for nothing besides the generalized text.
    pub fn is_only_interval(forms: &Vec<ShownAs>) -> bool {
        *forms == [ShownAs::Interval]
    }
}

impl Job {
    /// Whether a column or a task of the workload asks for statistics of regions.
    pub fn asks_for_statistics(&self) -> bool {
        self.columns.0.iter().any(|(_, spec)| !ShownAs::is_only_interval(&spec.publish))
            || self.workload.tasks.iter().any(|task| task.trim_start().starts_with("aggregation"))
    }
}

impl std::str::FromStr for ShownAs {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "interval" => Ok(ShownAs::Interval),
            "range" => Ok(ShownAs::Range),
            "mean" => Ok(ShownAs::Mean),
            other => Err(Error::params(format!("a region can't be published as '{other}'")).hint(
                "the forms are interval (the generalized text), range (minimum and maximum) \
                    and mean",
            )),
        }
    }
}
