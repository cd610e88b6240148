//! Population uniqueness by the rule of Dankar and others: which estimate to trust for a sample.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::uniqueness_pitman::UniquenessPitman;
use crate::estimate::uniqueness_snb::UniquenessSnb;
use crate::estimate::uniqueness_zayatz::UniquenessZayatz;

/// The risk `uniqueness-dankar`, an entry of the registry.
pub struct UniquenessDankar;

static INFO: Info = Info {
    name: "uniqueness-dankar",
    summary: "estimated share of people who are unique in the population, by the estimate fit for \
        the sample",
    papers: &[Paper {
        authors: "F. K. Dankar, K. El Emam, A. Neisa, T. Roffey",
        title: "Estimating the re-identification risk of clinical data sets",
        venue: "BMC Medical Informatics and Decision Making 12",
        year: 2012,
    }],
    params: &[],
    doc: "\
Where at most a tenth of the population is in the data, it is `uniqueness-pitman`; otherwise the \
smaller of `uniqueness-zayatz` and
`uniqueness-snb`, as far as they say something.

**Attacker**: anyone with a register of the population, who knows of a person unique there that no \
one else is meant.

**Range** 0 to 1, at most `uniques`. No value without a population. **No classes**: no value.
",
    ..Info::DEFAULT
};

/// The largest share of the population for which Pitman's formula is taken.
const SMALL: f64 = 0.1;

impl Risk for UniquenessDankar {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        let population = sizes.population?;
        if sizes.people() as f64 <= SMALL * population as f64 {
            return UniquenessPitman.estimate(sizes);
        }
        let both = [UniquenessZayatz.estimate(sizes), UniquenessSnb.estimate(sizes)];
        both.into_iter().flatten().reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::tests::drawn_from;

    #[test]
    fn the_sample_decides() {
        let sizes = [1, 1, 1, 2, 2, 3, 5];
        let small = drawn_from(1000, &sizes);
        assert_eq!(UniquenessDankar.estimate(&small), UniquenessPitman.estimate(&small));
        let large = drawn_from(40, &sizes);
        let both = [UniquenessZayatz.estimate(&large), UniquenessSnb.estimate(&large)];
        let least = both.into_iter().flatten().reduce(f64::min);
        assert!(least.is_some());
        assert_eq!(UniquenessDankar.estimate(&large), least);
    }
}
