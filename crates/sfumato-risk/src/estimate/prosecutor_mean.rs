//! The mean prosecutor risk of people: the number of classes divided by the number of people.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

/// The risk `prosecutor-mean`, an entry of the registry.
pub struct ProsecutorMean;

static INFO: Info = Info {
    name: "prosecutor-mean",
    summary: "mean chance over all people to pick the right record of one known to be there",
    papers: &[
        Paper {
            authors: "K. El Emam, F. K. Dankar",
            title: "Protecting Privacy Using k-Anonymity",
            venue: "Journal of the American Medical Informatics Association 15(5)",
            year: 2008,
        },
        Paper {
            authors: "K. El Emam",
            title: "Guide to the De-Identification of Personal Health Information",
            venue: "CRC Press",
            year: 2013,
        },
    ],
    params: &[],
    doc: "\
Mean over people of `1 / size of the class`, which is `classes / people`.

**Attacker** (the prosecutor): as in `prosecutor-max`, with the target drawn at random among the \
people in the data.

**Range** above 0 to 1, at most `prosecutor-max`. A known population doesn't lower it. **No \
classes**: no value.
",
    ..Info::DEFAULT
};

impl Risk for ProsecutorMean {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        let people = sizes.people();
        (people > 0).then(|| sizes.classes() as f64 / people as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::tests::of;
    use proptest::prelude::*;

    #[test]
    fn the_patients_of_the_book() {
        assert_eq!(ProsecutorMean.estimate(&of(&[1, 1, 1, 2, 2])), Some(5.0 / 7.0));
        assert_eq!(ProsecutorMean.estimate(&of(&[3, 4])), Some(2.0 / 7.0));
        assert_eq!(ProsecutorMean.estimate(&of(&[9])), Some(1.0 / 9.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn agrees_with_person_by_person(sizes in prop::collection::vec(0..50u64, 0..40)) {
            let people: Vec<f64> =
                sizes.iter().flat_map(|size| std::iter::repeat_n(1.0 / *size as f64,
                    *size as usize)).collect();
            match ProsecutorMean.estimate(&of(&sizes)) {
                None => prop_assert!(people.is_empty()),
                Some(mean) => prop_assert!((mean - people.iter()
                    .sum::<f64>() / people.len() as f64).abs() < 1e-12),
            }
        }
    }
}
