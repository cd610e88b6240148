//! Population uniqueness after Zayatz: which share of the sample's uniques comes from classes of
//! one person, if classes of the population are as large as those of the sample.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::uniques::Uniques;

/// The risk `uniqueness-zayatz`, an entry of the registry.
pub struct UniquenessZayatz;

static INFO: Info = Info {
    name: "uniqueness-zayatz",
    summary: "estimated share of people who are unique in the population, from sizes in the sample",
    papers: &[Paper {
        authors: "L. V. Zayatz",
        title: "Estimation of the percent of unique population elements on a microdata file using \
            the sample",
        venue: "Statistical Research Division Report, U.S. Bureau of the Census",
        year: 1991,
    }],
    params: &[],
    doc: "\
A class of i people of the population leaves exactly one of them in a sample of n of N people with \
the hypergeometric chance
`h(i) = i C(N-i, n-1) / C(N, n)`. If as large a share of the population's classes has i people as \
of the sample's, somebody unique in
the sample is unique in the population with chance `k(1) h(1) / sum over i of k(i) h(i)`, where \
k(i) is the number of classes of the
sample with i people. Times the share of `uniques` this is the value.

**Attacker**: anyone with a register of the population, who knows of a person unique there that no \
one else is meant.

**Range** 0 to 1, at most `uniques`. No value without a population. When the population isn't \
larger than the data, it is
`uniques`. **No classes**: no value.

Classes of a sample are smaller than those of its population, so that the estimate is too high, \
and most for small samples.
",
    ..Info::DEFAULT
};

impl Risk for UniquenessZayatz {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        let population = sizes.population?;
        let uniques = Uniques.estimate(sizes)?;
        let people = sizes.people();
        if population <= people || uniques == 0.0 {
            return Some(uniques);
        }
        let (all, drawn) = (population as f64, people as f64);
        // h(i) over h(1), from one size to the next.
        let (mut chance, mut at, mut sum, mut of_uniques) = (1.0f64, 1u64, 0.0, 0.0);
        for (size, classes) in sizes.iter() {
            while at < size && chance > 1e-300 {
                let j = at as f64;
                chance *= ((all - j - drawn + 1.0) / (all - j)).max(0.0);
                at += 1;
            }
            let part = classes as f64 * size as f64 * chance;
            sum += part;
            if size == 1 {
                of_uniques = part;
            }
            if chance <= 1e-300 {
                break;
            }
        }
        Some(uniques * (of_uniques / sum).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::tests::{drawn_from, of};

    #[test]
    fn by_hand() {
        // 4 of 6 people, classes of 1, 1 and 2. h(1) = C(5,3)/C(6,4) = 10/15, h(2) = 2 C(4,3)/15 =
        // 8/15: of two uniques 2*10 / (2*10 + 1*8) stay; half of the people are uniques.
        let found = UniquenessZayatz.estimate(&drawn_from(6, &[1, 1, 2])).unwrap();
        assert!((found - 0.5 * 20.0 / 28.0).abs() < 1e-12, "{found}");
        assert_eq!(UniquenessZayatz.estimate(&of(&[1, 2])), None);
        assert_eq!(UniquenessZayatz.estimate(&drawn_from(3, &[1, 2])), Some(1.0 / 3.0));
        assert_eq!(UniquenessZayatz.estimate(&drawn_from(9, &[2, 2])), Some(0.0));
    }
}
