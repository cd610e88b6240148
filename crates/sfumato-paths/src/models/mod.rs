//! Models for paths: one file each, listed once. A model asks about sequences or about tracks; the
//! form counts, on what was read back.

sfumato_core::registry! {
    /// Every model for paths.
    dyn PathModel:
    lkc_privacy::LkcPrivacy,
    k_delta_anonymity::KDeltaAnonymity,
    mob_k_anonymity::MobKAnonymity,
    flow_size::FlowSize,
}

use sfumato_core::facts::{Facts, Promises};
use sfumato_core::group::Guarantee;
use sfumato_core::registry::{self, Call, Info, Params};
use sfumato_core::sequences::AskedSequences;
use sfumato_core::{Error, Result};

pub use k_delta_anonymity::AskedTracks;
pub use mob_k_anonymity::AskedRegions;

/// A privacy model for paths: an entry of the registry.
pub trait PathModel: Sync {
    /// The name, summary and parameters of the model.
    fn info(&self) -> &'static Info;
    /// Bind the model to its parameters.
    fn bind(&self, params: &Params) -> Result<Box<dyn PathRequirement>>;
}

/// A model with its parameters.
pub trait PathRequirement: Send + Sync {
    /// The model's name with its parameters, as a user would write it.
    fn describe(&self) -> String;
    /// The model's name.
    fn model(&self) -> &'static str;
    /// What it promises, in words for a plan.
    fn words(&self) -> String;
    /// What it asks about sequences.
    fn sequences(&self) -> Option<&AskedSequences> {
        None
    }
    /// What it asks of tracks.
    fn tracks(&self) -> Option<AskedTracks> {
        None
    }
    /// What it asks of tracks of regions.
    fn regions(&self) -> Option<&AskedRegions> {
        None
    }
    /// The least number of people that a count of flows must have.
    fn flows(&self) -> Option<u64> {
        None
    }
    /// Judge it on the facts of a release. A missing fact is an error.
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>>;
}

/// All requirements for a release.
#[derive(Default)]
pub struct PathRequirements {
    /// The requirements, in the order in which they were asked for.
    pub all: Vec<Box<dyn PathRequirement>>,
}

impl PathRequirements {
    /// What is asked about sequences, in the order of the models.
    pub fn sequences(&self) -> Vec<AskedSequences> {
        self.all.iter().filter_map(|requirement| requirement.sequences().cloned()).collect()
    }
}

impl PathRequirements {
    /// What is asked of tracks, by the strictest of the models: the largest k and the smallest
    /// delta.
    pub fn tracks(&self) -> Option<AskedTracks> {
        let all = self.all.iter().filter_map(|requirement| requirement.tracks());
        all.reduce(|one, other| AskedTracks {
            k: one.k.max(other.k),
            delta: one.delta.min(other.delta),
        })
    }
}

impl PathRequirements {
    /// What is asked of tracks of regions, by the strictest of the models. An error if they don't
    /// agree on what is known.
    pub fn regions(&self) -> Result<Option<AskedRegions>> {
        let mut all = self.all.iter().filter_map(|requirement| requirement.regions());
        let Some(first) = all.next() else { return Ok(None) };
        let mut asked = first.clone();
        for other in all {
            if other.known != asked.known {
                return Err(Error::unsupported("models ask about different files of known times")
                    .hint("write all known times into one file"));
            }
            asked.k = asked.k.max(other.k);
            asked.is_strict |= other.is_strict;
        }
        Ok(Some(asked))
    }
}

impl Promises for PathRequirements {
    fn describe(&self) -> Vec<String> {
        self.all.iter().map(|requirement| requirement.describe()).collect()
    }
    fn judge(&self, facts: &dyn Facts) -> Result<Vec<Guarantee>> {
        let mut all = Vec::new();
        for requirement in &self.all {
            all.extend(requirement.judge(facts)?);
        }
        Ok(all)
    }
}

/// Find a model by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn PathModel> {
    registry::find("path-model", ALL, |model| model.info(), name)
}

/// Bind all models of a job with their parameters.
pub fn bind(models: &[String]) -> Result<PathRequirements> {
    if models.is_empty() {
        return Err(Error::params("no privacy model was asked for").hint(
            "say --model 'lkc-privacy(l=2, k=10, c=0.5)'; 'sfumato list path-models' shows all",
        ));
    }
    let mut requirements = PathRequirements::default();
    for text in models {
        let call: Call = text.parse()?;
        let model = find(&call.name)?;
        requirements.all.push(model.bind(&Params::check(model.info(), &call.args)?)?);
    }
    Ok(requirements)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A release that can't state any fact.
    struct Silent;
    impl Facts for Silent {
        fn release(&self) -> &'static str {
            "a release of nothing"
        }
    }

    #[test]
    fn no_model_holds_where_nothing_is_stated() {
        for model in ALL {
            let info = model.info();
            let call = info.sample_calls(&|_| Vec::new())[0].to_string();
            let bound = bind(std::slice::from_ref(&call)).unwrap();
            let error = bound.judge(&Silent).unwrap_err();
            assert_eq!(error.kind, sfumato_core::ErrorKind::Unsupported, "{call}");
            assert!(error.message.starts_with(info.name), "{error}");
            assert!(error.message.contains("a release of nothing doesn't state"), "{error}");
            assert!(!info.about.asks.is_empty() && !info.doc.is_empty(), "{}", info.name);
        }
        assert!(bind(&[]).is_err() && bind(&["k-anonimity(k=2)".into()]).is_err());
    }
}
