//! Models for baskets: one file each, listed once. A model says which of a few counts (copies, supporters, images, bystanders, matches, labels) must be at
//! least how large; counting is the engine's, on the written file.

mod at_least;

sfumato_core::registry! {
    /// Every model for baskets.
    dyn sfumato_core::sets::SetModel:
    k_anonymity::SetKAnonymity,
    k1_anonymity::K1Anonymity,
    one_k_anonymity::OneKAnonymity,
    kk_anonymity::KKAnonymity,
    privacy_degree::PrivacyDegree,
    nonreciprocal_k_anonymity::NonreciprocalKAnonymity,
    nonreciprocal_l_diversity::NonreciprocalLDiversity,
}

use sfumato_core::registry::{self, Call, Params};
use sfumato_core::sets::{SetModel, SetRequirements};
use sfumato_core::{Error, Result};

/// The model of a name; the error hints at near names.
pub fn find(name: &str) -> Result<&'static dyn SetModel> {
    registry::find("set-model", ALL, |model| model.info(), name)
}

/// All models of a job, with their parameters.
pub fn bind(models: &[String]) -> Result<SetRequirements> {
    if models.is_empty() {
        return Err(Error::params("no privacy model was asked for")
            .hint("say -k 10, or --model 'k1-anonymity(k=10)'; 'sfumato list set-models' shows all"));
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
    use sfumato_core::sets::Hiding;

    use super::*;

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
        let asked = [Hiding::Copies, Hiding::Supporters, Hiding::Images, Hiding::Bystanders].map(most);
        assert_eq!((asked, bound.k()), ([Some(3), Some(7), Some(5), Some(6)], 7));
        assert_eq!([Hiding::Matches, Hiding::Labels].map(most), [Some(5), Some(5)]);
        let described: Vec<String> = bound.all.iter().map(|requirement| requirement.describe()).collect();
        assert_eq!(described, models);
    }

    #[test]
    fn what_is_for_tables_is_refused_by_name() {
        let refused = |model: &str| bind(&[model.to_string()]).err().unwrap();
        assert!(refused("t-closeness(t=0.2)").message.contains("is a model for tables"));
        assert!(refused("k-anonimity(k=2)").hint.unwrap().contains("k-anonymity"));
        assert!(bind(&[]).is_err());
    }
}
