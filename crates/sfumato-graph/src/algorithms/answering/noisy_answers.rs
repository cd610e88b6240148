//! Noisy answers: numbers of edges and triangles and the sequence of degrees, differentially
//! private for edges.

use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_kernels::discrete_laplace::DiscreteLaplace;

use super::{AnsweringAlgorithm, Drawn, Noise, Question};
use crate::data::Graph;

/// The algorithm `noisy-answers`, an entry of the registry.
pub struct NoisyAnswers;

static INFO: Info = Info {
    name: "noisy-answers",
    summary: "numbers of edges and triangles and all degrees, with noise that hides each edge",
    papers: &[
        Paper {
            authors: "Michael Hay, Chao Li, Gerome Miklau, David Jensen",
            title: "Accurate estimation of the degree distribution of private networks",
            venue: "ICDM",
            year: 2009,
        },
        Paper {
            authors: "Vishesh Karwa, Sofya Raskhodnikova, Adam Smith, Grigory Yaroslavtsev",
            title: "Private analysis of graph structure",
            venue: "PVLDB",
            year: 2011,
        },
        Paper {
            authors: "Clément L. Canonne, Gautam Kamath, Thomas Steinke",
            title: "The discrete Gaussian for differential privacy",
            venue: "NeurIPS",
            year: 2020,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "epsilon",
            ParamKind::Number { min: 0.000_1, above: false, max: 100.0 },
            "1",
            "the budget of all answers together: smaller hides more",
        ),
        ParamSpec::with_default(
            "delta",
            ParamKind::Number { min: 0.0, above: true, max: 0.01 },
            "0.000001",
            "the chance that the noise of the triangles is too little",
        ),
        ParamSpec::with_default(
            "answers",
            ParamKind::Choice(&["all", "edges", "degrees", "triangles"]),
            "all",
            "what is answered; `all` shares the budget among the three",
        ),
    ],
    doc: "Two graphs that differ in one edge give every file with nearly the same probability: at \
          most exp(epsilon) times, but for the chance delta (edge-level differential privacy). \
          The number of nodes is published as it is. Nothing is promised about all edges of a \
          person at once.\n\n\
          One edge changes the number of edges by 1 and the sorted degrees by 2 in sum; afterwards \
          degrees are made to fall again (the nearest falling sequence), which costs nothing. It \
          changes the number of triangles by as many as its ends have neighbours in common: first \
          a bound on that is published with noise of its own, so high that it is too low with at \
          most the chance delta, and then the number with noise for this bound. Each takes half of \
          the part for triangles. Without triangles delta is 0.\n\n\
          Noise is drawn in whole numbers with exact probabilities, and epsilon is a multiple of \
          0.000001.",
    capabilities: Capabilities { promises_privacy: true, draws: true, ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// What epsilon is counted in.
const UNITS: u64 = 1_000_000;
/// How many pairs of neighbours may be looked at for triangles.
const MOST_PAIRS: u64 = 3_000_000_000;

/// How many neighbours two nodes share, at most over all pairs.
pub fn most_in_common(graph: &Graph) -> Result<u64> {
    let pairs: u64 = graph.nodes().map(|node| u64::from(graph.degree(node)).pow(2)).sum();
    if pairs > MOST_PAIRS {
        return Err(Error::resources("too many people share neighbours to count all triangles")
            .hint("ask for answers=degrees"));
    }
    let of_node = |(counts, seen): &mut (Vec<u32>, Vec<u32>), node: u32| {
        let mut most = 0;
        for middle in graph.neighbours(node) {
            for other in graph.neighbours(*middle).iter().filter(|other| **other > node) {
                let count = &mut counts[*other as usize];
                if *count == 0 {
                    seen.push(*other);
                }
                *count += 1;
                most = most.max(*count);
            }
        }
        seen.drain(..).for_each(|other| counts[other as usize] = 0);
        u64::from(most)
    };
    let new = || (vec![0u32; graph.n()], Vec::new());
    let each = graph.nodes().into_par_iter().map_init(new, of_node);
    Ok(each.max().unwrap_or(0))
}

/// By how many the bound on common neighbours is raised, so that noise of this law makes it too low
/// with at most the chance `delta`.
pub fn raise(law: DiscreteLaplace, delta: f64) -> i64 {
    ((1.0 / delta).ln() * law.t as f64 / law.s as f64).ceil() as i64 + 1
}

/// The bound that the noise of triangles is drawn for: what is published, but at least 1 and at
/// most what any graph has.
pub fn bound(published: i64, n: usize) -> u64 {
    (published.max(1) as u64).min((n as u64).saturating_sub(2).max(1))
}

impl AnsweringAlgorithm for NoisyAnswers {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn draw(&self, params: &Params, graph: &Graph, random: &mut ChaCha20Rng) -> Result<Drawn> {
        // Rounded down: never more than was asked for.
        let epsilon = (params.number("epsilon") * UNITS as f64 + 1e-6) as u64;
        let asked: &[&str] = match params.text("answers") {
            Some("edges") => &["edges"],
            Some("degrees") => &["degrees"],
            Some("triangles") => &["triangles"],
            _ => &["edges", "degrees", "triangles"],
        };
        let part = epsilon / asked.len() as u64;
        if part < 2 {
            return Err(Error::params("epsilon is too small to be divided among all answers")
                .hint("ask for a larger epsilon, or for one of the answers"));
        }
        let mut noise = Vec::new();
        let mut add = |question, law: DiscreteLaplace, n: usize| {
            let drawn: Vec<i64> = (0..n).map(|_| law.draw(random)).collect();
            noise.push(Noise { question, law, drawn });
            noise[noise.len() - 1].drawn.first().copied().unwrap_or(0)
        };
        for answer in asked {
            match *answer {
                "edges" => {
                    add(Question::Edges, DiscreteLaplace { s: part, t: UNITS }, 1);
                }
                "degrees" => {
                    let law = DiscreteLaplace { s: part, t: 2 * UNITS };
                    add(Question::Degrees, law, graph.n());
                }
                _ => {
                    let first = DiscreteLaplace { s: part / 2, t: UNITS };
                    let most = most_in_common(graph)? as i64 + raise(first, params.number("delta"));
                    let drawn = add(Question::TrianglesBound, first, 1);
                    let bound = bound(most.saturating_add(drawn), graph.n());
                    let law = DiscreteLaplace { s: part / 2, t: UNITS.saturating_mul(bound) };
                    add(Question::Triangles, law, 1);
                }
            }
        }
        Ok(Drawn { noise })
    }
}

#[cfg(test)]
mod tests {
    use sfumato_kernels::seeded::Seeded;

    use super::*;

    #[test]
    fn common_neighbours_are_counted_and_bound_what_an_edge_changes() {
        let mut random = Seeded::new(121);
        for _ in 0..40 {
            let n = 3 + random.below(8);
            let edges: Vec<(u32, u32)> =
                (0..3 * n).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            let common = |a: u32, b: u32| {
                graph.nodes().filter(|c| graph.has(a, *c) && graph.has(b, *c)).count() as u64
            };
            let pairs = graph.nodes().flat_map(|b| (0..b).map(move |a| (a, b)));
            let most = pairs.clone().map(|(a, b)| common(a, b)).max().unwrap();
            assert_eq!(most_in_common(&graph).unwrap(), most);
            // Every graph that differs in an edge has at most so many triangles more or fewer.
            let triangles = crate::metrics::shape::triangles(&graph);
            for (a, b) in pairs {
                let others = graph.edges().filter(|edge| *edge != (a, b));
                let mut edges: Vec<(u32, u32)> = others.collect();
                if !graph.has(a, b) {
                    edges.push((a, b));
                }
                let other = crate::metrics::shape::triangles(&Graph::new(n, &edges).0);
                assert!(triangles.abs_diff(other) <= most);
            }
        }
    }

    /// The sorted degrees of neighbouring graphs differ by two in sum at most.
    #[test]
    fn an_edge_changes_sorted_degrees_by_two() {
        let mut random = Seeded::new(122);
        for _ in 0..60 {
            let n = 2 + random.below(10);
            let edges: Vec<(u32, u32)> =
                (0..2 * n).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect();
            let graph = Graph::new(n, &edges).0;
            let sorted = |graph: &Graph| {
                let mut degrees = graph.degrees();
                degrees.sort_unstable();
                degrees
            };
            let Some(gone) = graph.edges().next() else { continue };
            let left: Vec<(u32, u32)> = graph.edges().filter(|edge| *edge != gone).collect();
            let (one, other) = (sorted(&graph), sorted(&Graph::new(n, &left).0));
            let apart: u32 = one.iter().zip(&other).map(|(a, b)| a.abs_diff(*b)).sum();
            assert!(apart <= 2);
        }
    }
}
