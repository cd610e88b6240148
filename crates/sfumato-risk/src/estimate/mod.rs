//! Risks estimated from the sizes of classes. They are probabilities for a stated attacker, not
//! promises, and depend only on sizes: they say nothing about what sensitive values reveal.
//!
//! Sizes are counted in people: if a table has a subject column, a class of ten rows of one person
//! has size one. A size of 0 is no class and is ignored.

mod population;

use sfumato_core::traits::{ClassSizes, Risk};

sfumato_core::registry! {
    /// All risks, in the order of the catalogue.
    dyn Risk:
    prosecutor_max::ProsecutorMax,
    prosecutor_mean::ProsecutorMean,
    journalist::Journalist,
    marketer::Marketer,
    uniques::Uniques,
    share_at_risk::ShareAtRisk,
    uniqueness_pitman::UniquenessPitman,
    uniqueness_zayatz::UniquenessZayatz,
    uniqueness_snb::UniquenessSnb,
    uniqueness_dankar::UniquenessDankar,
    uniqueness_data_intrusion::UniquenessDataIntrusion,
}

/// Find a risk by its name. The error for an unknown name hints at similar names.
pub fn find(name: &str) -> sfumato_core::Result<&'static dyn Risk> {
    sfumato_core::registry::find("risk", ALL, |risk| risk.info(), name)
}

/// The share of people in classes for which a condition holds. `None` if there are no people.
fn share_of_people(sizes: &ClassSizes, condition: impl Fn(u64) -> bool) -> Option<f64> {
    let chosen: u64 = sizes
        .iter()
        .filter(|(size, _)| condition(*size))
        .map(|(size, classes)| size * classes)
        .sum();
    let people = sizes.people();
    (people > 0).then(|| chosen as f64 / people as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) fn of(sizes: &[u64]) -> ClassSizes {
        ClassSizes::from_sizes(sizes.iter().copied())
    }
    pub(crate) fn drawn_from(population: u64, sizes: &[u64]) -> ClassSizes {
        of(sizes).drawn_from(Some(population))
    }

    #[test]
    fn every_entry_is_documented_and_found() {
        for risk in ALL {
            let info = risk.info();
            assert_eq!(find(info.name).unwrap().info().name, info.name);
            assert!(!info.papers.is_empty() && !info.summary.is_empty(), "{}", info.name);
            for part in ["**Attacker**", "**Range**", "**No classes**"] {
                assert!(info.doc.contains(part), "{} doesn't say {part}", info.name);
            }
            assert_eq!(ALL.iter().filter(|other| other.info().name == info.name).count(), 1);
        }
        let error = find("journalst").err().unwrap();
        assert_eq!(error.to_string(), "there is no risk 'journalst'");
    }

    #[test]
    fn nobody_means_no_risk_is_said() {
        for risk in ALL {
            for sizes in [of(&[]), of(&[0, 0]), drawn_from(100, &[]), drawn_from(0, &[0])] {
                assert_eq!(risk.estimate(&sizes), None, "{}", risk.info().name);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn risks_are_shares_and_classes_have_no_order(
            mut sizes in prop::collection::vec(0..40u64, 1..60),
            more in prop_oneof![Just(None), (0..10_000u64).prop_map(Some)],
        ) {
            let with = |sizes: &[u64]| {
                let people: u64 = sizes.iter().sum();
                of(sizes).drawn_from(more.map(|more| people + more))
            };
            let before: Vec<_> = ALL.iter().map(|risk| risk.estimate(&with(&sizes))).collect();
            for (risk, value) in ALL.iter().zip(&before) {
                prop_assert!(value.is_none_or(|x| (0.0..=1.0).contains(&x)),
                    "{} {value:?}", risk.info().name);
            }
            sizes.reverse();
            sizes.retain(|size| *size > 0);
            let after: Vec<_> = ALL.iter().map(|risk| risk.estimate(&with(&sizes))).collect();
            prop_assert_eq!(before, after);
        }

        #[test]
        fn merging_two_classes_never_raises_a_risk(sizes in prop::collection::vec(1..40u64, 2..60),
            n in 0..10_000u64) {
            let people: u64 = sizes.iter().sum();
            let mut merged = sizes.clone();
            let last = merged.pop().unwrap();
            merged[0] += last;
            // Estimates of a population look at how sizes are spread, and may rise.
            let is_count = |risk: &&&dyn Risk| !risk.info().name.starts_with("uniqueness-");
            for risk in ALL.iter().filter(is_count) {
                let value = |sizes: &[u64]| risk.estimate(&drawn_from(people + n, sizes)).unwrap();
                prop_assert!(value(&merged) <= value(&sizes) * (1.0 + 1e-12), "{}",
                    risk.info().name);
            }
        }
    }
}
