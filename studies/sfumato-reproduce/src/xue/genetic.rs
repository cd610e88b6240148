//! The tour inside a segment by a genetic algorithm, as the paper has it. The paper cites one
//! and says nothing of it: crossover by order, mutation by inversion, and all numbers are ours.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;
use sfumato_kernels::nonreciprocal::SegmentSizes;
use sfumato_kernels::nonreciprocal::segments::segments;
use sfumato_sets::algorithms::nonreciprocal::{gray, hamming};

use crate::bench::RandomStream;

/// Tours alive at a time, generations, and tours that go on as they are.
const POPULATION: usize = 24;
const GENERATIONS: usize = 150;
const ELITE: usize = 4;

/// Records in Gray order, with the tour inside each of the paper's segments shortened. Its first
/// and last record stay.
pub fn order(sets: &Transactions, seed: u64) -> Vec<u32> {
    let mut order = gray::order(sets);
    let found = segments(&hamming::gaps(sets, &order), SegmentSizes::default());
    let mut rest = &mut order[..];
    let mut parts = Vec::new();
    for segment in found {
        let (part, others) = rest.split_at_mut(segment.len());
        parts.push(part);
        rest = others;
    }
    parts.into_par_iter().enumerate().for_each(|(number, part)| {
        let matrix = distances(sets, part);
        let mut random = RandomStream::new(seed ^ (number as u64).wrapping_mul(0x9e37_79b9));
        let tour = shortest(&matrix, part.len(), &mut random);
        let better: Vec<u32> = tour.iter().map(|place| part[*place as usize]).collect();
        part.copy_from_slice(&better);
    });
    order
}

fn distances(sets: &Transactions, records: &[u32]) -> Vec<u32> {
    with_sets!(sets, sets => matrix(records.len(), |a, b| {
        let of = |place: usize| sets.get(records[place] as usize);
        far_apart(of(a), of(b))
    }))
}

fn far_apart<C: Code>(a: &[C], b: &[C]) -> u32 {
    hamming::hamming(a, b)
}

fn matrix(n: usize, distance: impl Fn(usize, usize) -> u32) -> Vec<u32> {
    let mut all = vec![0; n * n];
    for a in 0..n {
        for b in 0..a {
            (all[a * n + b], all[b * n + a]) = (distance(a, b), distance(a, b));
        }
    }
    all
}

fn length(matrix: &[u32], n: usize, tour: &[u32]) -> u64 {
    tour.windows(2).map(|two| u64::from(matrix[two[0] as usize * n + two[1] as usize])).sum()
}

/// The best tour from the first place to the last that the generations find; never longer than the
/// places as they are.
fn shortest(matrix: &[u32], n: usize, random: &mut RandomStream) -> Vec<u32> {
    let given: Vec<u32> = (0..n as u32).collect();
    if n < 4 {
        return given;
    }
    let mut all: Vec<(u64, Vec<u32>)> = vec![(length(matrix, n, &given), given.clone())];
    while all.len() < POPULATION {
        let mut tour = given.clone();
        (0..3).for_each(|_| invert(&mut tour, random));
        all.push((length(matrix, n, &tour), tour));
    }
    for _ in 0..GENERATIONS {
        all.sort();
        let mut next: Vec<(u64, Vec<u32>)> = all[..ELITE].to_vec();
        while next.len() < POPULATION {
            // Of two drawn tours the shorter one is a parent.
            let mut parent = || random.below(POPULATION).min(random.below(POPULATION));
            let (a, b) = (parent(), parent());
            let mut child = crossed(&all[a].1, &all[b].1, random);
            invert(&mut child, random);
            next.push((length(matrix, n, &child), child));
        }
        all = next;
    }
    all.into_iter().min().map_or(given, |(_, tour)| tour)
}

/// Turn a part of a tour around; its ends stay.
fn invert(tour: &mut [u32], random: &mut RandomStream) {
    let inner = tour.len() - 2;
    let from = 1 + random.below(inner);
    // Short parts more often than long ones: most gains are near.
    let most = (tour.len() - 1 - from).min(1 + random.below(inner));
    tour[from..from + 1 + random.below(most)].reverse();
}

/// Order crossover: a part of one tour, and the rest in the order of the other.
fn crossed(a: &[u32], b: &[u32], random: &mut RandomStream) -> Vec<u32> {
    let inner = a.len() - 2;
    let (x, y) = (1 + random.below(inner), 1 + random.below(inner));
    let (from, to) = (x.min(y), x.max(y));
    let mut taken = vec![false; a.len()];
    a[from..=to].iter().for_each(|place| taken[*place as usize] = true);
    let mut others = b.iter().copied().filter(|place| !taken[*place as usize]);
    (0..a.len())
        .map(|at| match (from..=to).contains(&at) {
            true => a[at],
            false => others.next().unwrap_or(a[at]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tours_keep_their_ends_and_all_places_and_get_shorter() {
        let mut random = RandomStream::new(3);
        let line = random.order(40);
        let matrix = matrix(40, |a, b| line[a].abs_diff(line[b]) as u32);
        let tour = shortest(&matrix, 40, &mut random);
        let given: Vec<u32> = (0..40).collect();
        assert_eq!((tour[0], tour[39]), (0, 39));
        let mut sorted = tour.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, given);
        assert!(length(&matrix, 40, &tour) * 3 < length(&matrix, 40, &given) * 2);
    }

    #[test]
    fn children_are_tours() {
        let mut random = RandomStream::new(1);
        let a: Vec<u32> = (0..9).collect();
        let b = vec![0, 7, 6, 5, 4, 3, 2, 1, 8];
        for _ in 0..50 {
            let mut child = crossed(&a, &b, &mut random);
            invert(&mut child, &mut random);
            assert_eq!((child[0], child[8]), (0, 8));
            child.sort_unstable();
            assert_eq!(child, a);
        }
    }
}
