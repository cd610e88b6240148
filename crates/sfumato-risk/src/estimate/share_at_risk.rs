//! Records at risk: the share of people in classes that are too small by common rules.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::share_of_people;

/// Classes smaller than this are at risk.
pub const SMALLEST_SAFE: u64 = 5;

/// The risk `share-at-risk`, an entry of the registry.
pub struct ShareAtRisk;

static INFO: Info = Info {
    name: "share-at-risk",
    summary: "share of people in classes of fewer than 5",
    papers: &[Paper {
        authors: "K. El Emam",
        title: "Guide to the De-Identification of Personal Health Information",
        venue: "CRC Press",
        year: 2013,
    }],
    params: &[],
    doc: "\
`people in classes of fewer than 5 / people`: those whose prosecutor risk is above 0.2.

**Attacker** (the prosecutor): knows that one certain person is in the data and that person's \
quasi values.

The threshold is fixed at 5, the smallest cell size that many health data custodians and \
statistical offices allow. It isn't a
legal limit; where another rule holds, ask for that k with a privacy model.

**Range** 0 to 1; a 5-anonymous release has 0. **No classes**: no value.
",
    ..Info::DEFAULT
};

impl Risk for ShareAtRisk {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        share_of_people(sizes, |size| size < SMALLEST_SAFE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::tests::of;

    #[test]
    fn five_is_safe_and_four_is_not() {
        assert_eq!(ShareAtRisk.estimate(&of(&[4, 5, 1])), Some(0.5));
        assert_eq!(ShareAtRisk.estimate(&of(&[5, 50])), Some(0.0));
        assert_eq!(ShareAtRisk.estimate(&of(&[3, 4])), Some(1.0));
    }
}
