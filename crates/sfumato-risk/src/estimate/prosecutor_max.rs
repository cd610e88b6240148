//! The maximal prosecutor risk: one divided by the size of the smallest class.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

/// The risk `prosecutor-max`, an entry of the registry.
pub struct ProsecutorMax;

static INFO: Info = Info {
    name: "prosecutor-max",
    summary: "chance to pick the right record of the person who is easiest to find",
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
`1 / size of the smallest class`.

**Attacker** (the prosecutor): knows that one certain person is in the data and knows all of that \
person's quasi values, finds the
class, and picks one of its records. This is the chance for the person worst off.

**Range** above 0 to 1; a k-anonymous release has at most 1/k. A known population doesn't lower \
it: the attacker knows that the target is
in the data. **No classes**: no value.
",
    ..Info::DEFAULT
};

impl Risk for ProsecutorMax {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        sizes.smallest().map(|smallest| 1.0 / smallest as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::tests::of;

    #[test]
    fn the_patients_of_the_book() {
        // Table 2.2 as it is (Doug is the only lawyer of 38) and its 3-anonymous release, Table
        // 2.4.
        assert_eq!(ProsecutorMax.estimate(&of(&[1, 1, 1, 2, 2])), Some(1.0));
        assert_eq!(ProsecutorMax.estimate(&of(&[3, 4])), Some(1.0 / 3.0));
        assert_eq!(ProsecutorMax.estimate(&of(&[5, 0])), Some(0.2));
    }
}
