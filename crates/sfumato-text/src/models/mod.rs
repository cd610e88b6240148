//! Models for documents: one file each, listed once.

sfumato_core::registry! {
    /// Every model for documents.
    dyn TextModel:
    k_safety::KSafety,
}

use sfumato_core::facts::{Fact, Facts, Promises, Together, cannot_state};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{self, Call, Info, Params};
use sfumato_core::{Error, Result};

/// A privacy model for documents: an entry of the registry.
pub trait TextModel: Sync {
    /// The name, summary and parameters of the model.
    fn info(&self) -> &'static Info;
    /// Bind the model to its parameters.
    fn bind(&self, params: &Params) -> Result<CoverRequirement>;
}

/// A model with its parameters: what documents say of a protected entity is true of at least so
/// many others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverRequirement {
    /// The model's name.
    pub model: &'static str,
    /// The model's name with its parameters, as a user would write it.
    pub text: String,
    /// The least number of other entities.
    pub k: u64,
    /// Which documents combine.
    pub over: Together,
}

/// All requirements for a release.
#[derive(Debug, Clone, Default)]
pub struct CoverRequirements(pub Vec<CoverRequirement>);

impl Promises for CoverRequirements {
    fn describe(&self) -> Vec<String> {
        self.0.iter().map(|requirement| requirement.text.clone()).collect()
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let judged =
            |requirement: &CoverRequirement| match facts.covers(requirement.over, requirement.k)? {
                None => Err(cannot_state(requirement.model, Fact::Covers.describe(), facts)),
                Some(found) => {
                    let promise = (requirement.model, requirement.text.clone());
                    let measured = ("covering entities (counted up to k)", "release");
                    Ok(Guarantee::at_least(promise, measured, requirement.k, found))
                }
            };
        self.0.iter().map(judged).collect()
    }
}

/// Bind all models of a job with their parameters.
pub fn bind(models: &[String]) -> Result<CoverRequirements> {
    let mut requirements = Vec::new();
    for text in models {
        let call: Call = text.parse()?;
        let model = registry::find("text-model", ALL, |model| model.info(), &call.name)?;
        requirements.push(model.bind(&Params::check(model.info(), &call.args)?)?);
    }
    let (mut seen, mut twice) = (Vec::new(), None);
    for requirement in &requirements {
        if seen.contains(&requirement.over) {
            twice = Some(requirement.text.clone());
        }
        seen.push(requirement.over);
    }
    match twice {
        None => Ok(CoverRequirements(requirements)),
        Some(text) => Err(Error::params(format!("{text} asks again for what another model asks"))),
    }
}
