//! Flows with noise of the two-sided geometric distribution: differential privacy for people.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use super::{FlowAlgorithm, FlowTask};
use crate::data::flows::Flows;

/// How finely epsilon is said: in parts of a million.
const PARTS: u64 = 1_000_000;

/// The algorithm.
pub struct GeometricFlows;

static INFO: Info = Info {
    name: "geometric-flows",
    summary: "add noise to the count of every pair of known places: differential privacy for each \
              person",
    papers: &[
        Paper {
            authors: "A. Ghosh, T. Roughgarden, M. Sundararajan",
            title: "Universally utility-maximizing privacy mechanisms",
            venue: "STOC",
            year: 2009,
        },
        Paper {
            authors: "C. L. Canonne, G. Kamath, T. Steinke",
            title: "The discrete Gaussian for differential privacy",
            venue: "NeurIPS",
            year: 2020,
        },
    ],
    params: &[
        ParamSpec::required(
            "epsilon",
            ParamKind::Number { min: 0.000_001, above: false, max: 100.0 },
            "the privacy budget: a person more or less makes any matrix at most e^epsilon times as \
             likely",
        ),
        ParamSpec::required(
            "places",
            ParamKind::Text,
            "a file with the places that everybody knows, one on each line: only pairs of these \
             are \
             counted, whether anybody went there or not",
        ),
        ParamSpec::with_default(
            "least",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "1",
            "noisy counts below this are left out, which costs no privacy",
        ),
    ],
    doc: "\
Everybody has one path and so adds one to one count: noise x with a probability proportional to \
e^(-epsilon |x|) on every count of a pair of known places, also of those where nobody went, gives \
epsilon-differential privacy where neighbouring data differ by one person more or less. Whoever \
begins or ends at another place isn't counted. Noise is drawn exactly, from random bits by \
comparisons of whole numbers, and not by floating point; epsilon is rounded down to a millionth.

Places must be known independently of the data: a list that was made from the data says who was \
there.
",
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Copies)],
        ignores: &["metric", "max_suppression"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl FlowAlgorithm for GeometricFlows {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn is_random(&self) -> bool {
        true
    }
    fn publish(
        &self,
        params: &Params,
        task: &FlowTask<'_>,
        random: &mut ChaCha20Rng,
    ) -> Result<Flows> {
        let places =
            task.places.ok_or_else(|| Error::internal("the list of places wasn't read"))?;
        let epsilon = (params.number("epsilon") * PARTS as f64).floor() as u64;
        let least = params.count("least").max(task.k.unwrap_or(1));
        let mut noisy = Flows::new();
        for from in places {
            for to in places {
                let pair = (from.clone(), to.clone());
                let n = task.flows.get(&pair).copied().unwrap_or(0) as i64;
                let noise = geometric(epsilon, random) - geometric(epsilon, random);
                let n = u64::try_from(n.saturating_add(noise)).unwrap_or(0);
                if n >= least {
                    noisy.insert(pair, n);
                }
            }
        }
        Ok(noisy)
    }
}

/// A whole number below another, each as likely.
fn below(n: u64, random: &mut ChaCha20Rng) -> u64 {
    // Numbers that would favour some are drawn again.
    let zone = u64::MAX - u64::MAX % n;
    loop {
        let drawn = random.next_u64();
        if drawn < zone {
            return drawn % n;
        }
    }
}

/// Yes with the probability e^(-parts / PARTS), for parts up to PARTS: the terms of the series of
/// the
/// exponential function, one after the other.
fn exponential(parts: u64, random: &mut ChaCha20Rng) -> bool {
    let mut k = 1;
    while below(PARTS * k, random) < parts {
        k += 1;
    }
    k % 2 == 1
}

/// How often a coin that says yes with the probability e^-epsilon does so before it says no.
fn geometric(epsilon: u64, random: &mut ChaCha20Rng) -> i64 {
    let coin = |random: &mut ChaCha20Rng| {
        let whole = (0..epsilon / PARTS).all(|_| exponential(PARTS, random));
        whole && exponential(epsilon % PARTS, random)
    };
    let mut n = 0;
    while coin(random) {
        n += 1;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng as _;

    #[test]
    fn noise_has_the_distribution_that_it_should() {
        let mut random = ChaCha20Rng::seed_from_u64(1);
        for (epsilon, n) in [(0.5, 40_000), (1.7, 40_000)] {
            let parts = (epsilon * PARTS as f64) as u64;
            let alpha = f64::exp(-epsilon);
            let mut counts = [0u64; 5];
            for _ in 0..n {
                let x = geometric(parts, &mut random) - geometric(parts, &mut random);
                if let Some(count) = counts.get_mut(x.unsigned_abs() as usize) {
                    *count += 1;
                }
            }
            for (x, count) in counts.iter().enumerate() {
                let both = if x == 0 { 1.0 } else { 2.0 };
                let expected =
                    both * (1.0 - alpha) / (1.0 + alpha) * alpha.powi(x as i32) * n as f64;
                let off = (*count as f64 - expected).abs();
                assert!(off < 5.0 * expected.sqrt() + 5.0, "{x}: {count} and {expected}");
            }
        }
    }
}
