//! k-means in an implementation of our own: the library's takes no seed from outside and leaves
//! clusters empty.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use super::{CLUSTERS, Clusterer, Clustering, renumbered};
use crate::Matrix;
use crate::random::RandomStream;

/// The entry of the registry.
pub struct KMeans;

static INFO: Info = Info {
    name: "k-means",
    summary: "Lloyd's k-means from k-means++ centres, the best of several starts",
    papers: &[
        Paper {
            authors: "S. P. Lloyd",
            title: "Least Squares Quantization in PCM",
            venue: "IEEE Transactions on Information Theory",
            year: 1982,
        },
        Paper {
            authors: "D. Arthur, S. Vassilvitskii",
            title: "k-means++: The Advantages of Careful Seeding",
            venue: "SODA",
            year: 2007,
        },
    ],
    params: &[
        CLUSTERS,
        ParamSpec::with_default(
            "starts",
            ParamKind::Integer { min: 1, max: 10_000 },
            "10",
            "how often to start anew",
        ),
        ParamSpec::with_default(
            "passes",
            ParamKind::Integer { min: 1, max: 100_000 },
            "100",
            "most passes per start",
        ),
    ],
    doc: "\
Minimizes the sum of squared Euclidean distances to the centre of the cluster. The first centres \
are rows drawn with a chance
proportional to the squared distance from the nearest centre so far; then rows go to their nearest \
centre (of equal ones the first) and centres to the
mean of their rows until no row moves. A cluster that loses all its rows gets the row farthest \
from its centre. The cheapest start wins.

**Seed**: start i draws from the i-th stream of the seed, so threads don't matter.

**Cost** rows x k x columns per pass.
",
    ..Info::DEFAULT
};

impl Clusterer for KMeans {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn run(&self, params: &Params, x: &Matrix, seed: u64) -> Result<Clustering> {
        let (k, passes) = (params.integer("k") as usize, params.integer("passes"));
        let rows = Rows { width: x.n_columns(), n: x.n_rows(), cells: x.to_rows() };
        let start =
            |start: i64| once(&rows, k, passes, &mut RandomStream::stream(seed, start as u64));
        let all: Vec<_> = (0..params.integer("starts")).into_par_iter().map(start).collect();
        let best =
            all.into_iter().reduce(|best, other| if other.1 < best.1 { other } else { best });
        let (labels, cost) = best.expect("there is at least one start");
        Ok(renumbered(&labels, cost))
    }
}

struct Rows {
    width: usize,
    n: usize,
    cells: Vec<f64>,
}

impl Rows {
    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Rows drawn as first centres: k, or fewer if there are fewer different rows.
fn first_centres(rows: &Rows, k: usize, random: &mut RandomStream) -> Vec<f64> {
    let mut centres = rows.row(random.below(rows.n)).to_vec();
    let mut nearest: Vec<f64> =
        (0..rows.n).map(|i| squared_distance(rows.row(i), &centres)).collect();
    for _ in 1..k {
        let total: f64 = nearest.iter().sum();
        if total <= 0.0 {
            break;
        }
        let mut left = random.unit() * total;
        // Rounding may let the walk run past the end: the last row that isn't a centre is taken
        // then.
        let candidates = (0..rows.n).filter(|i| nearest[*i] > 0.0);
        let mut chosen = 0;
        for i in candidates {
            chosen = i;
            left -= nearest[i];
            if left < 0.0 {
                break;
            }
        }
        let centre = rows.row(chosen).to_vec();
        for (i, distance) in nearest.iter_mut().enumerate() {
            *distance = distance.min(squared_distance(rows.row(i), &centre));
        }
        centres.extend(centre);
    }
    centres
}

fn once(rows: &Rows, k: usize, passes: i64, random: &mut RandomStream) -> (Vec<u32>, f64) {
    if rows.width == 0 {
        return (vec![0; rows.n], 0.0);
    }
    let mut centres = first_centres(rows, k, random);
    let mut labels = vec![u32::MAX; rows.n];
    let mut distances = vec![0.0; rows.n];
    for _ in 0..passes {
        let mut moved = false;
        for (i, label) in labels.iter_mut().enumerate() {
            let (mut best, mut least) = (0, f64::INFINITY);
            for (c, centre) in centres.chunks_exact(rows.width).enumerate() {
                let distance = squared_distance(rows.row(i), centre);
                if distance < least {
                    (best, least) = (c as u32, distance);
                }
            }
            moved |= *label != best;
            (*label, distances[i]) = (best, least);
        }
        if !moved {
            break;
        }
        move_centres(rows, &mut labels, &mut distances, &mut centres);
    }
    let distance = |(i, label): (usize, &u32)| {
        squared_distance(rows.row(i), centre_of(&centres, *label, rows.width))
    };
    let cost = labels.iter().enumerate().map(distance).sum();
    (labels, cost)
}

fn centre_of(centres: &[f64], label: u32, width: usize) -> &[f64] {
    &centres[label as usize * width..(label as usize + 1) * width]
}

fn move_centres(rows: &Rows, labels: &mut [u32], distances: &mut [f64], centres: &mut [f64]) {
    let mut counts = vec![0usize; centres.len() / rows.width];
    labels.iter().for_each(|label| counts[*label as usize] += 1);
    for empty in 0..counts.len() {
        if counts[empty] > 0 {
            continue;
        }
        // A row that is its own centre stays where it is.
        let farthest = (0..rows.n)
            .filter(|i| distances[*i] > 0.0 && counts[labels[*i] as usize] > 1)
            .max_by(|a, b| distances[*a].total_cmp(&distances[*b]).then(b.cmp(a)));
        if let Some(row) = farthest {
            counts[labels[row] as usize] -= 1;
            counts[empty] = 1;
            (labels[row], distances[row]) = (empty as u32, 0.0);
        }
    }
    for (c, centre) in centres.chunks_exact_mut(rows.width).enumerate() {
        if counts[c] > 0 {
            centre.fill(0.0);
        }
    }
    for (i, label) in labels.iter().enumerate() {
        let centre = &mut centres[*label as usize * rows.width..(*label as usize + 1) * rows.width];
        let n = counts[*label as usize] as f64;
        centre.iter_mut().zip(rows.row(i)).for_each(|(sum, cell)| *sum += cell / n);
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::params;
    use super::*;

    #[test]
    fn finds_the_best_of_all_clusterings_of_few_rows() {
        let mut random = RandomStream::new(1);
        for _ in 0..20 {
            let rows: Vec<Vec<f64>> = (0..7).map(|_| vec![random.unit(), random.unit()]).collect();
            let x = Matrix::from_rows(&rows).unwrap();
            let cost = |mask: u32| -> f64 {
                (0..2)
                    .map(|side| {
                        let members: Vec<&Vec<f64>> = (0..7)
                            .filter(|i| mask >> i & 1 == side)
                            .map(|i| &rows[i as usize])
                            .collect();
                        let mean = |j: usize| {
                            members.iter().map(|r| r[j]).sum::<f64>() / members.len() as f64
                        };
                        members
                            .iter()
                            .map(|r| (r[0] - mean(0)).powi(2) + (r[1] - mean(1)).powi(2))
                            .sum::<f64>()
                    })
                    .sum()
            };
            let best = (1..127).map(cost).fold(f64::INFINITY, f64::min);
            let found = KMeans.cluster(&params(&KMeans, "k=2, starts=50"), &x, 3).unwrap();
            assert!((found.cost - best).abs() < 1e-9, "{} {best}", found.cost);
        }
    }

    #[test]
    fn an_empty_cluster_gets_the_farthest_row() {
        let rows = Rows { width: 1, n: 4, cells: vec![0.0, 1.0, 2.0, 9.0] };
        let (mut labels, mut distances) = (vec![0, 0, 0, 0], vec![9.0, 4.0, 1.0, 36.0]);
        let mut centres = vec![3.0, 100.0];
        move_centres(&rows, &mut labels, &mut distances, &mut centres);
        assert_eq!(labels, [0, 0, 0, 1]);
        assert_eq!(centres, [1.0, 9.0]);
    }
}
