//! Models for baskets: one file each, listed once. A model says how large some counts (copies,
//! supporters, images, bystanders, matches, labels) must be, or judges the facts of a release
//! itself. The form counts, on what was read back.

mod at_least;
mod properties;

sfumato_core::registry! {
    /// Every model for baskets.
    dyn crate::traits::SetModel:
    k_anonymity::SetKAnonymity,
    km_anonymity::KmAnonymity,
    coherence::Coherence,
    k1_anonymity::K1Anonymity,
    one_k_anonymity::OneKAnonymity,
    kk_anonymity::KKAnonymity,
    privacy_degree::PrivacyDegree,
    nonreciprocal_k_anonymity::NonreciprocalKAnonymity,
    nonreciprocal_l_diversity::NonreciprocalLDiversity,
    rho_breach::RhoBreach,
}

use sfumato_core::registry::{self, Call, Params};
use sfumato_core::{Error, Result};

use crate::traits::{SetModel, SetRequirements};

/// Find a model by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> Result<&'static dyn SetModel> {
    registry::find("set-model", ALL, |model| model.info(), name)
}

/// Bind all models of a job with their parameters.
pub fn bind(models: &[String]) -> Result<SetRequirements> {
    if models.is_empty() {
        return Err(Error::params("no privacy model was asked for").hint(
            "say -k 10, or --model 'k1-anonymity(k=10)'; 'sfumato list set-models' shows all",
        ));
    }
    let mut requirements = SetRequirements::default();
    for text in models {
        let call: Call = text.parse()?;
        let model = find(&call.name)?;
        requirements.all.push(model.bind(&Params::check(model.info(), &call.args)?)?);
    }
    Ok(requirements)
}

#[cfg(test)]
mod tests {
    use crate::traits::SetRequirement;
    use sfumato_core::ErrorKind;
    use sfumato_core::facts::Facts;
    use sfumato_core::facts::Hiding;
    use sfumato_core::registry::ParamKind;

    use super::*;

    /// A release that can't state any fact.
    struct Silent;
    impl Facts for Silent {
        fn release(&self) -> &'static str {
            "a release of nothing"
        }
    }

    /// A model bound with the smallest allowed number above 1 for each of its parameters, and its
    /// text.
    fn with_least(model: &dyn SetModel) -> (String, Box<dyn SetRequirement>) {
        let info = model.info();
        let least = |kind: ParamKind| match kind {
            ParamKind::Integer { min, .. } => min.max(2).to_string(),
            ParamKind::Number { max, .. } => max.to_string(),
            other => panic!("{}: say here what {other:?} may be", info.name),
        };
        let args: Vec<String> = info
            .params
            .iter()
            .map(|param| format!("{}={}", param.name, least(param.kind)))
            .collect();
        let words = format!("{}({})", info.name, args.join(", "));
        let mut bound = bind(std::slice::from_ref(&words)).unwrap();
        (words, bound.all.pop().unwrap())
    }

    #[test]
    fn every_model_says_its_name_and_asks_for_something() {
        for model in ALL {
            let (words, requirement) = with_least(*model);
            assert_eq!((requirement.describe(), requirement.model()), (words, model.info().name));
            // An algorithm that serves no model would do otherwise.
            let is_asked = !requirement.asks().is_empty();
            let combinations = requirement.combinations().unwrap();
            let is_drawn = requirement.amplification().is_some();
            assert!(is_asked || combinations.is_some() || is_drawn, "{}", model.info().name);
        }
    }

    #[test]
    fn no_model_holds_where_nothing_is_stated() {
        for model in ALL {
            let (words, requirement) = with_least(*model);
            let error = requirement.judge(&Silent).unwrap_err();
            assert_eq!(
                (error.kind, error.kind.exit_code()),
                (ErrorKind::Unsupported, 2),
                "{words}"
            );
            assert!(error.message.starts_with(model.info().name), "{error}");
            assert!(error.message.contains("a release of nothing doesn't state"), "{error}");
        }
    }

    #[test]
    fn models_ask_for_what_they_say() {
        let models = [
            "k-anonymity(k=3)",
            "k1-anonymity(k=7)",
            "1k-anonymity(k=4)",
            "kk-anonymity(k=5)",
            "privacy-degree(p=6)",
            "nonreciprocal-k-anonymity(k=2)",
            "nonreciprocal-l-diversity(l=5)",
        ];
        let bound = bind(&models.map(String::from)).unwrap();
        let most = |hiding| bound.at_least(hiding);
        let asked =
            [Hiding::Copies, Hiding::Supporters, Hiding::Images, Hiding::Bystanders].map(most);
        assert_eq!((asked, bound.k()), ([Some(3), Some(7), Some(5), Some(6)], 7));
        assert_eq!([Hiding::Matches, Hiding::Labels].map(most), [Some(5), Some(5)]);
        let described: Vec<String> =
            bound.all.iter().map(|requirement| requirement.describe()).collect();
        assert_eq!(described, models);
    }

    #[test]
    fn what_is_no_model_of_baskets_is_refused_by_name() {
        let refused = |model: &str| bind(&[model.to_string()]).err().unwrap();
        // That tables have it is known only above all kinds.
        assert_eq!(refused("t-closeness(t=0.2)").message, "there is no set-model 't-closeness'");
        assert!(refused("k-anonimity(k=2)").hint.unwrap().contains("k-anonymity"));
        assert!(bind(&[]).is_err());
    }
}
