//! What will run, as plain data: names and parameters as text. It can be saved, shown and sent
//! elsewhere, and is bound to data late, by a form.

use serde::{Deserialize, Serialize};

use crate::job::{Effort, Engine, Job, MaxSuppression};
use crate::kind::Common;

/// The plan of a job.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What a record is.
    pub kind: String,
    /// What is published of it.
    pub form: String,
    /// The algorithm with all its parameters, as `name(param=value, ...)`; never `auto`.
    pub algorithm: String,
    /// What must hold, as `name(param=value, ...)`.
    pub models: Vec<String>,
    /// The metric to keep low.
    pub metric: String,
    /// How long to look for something better.
    pub effort: Effort,
    /// How many records may be suppressed; none if nothing was said.
    #[serde(default, skip_serializing_if = "MaxSuppression::is_unsaid")]
    pub max_suppression: MaxSuppression,
    /// In memory, or out of core.
    pub engine: Engine,
    /// How much memory may be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Where random choices start from; nobody knows without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Plan {
    /// The plan of a job whose algorithm was chosen.
    pub fn new((kind, form): (&str, &str), job: &Common<'_>, algorithm: String) -> Self {
        Plan {
            kind: kind.into(),
            form: form.into(),
            algorithm,
            models: job.privacy.models.clone(),
            metric: job.recode.metric.clone(),
            effort: job.recode.effort,
            max_suppression: job.privacy.max_suppression,
            engine: job.run.engine,
            memory: job.run.memory.clone(),
            seed: job.run.seed,
        }
    }

    /// Make a job run by this plan, whatever it said itself. The job still says what its records
    /// are and where the release goes; a form binds the names to them when it reads the data.
    pub fn bind(&self, job: &mut Job) {
        job.set("recode", "algorithm", self.algorithm.as_str());
        job.set("recode", "metric", self.metric.as_str());
        job.set("recode", "effort", self.effort.name());
        job.set("privacy", "models", self.models.clone());
        match self.max_suppression.is_unsaid() {
            true => job.unset("privacy", "max_suppression"),
            false => job.set("privacy", "max_suppression", self.max_suppression.to_string()),
        }
        job.set("run", "engine", self.engine.name());
        match &self.memory {
            Some(memory) => job.set("run", "memory", memory.as_str()),
            None => job.unset("run", "memory"),
        }
        match self.seed {
            // A job has no larger seeds: they are refused when it is read.
            Some(seed) => job.set("run", "seed", i64::try_from(seed).unwrap_or(i64::MAX)),
            None => job.unset("run", "seed"),
        }
    }
}
