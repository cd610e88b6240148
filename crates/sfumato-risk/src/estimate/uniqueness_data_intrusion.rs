//! Data intrusion simulation: how often a match with somebody unique in the sample is right, from
//! the numbers of uniques and of pairs.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::population;
use crate::estimate::uniques::Uniques;

/// The risk `uniqueness-data-intrusion`, an entry of the registry.
pub struct UniquenessDataIntrusion;

static INFO: Info = Info {
    name: "uniqueness-data-intrusion",
    summary: "share of people who are unique in the sample, times how often a match with one is \
        right",
    papers: &[Paper {
        authors: "C. J. Skinner, M. J. Elliot",
        title: "A measure of disclosure risk for microdata",
        venue: "Journal of the Royal Statistical Society B 64(4)",
        year: 2002,
    }],
    params: &[],
    doc: "\
With sampling fraction p, U people unique in the data and P classes of two, a match of somebody of \
the population with a unique of the
data is right with the estimated chance `p U / (p U + 2 (1 - p) P)`: taking one of a pair out of \
the data at random leaves a unique that
somebody else matches. Times the share of `uniques` this is the value. It assumes nothing about \
the sizes of classes.

**Attacker**: takes somebody of the population who matches a unique of the data, and says that it \
is the person.

**Range** 0 to 1, at most `uniques`. When no population is given it is taken to be the data, and \
the value is `uniques`.
**No classes**: no value.
",
    ..Info::DEFAULT
};

impl Risk for UniquenessDataIntrusion {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        let uniques = Uniques.estimate(sizes)?;
        if uniques == 0.0 {
            return Some(0.0);
        }
        let p = population::sampling_fraction(sizes);
        let of_size = |size: u64| {
            sizes.iter().find(|(n, _)| *n == size).map_or(0.0, |(_, classes)| classes as f64)
        };
        let right = p * of_size(1);
        Some(uniques * right / (right + 2.0 * (1.0 - p) * of_size(2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::population::tests::draws;
    use crate::estimate::tests::{drawn_from, of};

    #[test]
    fn by_hand() {
        assert_eq!(UniquenessDataIntrusion.estimate(&of(&[1, 2])), Some(1.0 / 3.0));
        // p = 1/2: U = 2, P = 1: 1 / (1 + 1).
        let found = UniquenessDataIntrusion.estimate(&drawn_from(8, &[1, 1, 2])).unwrap();
        assert!((found - 0.5 * 0.5).abs() < 1e-12, "{found}");
        assert_eq!(UniquenessDataIntrusion.estimate(&drawn_from(8, &[2, 2])), Some(0.0));
    }

    /// Whoever of a simulated population matches a unique of the sample: how many are that person.
    #[test]
    fn agrees_with_a_simulated_intruder() {
        let (mut draw, fraction) = (draws(5), 0.2);
        let (mut sample, mut population, mut right, mut matches) = (Vec::new(), 0u64, 0.0, 0.0);
        for size in (1..30u64).flat_map(|size| std::iter::repeat_n(size, 4000 / size as usize)) {
            let drawn = (0..size).filter(|_| draw() < fraction).count() as u64;
            population += size;
            if drawn == 1 {
                right += 1.0;
                matches += size as f64;
            }
            sample.push(drawn);
        }
        let sizes = drawn_from(population, &sample);
        let chance =
            UniquenessDataIntrusion.estimate(&sizes).unwrap() / Uniques.estimate(&sizes).unwrap();
        assert!((chance / (right / matches) - 1.0).abs() < 0.1, "{chance} {}", right / matches);
    }
}
