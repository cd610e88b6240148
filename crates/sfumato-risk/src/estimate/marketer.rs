//! Marketer risk: the expected share of correct links if all records are linked.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::population;

/// The risk `marketer`, an entry of the registry.
pub struct Marketer;

static INFO: Info = Info {
    name: "marketer",
    summary: "expected share of records linked correctly when all are linked",
    papers: &[
        Paper {
            authors: "F. K. Dankar, K. El Emam",
            title: "A Method for Evaluating Marketer Re-identification Risk",
            venue: "EDBT/ICDT Workshops",
            year: 2010,
        },
        Paper {
            authors: "R. Benedetti, L. Franconi",
            title: "Statistical and Technological Solutions for Controlled Data Dissemination",
            venue: "New Techniques and Technologies for Statistics",
            year: 1998,
        },
    ],
    params: &[],
    doc: "\
`sum over classes of size * estimated mean of 1 / size in the population, over people`.

**Attacker** (the marketer): has a register of the whole population and links every record of the \
release to one of the people who
fit it; a share of right links is enough, which ones they are doesn't matter.

How large the classes are in the population isn't known. Each is estimated from its size f in the \
data and the sampling fraction
`p = people / population` after Benedetti and Franconi: given f, the size F in the population is f \
plus a negative binomial count,
each person having been drawn with chance p independently. The mean of 1/F under it is `p * \
integral over u from 0 to 1 of
u^(f-1) / (p + (1-p) u)`: 1/f when p = 1, close to p/f for large f, and `-p ln p / (1-p)` for a \
unique.

**Range** above 0 to 1. When the population is the data itself this is `classes / people`, the \
same as `prosecutor-mean`. When no
population is given that is assumed, the worst case; a population smaller than the data is read as \
the data. **No classes**: no value.

It assumes that people were drawn independently of their quasi values.
",
    ..Info::DEFAULT
};

impl Risk for Marketer {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        let people = sizes.people();
        let fraction = population::sampling_fraction(sizes);
        let links = sizes.iter().map(|(size, classes)| {
            // Each class of this size gets size * E[1/F] right; for the data itself exactly 1.
            classes as f64 * (size as f64 * population::mean_reciprocal(size, fraction)).min(1.0)
        });
        (people > 0).then(|| links.sum::<f64>() / people as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::population::tests::draws;
    use crate::estimate::tests::{drawn_from, of};

    #[test]
    fn is_classes_over_people_when_the_population_is_the_data() {
        assert_eq!(Marketer.estimate(&of(&[3, 4])), Some(2.0 / 7.0));
        assert_eq!(Marketer.estimate(&drawn_from(7, &[1, 1, 1, 2, 2])), Some(5.0 / 7.0));
        assert_eq!(Marketer.estimate(&drawn_from(1, &[9])), Some(1.0 / 9.0));
    }

    /// The true share of correct links, counted in a simulated population, compared with the
    /// estimate from the sample alone. As the estimate assumes, sizes are as frequent as 1/size, up
    /// to a bound that few records reach.
    #[test]
    fn agrees_with_a_simulated_population() {
        for (seed, fraction) in [(1, 0.1), (2, 0.4), (3, 0.8)] {
            let (mut sample, mut population, mut right) = (Vec::new(), 0u64, 0.0);
            let mut draw = draws(seed);
            for size in
                (1..400u64).flat_map(|size| std::iter::repeat_n(size, 12_000 / size as usize))
            {
                let drawn = (0..size).filter(|_| draw() < fraction).count() as u64;
                population += size;
                right += drawn as f64 / size as f64;
                sample.push(drawn);
            }
            let people: u64 = sample.iter().sum();
            let estimate = Marketer.estimate(&drawn_from(population, &sample)).unwrap();
            let real = right / people as f64;
            assert!((estimate / real - 1.0).abs() < 0.02, "{fraction}: {estimate} {real}");
        }
    }
}
