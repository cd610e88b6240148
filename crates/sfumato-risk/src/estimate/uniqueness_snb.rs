//! Population uniqueness by the shifted negative binomial distribution of Chen and Keller-McNulty.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::uniques::Uniques;

/// The risk `uniqueness-snb`, an entry of the registry.
pub struct UniquenessSnb;

static INFO: Info = Info {
    name: "uniqueness-snb",
    summary: "estimated share of people who are unique in the population, by a shifted negative \
        binomial",
    papers: &[Paper {
        authors: "G. Chen, S. Keller-McNulty",
        title: "Estimation of identification disclosure risk in microdata",
        venue: "Journal of Official Statistics 14(1)",
        year: 1998,
    }],
    params: &[],
    doc: "\
The size of a class of the population is taken to be 1 plus a negative binomial number with r \
successes, and each person to be in the
sample with the same chance p. The number K of classes of the population and r are chosen such \
that the sample is expected to have as
many classes and as many uniques as it has; the mean size is `population / K`. The value is the \
share of the population that is alone
in its class, `K q^r / population` with `q = r / (r + mean - 1)`.

**Attacker**: anyone with a register of the population, who knows of a person unique there that no \
one else is meant.

**Range** 0 to 1, at most `uniques`. No value without a population, and none where no K and r \
explain the sample. When the population
isn't larger than the data, it is `uniques`. **No classes**: no value.

**Differs from the paper** in how K is found: it takes an estimate from elsewhere, here two counts \
of the sample give both numbers.
",
    ..Info::DEFAULT
};

/// How many numbers of classes are tried before the best place between two is halved.
const TRIED: usize = 400;

impl Risk for UniquenessSnb {
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
        let sample = Sample {
            population: population as f64,
            drawn: people as f64 / population as f64,
            classes: sizes.classes() as f64,
            uniques: uniques * people as f64,
        };
        sample.fit().map(|share| share.min(uniques))
    }
}

struct Sample {
    population: f64,
    /// The share of the population that is in the sample.
    drawn: f64,
    classes: f64,
    uniques: f64,
}

impl Sample {
    /// The r with which so many classes of the population leave the sample's classes. `None` if
    /// none does.
    fn successes(&self, classes: f64) -> Option<f64> {
        let more = self.population / classes - 1.0;
        let unseen = 1.0 - self.classes / classes;
        // The chance that a class isn't in the sample falls with r, from 1 - p.
        let chance = |log: f64| {
            let r = log.exp();
            (1.0 - self.drawn) * (-r * (more * self.drawn / r).ln_1p()).exp()
        };
        let (mut low, mut high) = (-20.0f64, 20.0f64);
        if chance(low) < unseen || chance(high) > unseen {
            return None;
        }
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            *(if chance(middle) > unseen { &mut low } else { &mut high }) = middle;
        }
        Some((0.5 * (low + high)).exp())
    }

    /// How many more uniques the sample is expected to have than it has.
    fn excess(&self, classes: f64) -> Option<f64> {
        let r = self.successes(classes)?;
        let more = self.population / classes - 1.0;
        let part = (-r * (more * self.drawn / r).ln_1p()).exp();
        let one =
            self.drawn * part * (1.0 + (1.0 - self.drawn) * r * more / (r + more * self.drawn));
        Some(classes * one - self.uniques)
    }

    /// The share of the population that is alone.
    fn fit(&self) -> Option<f64> {
        let place = |at: usize| {
            let share = at as f64 / TRIED as f64;
            self.classes * (self.population / self.classes).powf(share)
        };
        let tried: Vec<(f64, Option<f64>)> =
            (0..=TRIED).map(|at| (place(at), self.excess(place(at)))).collect();
        let (mut low, mut high) = tried.windows(2).find_map(|pair| match (pair[0], pair[1]) {
            ((low, Some(a)), (high, Some(b))) if a == 0.0 || a * b < 0.0 => Some((low, high)),
            _ => None,
        })?;
        let rising = self.excess(low)? < 0.0;
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let below = self.excess(middle)? < 0.0;
            *(if below == rising { &mut low } else { &mut high }) = middle;
        }
        let classes = 0.5 * (low + high);
        let r = self.successes(classes)?;
        let more = self.population / classes - 1.0;
        let alone = (-r * (more / r).ln_1p()).exp();
        Some((classes * alone / self.population).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::population::tests::draws;
    use crate::estimate::tests::{drawn_from, of};

    /// A population drawn from the distribution, and a sample of it.
    #[test]
    fn finds_what_a_simulated_population_has() {
        for (seed, fraction) in [(1, 0.3), (2, 0.4), (3, 0.7)] {
            let mut draw = draws(seed);
            // 1 plus a geometric number: r = 1, a third of the classes has one person.
            let (mut sample, mut population, mut alone) = (Vec::new(), 0u64, 0u64);
            for _ in 0..40_000 {
                let mut size = 1u64;
                while draw() > 1.0 / 3.0 {
                    size += 1;
                }
                population += size;
                alone += u64::from(size == 1);
                sample.push((0..size).filter(|_| draw() < fraction).count() as u64);
            }
            let found = UniquenessSnb.estimate(&drawn_from(population, &sample)).unwrap();
            let real = alone as f64 / population as f64;
            assert!((found / real - 1.0).abs() < 0.1, "{fraction}: {found} {real}");
        }
    }

    #[test]
    fn says_little_where_little_is_known() {
        assert_eq!(UniquenessSnb.estimate(&of(&[1, 2])), None);
        assert_eq!(UniquenessSnb.estimate(&drawn_from(3, &[1, 2])), Some(1.0 / 3.0));
        assert_eq!(UniquenessSnb.estimate(&drawn_from(99, &[2, 2])), Some(0.0));
        // All classes of two but one: no class of more than one person is so rarely cut in two.
        let mut sizes = vec![2; 200];
        sizes.push(1);
        assert_eq!(UniquenessSnb.estimate(&drawn_from(40_000, &sizes)), None);
    }
}
