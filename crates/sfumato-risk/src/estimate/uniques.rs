//! Uniques: the share of people alone in their class.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::share_of_people;

/// The risk `uniques`, an entry of the registry.
pub struct Uniques;

static INFO: Info = Info {
    name: "uniques",
    summary: "share of people who are alone in their class",
    papers: &[Paper {
        authors: "L. Sweeney",
        title: "Simple Demographics Often Identify People Uniquely",
        venue: "Carnegie Mellon University, Data Privacy Working Paper 3",
        year: 2000,
    }],
    params: &[],
    doc: "\
`classes of one person / people`.

**Attacker**: anyone who knows the quasi values of somebody in the data; a unique person's record \
is found for certain.

**Range** 0 to 1; a k-anonymous release with k of 2 or more has 0. Unique in the data need not \
mean unique in the population: see
`uniqueness-pitman`. **No classes**: no value.
",
    ..Info::DEFAULT
};

impl Risk for Uniques {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        share_of_people(sizes, |size| size == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::tests::of;

    #[test]
    fn the_patients_of_the_book() {
        assert_eq!(Uniques.estimate(&of(&[1, 1, 1, 2, 2])), Some(3.0 / 7.0));
        assert_eq!(Uniques.estimate(&of(&[3, 4])), Some(0.0));
        assert_eq!(Uniques.estimate(&of(&[1])), Some(1.0));
    }
}
