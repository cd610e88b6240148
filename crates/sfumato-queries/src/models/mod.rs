//! Models for logs of queries: one file each, listed once.

sfumato_core::registry! {
    /// Every model for logs of queries.
    dyn QueryModel:
    k_anonymous_queries::KAnonymousQueries,
}

use sfumato_core::Result;
use sfumato_core::facts::{Facts, Hiding, Promises, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{self, Call, Info, Params};

/// A privacy model for logs of queries: an entry of the registry.
pub trait QueryModel: Sync {
    /// The name, summary and parameters of the model.
    fn info(&self) -> &'static Info;
    /// Bind the model to its parameters.
    fn bind(&self, params: &Params) -> Result<QueryRequirement>;
}

/// A model with its parameters: what can be read was asked by at least so many people.
pub struct QueryRequirement {
    /// The model's name.
    pub model: &'static str,
    /// The model's name with its parameters, as a user would write it.
    pub text: String,
    /// The least number of people.
    pub k: u64,
}

/// All requirements for a release. None where nothing is promised.
#[derive(Default)]
pub struct QueryRequirements(pub Vec<QueryRequirement>);

impl QueryRequirements {
    /// The largest number of people that any requirement asks for. None if nothing is required.
    pub fn k(&self) -> Option<u64> {
        self.0.iter().map(|requirement| requirement.k).max()
    }
}

impl Promises for QueryRequirements {
    fn describe(&self) -> Vec<String> {
        self.0.iter().map(|requirement| requirement.text.clone()).collect()
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let askers = Hiding::Askers;
        let judged = |requirement: &QueryRequirement| match facts.least(askers, requirement.k)? {
            None => Err(cannot_state(requirement.model, askers.describe(), facts)),
            Some(found) => {
                let promise = (requirement.model, requirement.text.clone());
                Ok(Guarantee::at_least(promise, (askers.measure(), "query"), requirement.k, found))
            }
        };
        self.0.iter().map(judged).collect()
    }
}

/// Bind all models of a job with their parameters. A job may have none: then nothing is promised.
pub fn bind(models: &[String]) -> Result<QueryRequirements> {
    let mut requirements = QueryRequirements::default();
    for text in models {
        let call: Call = text.parse()?;
        let model = registry::find("query-model", ALL, |model| model.info(), &call.name)?;
        requirements.0.push(model.bind(&Params::check(model.info(), &call.args)?)?);
    }
    Ok(requirements)
}
