//! Population uniqueness by Pitman's sampling formula: how many of the sample's uniques are unique
//! in the population.

use sfumato_core::registry::{Info, Paper};
use sfumato_core::traits::{ClassSizes, Risk};

use crate::estimate::uniques::Uniques;

/// The risk `uniqueness-pitman`, an entry of the registry.
pub struct UniquenessPitman;

static INFO: Info = Info {
    name: "uniqueness-pitman",
    summary: "estimated share of people in the data who are unique in the whole population",
    papers: &[
        Paper {
            authors: "N. Hoshino",
            title: "Applying Pitman's Sampling Formula to Microdata Disclosure Risk Assessment",
            venue: "Journal of Official Statistics 17(4)",
            year: 2001,
        },
        Paper {
            authors: "J. Pitman",
            title: "Exchangeable and Partially Exchangeable Random Partitions",
            venue: "Probability Theory and Related Fields 102",
            year: 1995,
        },
    ],
    params: &[],
    doc: "\
The classes of the data are taken for a sample of Pitman's random partition, with parameters theta \
and alpha estimated by maximum
likelihood. In that partition somebody who joins m people joins a given class of one with chance \
`(1 - alpha) / (theta + m)`; so a
person unique among the n people of the data stays unique among the N of the population with chance
`G(theta+alpha+N-1) / G(theta+N) * G(theta+n) / G(theta+alpha+n-1)` (G is the gamma function). \
Times the share of `uniques` in the
data this is the value.

**Attacker**: anyone with a register of the population. A person unique there is named for \
certain, and, unlike with a mere unique of
the data, the attacker can know it.

**Range** 0 to 1, at most `uniques`. No value without a population. When the population isn't \
larger than the data, it is
`uniques`. If everybody in the data is unique, the likeliest population has only uniques and the \
value is 1, however small the
data. **No classes**: no value.

**Differs from the paper**, which gives the expected uniques of the whole population before \
looking at the data's own number of
classes and uniques; here the data is given and its own people are asked about.

Good where uniques are common and the data a fair random sample; a model fitted to one number per \
class can be off by half and more
where the real population isn't like Pitman's partition, most of all for samples below one in a \
hundred.

**Cost** the fit looks at distinct sizes only.
",
    ..Info::DEFAULT
};

impl Risk for UniquenessPitman {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn estimate(&self, sizes: &ClassSizes) -> Option<f64> {
        let population = sizes.population?;
        let uniques = Uniques.estimate(sizes)?;
        if population <= sizes.people() || uniques == 0.0 || uniques == 1.0 {
            return Some(uniques);
        }
        let (theta, alpha) = Partition::of(sizes).fit();
        let after = |people: u64| gamma_ratio(theta + people as f64, alpha - 1.0);
        Some(uniques * (after(population) / after(sizes.people())).min(1.0))
    }
}

/// The data that the likelihood needs. At least one class has more than one person, and at least
/// one has one.
struct Partition {
    people: u64,
    classes: u64,
    /// Sizes with the number of classes that have them.
    counts: Vec<(u64, u64)>,
}

/// The distance that alpha keeps from 0 and from 1. At the lower end the partition is practically
/// that of Ewens.
const ALPHA_EDGE: f64 = 1e-6;

impl Partition {
    fn of(sizes: &ClassSizes) -> Self {
        Partition {
            people: sizes.people(),
            classes: sizes.classes(),
            counts: sizes.iter().collect(),
        }
    }

    /// The most likely theta and alpha. The likelihood decreases as alpha approaches 1; if it
    /// already decreases at 0, alpha is 0.
    fn fit(&self) -> (f64, f64) {
        let (mut low, mut high) = (ALPHA_EDGE, 1.0 - ALPHA_EDGE);
        if self.slope_in_alpha(self.theta(low), low) > 0.0 {
            for _ in 0..60 {
                let alpha = 0.5 * (low + high);
                let rising = self.slope_in_alpha(self.theta(alpha), alpha) > 0.0;
                *(if rising { &mut low } else { &mut high }) = alpha;
            }
        }
        (self.theta(low), low)
    }

    /// The most likely theta for an alpha. It is searched as the distance from its lower end,
    /// -alpha, on a logarithmic scale.
    fn theta(&self, alpha: f64) -> f64 {
        let rising = |log: f64| self.slope_in_theta(log.exp() - alpha, alpha) > 0.0;
        let (mut low, mut high) = (-30.0, 80.0);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            *(if rising(middle) { &mut low } else { &mut high }) = middle;
        }
        (0.5f64 * (low + high)).exp() - alpha
    }

    /// Sum of 1/(theta + i alpha) for i from 1 to classes - 1.
    fn new_class_sum(&self, theta: f64, alpha: f64) -> f64 {
        harmonic(theta / alpha + 1.0, self.classes - 1) / alpha
    }

    /// Derivative of the log likelihood by theta.
    fn slope_in_theta(&self, theta: f64, alpha: f64) -> f64 {
        self.new_class_sum(theta, alpha) - harmonic(theta + 1.0, self.people - 1)
    }

    /// Derivative of the log likelihood by alpha.
    fn slope_in_alpha(&self, theta: f64, alpha: f64) -> f64 {
        let grown = self
            .counts
            .iter()
            .map(|(size, classes)| *classes as f64 * harmonic(1.0 - alpha, size - 1));
        ((self.classes - 1) as f64 - theta * self.new_class_sum(theta, alpha)) / alpha
            - grown.sum::<f64>()
    }
}

/// The number from which sums are replaced by integrals (Euler and Maclaurin, by midpoints): the
/// first omitted term is below 1e-11.
const SMOOTH: f64 = 32.0;

/// The sum 1/x + 1/(x+1) + ... of `terms` terms, for x > 0.
fn harmonic(mut x: f64, mut terms: u64) -> f64 {
    let mut sum = 0.0;
    while terms > 0 && x < SMOOTH {
        sum += 1.0 / x;
        x += 1.0;
        terms -= 1;
    }
    if terms == 0 {
        return sum;
    }
    let (from, to) = (x - 0.5, x - 0.5 + terms as f64);
    let square = |y: f64| 1.0 / (y * y);
    let first = (square(to) - square(from)) / 24.0;
    let third = (square(from) * square(from) - square(to) * square(to)) * 7.0 / 960.0;
    sum + (terms as f64 / from).ln_1p() + first + third
}

/// G(x + d) / G(x) for x > 0, x + d > 0 and d from -1 to 1, where G is the gamma function.
/// Differences of log gammas would lose all digits for populations of millions.
fn gamma_ratio(mut x: f64, d: f64) -> f64 {
    let mut factor = 1.0;
    while x < 200.0 {
        factor *= x / (x + d);
        x += 1.0;
    }
    let middle = x + 0.5 * (d - 1.0);
    factor * middle.powf(d) * (1.0 - d * (d * d - 1.0) / (24.0 * middle * middle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::population::tests::draws;
    use crate::estimate::tests::{drawn_from, of};

    /// A random partition of Pitman's: people come one by one and join a class or found one.
    /// Returns the sizes after the first `sample` people, who are a random sample of all, and at
    /// the end.
    fn grow(
        seed: u64,
        theta: f64,
        alpha: f64,
        sample: usize,
        population: usize,
    ) -> (Vec<u64>, Vec<u64>) {
        let mut draw = draws(seed);
        let (mut class_of, mut sizes, mut first) = (Vec::new(), Vec::<u64>::new(), Vec::new());
        while class_of.len() < population {
            if class_of.len() == sample {
                first = sizes.clone();
            }
            let people = class_of.len() as f64;
            let new = class_of.is_empty()
                || draw() < (theta + alpha * sizes.len() as f64) / (theta + people);
            let class = if new {
                sizes.push(0);
                sizes.len() - 1
            } else {
                // A class joined in proportion to size - alpha: the class of a random person,
                // refused with chance alpha/size.
                loop {
                    let class: usize = class_of[(draw() * people) as usize];
                    if draw() * sizes[class] as f64 >= alpha {
                        break class;
                    }
                }
            };
            sizes[class] += 1;
            class_of.push(class);
        }
        (first, sizes)
    }

    /// The share of people of the sample who are unique in the population.
    fn real_share(sample: &[u64], population: &[u64]) -> f64 {
        let uniques = sample.iter().zip(population).filter(|sizes| *sizes == (&1, &1)).count();
        uniques as f64 / sample.iter().sum::<u64>() as f64
    }

    #[test]
    fn agrees_with_simulated_partitions() {
        for (theta, alpha, sample) in [
            (2_000.0, 0.0, 3_000),
            (50.0, 0.5, 3_000),
            (300.0, 0.3, 1_500),
            (5.0, 0.8, 3_000),
            (-0.3, 0.6, 3_000),
        ] {
            let (mut estimated, mut real) = (0.0, 0.0);
            for seed in 0..10 {
                let (first, all) = grow(seed, theta, alpha, sample, 30_000);
                estimated += UniquenessPitman.estimate(&drawn_from(30_000, &first)).unwrap();
                real += real_share(&first, &all);
            }
            assert!((estimated / real - 1.0).abs() < 0.1, "{theta} {alpha}: {estimated} {real}");
        }
    }

    #[test]
    fn finds_the_parameters_of_a_large_partition() {
        let (sizes, _) = grow(7, 120.0, 0.45, 60_000, 60_001);
        let (theta, alpha) = Partition::of(&of(&sizes)).fit();
        assert!(
            (alpha - 0.45).abs() < 0.02 && (theta / 120.0 - 1.0).abs() < 0.15,
            "{theta} {alpha}"
        );
    }

    /// Computes the likelihood term by term on a grid: no point of the grid beats the fit.
    #[test]
    fn no_other_parameters_are_likelier() {
        for seed in 0..6 {
            let (sizes, _) = grow(seed, 3.0 + seed as f64, 0.15 * seed as f64, 200, 201);
            let likelihood = |theta: f64, alpha: f64| {
                let founded: f64 = (1..sizes.len()).map(|i| (theta + i as f64 * alpha).ln()).sum();
                let people: f64 = (1..200).map(|i| (theta + f64::from(i)).ln()).sum();
                let grown: f64 =
                    sizes.iter().flat_map(|size| (1..*size).map(|i| (i as f64 - alpha).ln())).sum();
                founded - people + grown
            };
            let (theta, alpha) = Partition::of(&of(&sizes)).fit();
            let best = likelihood(theta, alpha);
            for a in 0..100 {
                for t in 1..200 {
                    let (theta, alpha) =
                        (0.002 * f64::from(t * t) - 0.01 * f64::from(a), 0.01 * f64::from(a));
                    assert!(likelihood(theta, alpha) <= best + 1e-4, "{seed}: {theta} {alpha}");
                }
            }
        }
    }

    /// A population that doesn't follow Pitman's formula: towns of very different sizes, ages,
    /// sexes. The estimate must still have the right order of magnitude.
    #[test]
    fn is_of_the_right_order_for_a_census() {
        let mut draw = draws(11);
        let mut people: Vec<usize> = (0..60_000)
            .map(|_| {
                let town = (300f64.powf(draw()) as usize).min(299);
                let age = ((draw() + draw() + draw()) / 3.0 * 90.0) as usize;
                (town * 90 + age) * 2 + usize::from(draw() < 0.5)
            })
            .collect();
        let sizes = |people: &[usize]| {
            let mut sizes = vec![0u64; 300 * 180];
            people.iter().for_each(|class| sizes[*class] += 1);
            sizes
        };
        let population = sizes(&people);
        people.truncate(6_000);
        let sample = sizes(&people);
        let real = real_share(&sample, &population);
        let estimate = UniquenessPitman.estimate(&drawn_from(60_000, &sample)).unwrap();
        assert!((0.5..2.0).contains(&(estimate / real)), "{estimate} {real}");
    }

    #[test]
    fn edges() {
        let of_population = |n, sizes: &[u64]| UniquenessPitman.estimate(&drawn_from(n, sizes));
        assert_eq!(UniquenessPitman.estimate(&of(&[1, 2])), None);
        assert_eq!(of_population(3, &[1, 2]), Some(1.0 / 3.0));
        assert_eq!(of_population(2, &[1, 2]), Some(1.0 / 3.0));
        assert_eq!(of_population(1_000, &[3, 4]), Some(0.0));
        assert_eq!(of_population(1_000, &[1; 9]), Some(1.0));
        assert_eq!(of_population(1_000, &[7]), Some(0.0));
        for sizes in [vec![1, 2], vec![1, 1_000_000_000], [vec![1; 100_000], vec![2]].concat()] {
            let share = of_population(20_000_000_000, &sizes).unwrap();
            assert!(share > 0.0 && share <= real_share(&sizes, &sizes), "{share}");
        }
    }

    #[test]
    fn sums_and_ratios_agree_with_their_definitions() {
        for (x, terms) in [(0.001, 5), (0.7, 100), (31.5, 3), (40.0, 1), (1e6, 1000), (1e15, 7)] {
            let naive: f64 = (0..terms).map(|i| 1.0 / (x + i as f64)).sum();
            assert!((harmonic(x, terms) / naive - 1.0).abs() < 1e-10, "{x} {terms}");
        }
        // G(n + 1/2)/G(n) from G(1/2) = sqrt(pi); G(x + 1)/G(x) = x.
        assert!((gamma_ratio(0.5, 0.5) * std::f64::consts::PI.sqrt() - 1.0).abs() < 1e-10);
        assert!(
            (gamma_ratio(3.5, -0.5) - 2.0 / (15.0 / 8.0 * std::f64::consts::PI.sqrt())).abs()
                < 1e-10
        );
        assert!(
            (gamma_ratio(0.3, 1.0) - 0.3).abs() < 1e-12
                && (gamma_ratio(1e9, -1.0) * (1e9 - 1.0) - 1.0).abs() < 1e-9
        );
    }
}
