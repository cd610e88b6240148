//! k-medoids on samples: robust, because a medoid is a row and distances aren't squared.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::{CLUSTERS, Clusterer, Clustering, renumbered};
use crate::Matrix;
use crate::random::RandomStream;

/// The entry of the registry.
pub struct KMedoids;

static INFO: Info = Info {
    name: "k-medoids",
    summary: "medoids of samples by swaps (CLARA), Manhattan distances; robust against outliers",
    papers: &[
        Paper {
            authors: "L. Kaufman, P. J. Rousseeuw",
            title: "Finding Groups in Data: An Introduction to Cluster Analysis",
            venue: "Wiley",
            year: 1990,
        },
        Paper {
            authors: "E. Schubert, P. J. Rousseeuw",
            title: "Faster k-Medoids Clustering: Improving the PAM, CLARA, and CLARANS Algorithms",
            venue: "SISAP",
            year: 2019,
        },
    ],
    params: &[
        CLUSTERS,
        ParamSpec::with_default(
            "samples",
            ParamKind::Integer { min: 1, max: 10_000 },
            "5",
            "how many samples",
        ),
        ParamSpec::with_default(
            "sample_rows",
            ParamKind::Integer { min: 2, max: 20_000 },
            "400",
            "rows of a sample; at least 2k + 40 are taken",
        ),
    ],
    doc: "\
Minimizes the sum of Manhattan distances to the medoid of the cluster. For each sample, medoids \
are drawn far from each other
and then exchanged for other rows of the sample, always the best exchange for a row, until none \
lowers the cost. All rows go to the nearest
medoid (of equal ones the first); the sample whose medoids are cheapest over all rows wins. With \
no more rows than a sample has, samples are
the whole table and differ only in where they start.

**Robust**: one far row moves a mean, not a medoid.

**Cost** sample rows squared x passes, then rows x k x columns per sample. Memory: sample rows \
squared.
",
    ..Info::DEFAULT
};

impl Clusterer for KMedoids {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn run(&self, params: &Params, x: &Matrix, seed: u64) -> Result<Clustering> {
        let k = params.integer("k") as usize;
        let n_sampled = (params.integer("sample_rows") as usize).max(2 * k + 40).min(x.n_rows());
        let (width, cells) = (x.n_columns(), x.to_rows());
        let row = |row: u32| &cells[row as usize * width..(row as usize + 1) * width];
        let sample = |sample: i64| {
            let mut random = RandomStream::stream(seed, sample as u64);
            let mut sampled = random.order(x.n_rows());
            sampled.truncate(n_sampled);
            let distances = Distances::new(sampled.iter().map(|i| row(*i)).collect());
            let medoids: Vec<u32> =
                medoids(&distances, k, &mut random).iter().map(|place| sampled[*place]).collect();
            let mut cost = 0.0;
            let mut nearest = |i: u32| {
                let (mut best, mut least) = (0, f64::INFINITY);
                for (c, medoid) in medoids.iter().enumerate() {
                    let distance = manhattan(row(i), row(*medoid));
                    if distance < least {
                        (best, least) = (c as u32, distance);
                    }
                }
                cost += least;
                best
            };
            let labels: Vec<u32> = (0..x.n_rows() as u32).map(&mut nearest).collect();
            (labels, cost)
        };
        let all: Vec<_> = (0..params.integer("samples")).into_par_iter().map(sample).collect();
        let best =
            all.into_iter().reduce(|best, other| if other.1 < best.1 { other } else { best });
        let (labels, cost) = best.expect("there is at least one sample");
        Ok(renumbered(&labels, cost))
    }
}

fn manhattan(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}

/// Distances between all rows of a sample.
struct Distances {
    n: usize,
    cells: Vec<f64>,
}

impl Distances {
    fn new(rows: Vec<&[f64]>) -> Self {
        let cells = rows.iter().flat_map(|a| rows.iter().map(|b| manhattan(a, b))).collect();
        Distances { n: rows.len(), cells }
    }
    fn from(&self, row: usize) -> &[f64] {
        &self.cells[row * self.n..(row + 1) * self.n]
    }
}

/// Draw medoids as k-means++ does with plain distances, then exchange. Fewer than k if there are
/// fewer different rows.
fn medoids(distances: &Distances, k: usize, random: &mut RandomStream) -> Vec<usize> {
    let mut medoids = vec![random.below(distances.n)];
    let mut nearest = distances.from(medoids[0]).to_vec();
    while medoids.len() < k {
        let total: f64 = nearest.iter().sum();
        if total <= 0.0 {
            break;
        }
        let (mut left, mut chosen) = (random.unit() * total, 0);
        for i in (0..distances.n).filter(|i| nearest[*i] > 0.0) {
            chosen = i;
            left -= nearest[i];
            if left < 0.0 {
                break;
            }
        }
        nearest.iter_mut().zip(distances.from(chosen)).for_each(|(near, d)| *near = near.min(*d));
        medoids.push(chosen);
    }
    exchange(distances, &mut medoids);
    medoids
}

/// For each row: its nearest medoid's place, that distance, and the distance of the second nearest.
fn nearest_two(distances: &Distances, medoids: &[usize]) -> Vec<(usize, f64, f64)> {
    let of = |i: usize| {
        medoids.iter().enumerate().fold(
            (0, f64::INFINITY, f64::INFINITY),
            |(best, first, second), (c, medoid)| {
                let d = distances.from(i)[*medoid];
                if d < first { (c, d, first) } else { (best, first, second.min(d)) }
            },
        )
    };
    (0..distances.n).map(of).collect()
}

/// Exchange medoids while that lowers the cost. What a row costs or saves as a medoid is added up
/// for all medoids it could replace in one walk over the rows.
fn exchange(distances: &Distances, medoids: &mut [usize]) {
    let mut near = nearest_two(distances, medoids);
    let mut since_change = 0;
    for candidate in (0..distances.n).cycle() {
        // A whole round without a change ends it; so does rounding, which could go round in circles
        // otherwise.
        if since_change >= distances.n {
            return;
        }
        since_change += 1;
        if medoids.contains(&candidate) {
            continue;
        }
        // What taking a medoid away costs, if its rows go to the second nearest or the candidate;
        // and what all others save.
        let mut losses = vec![0.0; medoids.len()];
        let mut saved = 0.0;
        for ((c, first, second), d) in near.iter().zip(distances.from(candidate)) {
            if d < first {
                saved += first - d;
            } else {
                losses[*c] += second.min(*d) - first;
            }
        }
        let place =
            (0..losses.len()).fold(0, |best, c| if losses[c] < losses[best] { c } else { best });
        let total: f64 = near.iter().map(|(_, first, _)| first).sum();
        if losses[place] - saved < -1e-12 * total {
            medoids[place] = candidate;
            near = nearest_two(distances, medoids);
            since_change = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;

    fn cost(distances: &Distances, medoids: &[usize]) -> f64 {
        nearest_two(distances, medoids).iter().map(|(_, first, _)| first).sum()
    }

    #[test]
    fn no_exchange_is_left() {
        let mut random = RandomStream::new(2);
        let rows: Vec<Vec<f64>> = (0..40).map(|_| vec![random.unit(), random.unit()]).collect();
        let distances = Distances::new(rows.iter().map(Vec::as_slice).collect());
        for k in [1, 2, 5] {
            let found = medoids(&distances, k, &mut random);
            let least = cost(&distances, &found);
            for place in 0..k {
                for row in 0..40 {
                    let mut other = found.clone();
                    other[place] = row;
                    assert!(cost(&distances, &other) >= least - 1e-9);
                }
            }
        }
    }

    #[test]
    fn an_outlier_doesnt_take_a_cluster_apart() {
        // Two groups and a far row: the cost of the far row doesn't pay for splitting it off.
        let mut cells: Vec<f64> = (0..50)
            .map(|i| f64::from(i) / 50.0)
            .chain((0..50).map(|i| 10.0 + f64::from(i) / 50.0))
            .collect();
        cells.push(200.0);
        let x = Matrix::from_columns(101, &[cells]).unwrap();
        let labels = KMedoids.cluster(&params(&KMedoids, "k=2"), &x, 1).unwrap().labels;
        assert!(labels[..50].iter().all(|l| *l == 0) && labels[50..].iter().all(|l| *l == 1));
        // Squared, it does.
        let means = super::super::k_means::KMeans;
        let labels = means.cluster(&params(&means, "k=2"), &x, 1).unwrap().labels;
        assert_eq!(labels.iter().filter(|l| **l == 1).count(), 1);
    }
}
