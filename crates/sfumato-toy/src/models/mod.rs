//! Models for numbers: one file each, listed once.

sfumato_core::registry! {
    /// Every model for numbers.
    dyn NumberModel:
    crowd::Crowd,
}

use sfumato_core::facts::{Facts, Hiding, Promises, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{self, Call, Info, Params};
use sfumato_core::{Error, Result};

/// A privacy model for numbers: an entry of the registry.
pub trait NumberModel: Sync {
    /// The name, summary and parameters of the model.
    fn info(&self) -> &'static Info;
    /// Bind the model to its parameters.
    fn bind(&self, params: &Params) -> Result<NumberRequirement>;
}

/// A model with its parameters: each published number stands for at least so many records.
pub struct NumberRequirement {
    /// The model's name.
    pub model: &'static str,
    /// The model's name with its parameters, as a user would write it.
    pub text: String,
    /// The least number of records.
    pub k: u64,
}

/// All requirements for a release.
pub struct NumberRequirements(Vec<NumberRequirement>);

impl NumberRequirements {
    /// The largest number of records that any requirement asks for.
    pub fn k(&self) -> u64 {
        self.0.iter().map(|requirement| requirement.k).max().unwrap_or(1)
    }
}

impl Promises for NumberRequirements {
    fn describe(&self) -> Vec<String> {
        self.0.iter().map(|requirement| requirement.text.clone()).collect()
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let copies = Hiding::Copies;
        let judged = |requirement: &NumberRequirement| match facts.least(copies, requirement.k)? {
            None => Err(cannot_state(requirement.model, copies.describe(), facts)),
            Some(found) => {
                let promise = (requirement.model, requirement.text.clone());
                Ok(Guarantee::at_least(promise, (copies.measure(), "class"), requirement.k, found))
            }
        };
        self.0.iter().map(judged).collect()
    }
}

/// Bind all models of a job with their parameters.
pub fn bind(models: &[String]) -> Result<NumberRequirements> {
    if models.is_empty() {
        return Err(Error::params("no privacy model was asked for")
            .hint("write models = [\"crowd(k=3)\"] under [privacy]"));
    }
    let mut requirements = Vec::new();
    for text in models {
        let call: Call = text.parse()?;
        let model = registry::find("toy-model", ALL, |model| model.info(), &call.name)?;
        requirements.push(model.bind(&Params::check(model.info(), &call.args)?)?);
    }
    Ok(NumberRequirements(requirements))
}
