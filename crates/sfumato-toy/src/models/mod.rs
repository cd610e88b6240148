//! Models for numbers: one file each, listed once.

sfumato_core::registry! {
    /// Every model for numbers.
    dyn sfumato_core::sets::SetModel:
    crowd::Crowd,
}

use sfumato_core::registry::{self, Call, Params};
use sfumato_core::sets::SetRequirements;
use sfumato_core::{Error, Result};

/// Bind all models of a job with their parameters.
pub fn bind(models: &[String]) -> Result<SetRequirements> {
    if models.is_empty() {
        return Err(Error::params("no privacy model was asked for")
            .hint("write models = [\"crowd(k=3)\"] under [privacy]"));
    }
    let mut requirements = SetRequirements::default();
    for text in models {
        let call: Call = text.parse()?;
        let model = registry::find("toy-model", ALL, |model| model.info(), &call.name)?;
        requirements.all.push(model.bind(&Params::check(model.info(), &call.args)?)?);
    }
    Ok(requirements)
}
