//! Journalist risk: the prosecutor risk when it is not known whether the target is in the data.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::population;

/// The risk `journalist`, an entry of the registry.
pub struct Journalist;

static INFO: Info = Info {
    name: "journalist",
    summary: "chance to link the easiest record to the right person of the population",
    papers: &[
        Paper {
            authors: "K. El Emam, F. K. Dankar",
            title: "Protecting Privacy Using k-Anonymity",
            venue: "Journal of the American Medical Informatics Association 15(5)",
            year: 2008,
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
Largest over classes of the estimated mean of `1 / size of the class in the population`.

**Attacker** (the journalist): has a register of the whole population, takes a record of the class \
easiest to attack, and names
one of the people of the population who fit it.

How large the classes are in the population isn't known. Each is estimated from its size f in the \
data and the sampling fraction
`p = people / population` after Benedetti and Franconi: given f, the size F in the population is f \
plus a negative binomial count,
each person having been drawn with chance p independently. The mean of 1/F under it is `p * \
integral over u from 0 to 1 of
u^(f-1) / (p + (1-p) u)`: 1/f when p = 1, close to p/f for large f, and `-p ln p / (1-p)` for a \
unique.

**Range** above 0 to 1, at most `prosecutor-max`, and equal to it when the population is the data \
itself. When no population is given
that is assumed, the worst case; a population smaller than the data is read as the data. **No \
classes**: no value.

An estimate for a record of that class on average, not a bound: among thousands of uniques of a \
sample some are unique in
the population too (see `uniqueness-pitman`), and an attacker who knows which wins. It assumes \
that people were drawn independently of
their quasi values.
",
    ..Info::DEFAULT
};

impl Risk for Journalist {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        // The estimate falls with the size, so the smallest class has the largest.
        let smallest = sizes.smallest()?;
        Some(population::mean_reciprocal(smallest, population::sampling_fraction(sizes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::prosecutor_max::ProsecutorMax;
    use crate::estimate::tests::{drawn_from, of};

    #[test]
    fn is_the_prosecutors_when_the_population_is_the_data() {
        for sizes in [vec![1], vec![3, 4], vec![7; 20], vec![1_000_000]] {
            let people = sizes.iter().sum();
            let prosecutor = ProsecutorMax.estimate(&of(&sizes));
            assert_eq!(Journalist.estimate(&of(&sizes)), prosecutor);
            assert_eq!(Journalist.estimate(&drawn_from(people, &sizes)), prosecutor);
            assert_eq!(Journalist.estimate(&drawn_from(people / 2, &sizes)), prosecutor);
            assert!(Journalist.estimate(&drawn_from(people * 10, &sizes)) < prosecutor);
        }
    }

    #[test]
    fn a_unique_in_a_tenth_of_the_population() {
        let risk = Journalist.estimate(&drawn_from(70, &[1, 2, 4])).unwrap();
        assert!((risk - 0.1 * 10f64.ln() / 0.9).abs() < 1e-15);
    }
}
