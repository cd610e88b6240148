//! Shortens tours inside the segments of an order. The first and the last record of a segment stay;
//! segments are processed in parallel.

use std::ops::Range;

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::{Sets, Transactions};
use sfumato_core::with_sets;

use super::distances::distances;
use sfumato_kernels::nonreciprocal::RandomStream;
use sfumato_kernels::nonreciprocal::local_search::Path;

/// The number of near sets with which moves are tried.
const NEAR: usize = 10;
/// The seed of the kicks. No privacy depends on it, and the order is the same each time.
const SEED: u64 = 0x746f_7572;

/// Shorten the tour inside each segment; `kicks` is how many times per different set the search is
/// kicked out of a local optimum.
pub fn improve(
    transactions: &Transactions,
    order: &mut [u32],
    segments: &[Range<usize>],
    kicks: usize,
) {
    let mut rest = order;
    let mut parts = Vec::with_capacity(segments.len());
    for segment in segments {
        let (part, others) = rest.split_at_mut(segment.len());
        parts.push(part);
        rest = others;
    }
    with_sets!(transactions, sets => {
        parts.into_par_iter().enumerate().for_each(|(number, part)| {
            improve_segment(sets, part, kicks, &mut RandomStream::stream(SEED, number as u64));
        });
    });
}

/// Shorten the tour of one segment. Equal sets side by side are one place of the tour, since
/// nothing is gained by moves between them.
fn improve_segment<C: Code>(
    sets: Sets<'_, C>,
    order: &mut [u32],
    kicks: usize,
    random: &mut RandomStream,
) {
    let runs: Vec<&[u32]> =
        order.chunk_by(|a, b| sets.get(*a as usize) == sets.get(*b as usize)).collect();
    if runs.len() < 4 {
        return;
    }
    let different: Vec<&[C]> = runs.iter().map(|run| sets.get(run[0] as usize)).collect();
    let distances = distances(&different, NEAR);
    let path = Path::new(&distances).improve(kicks * runs.len(), random);
    let better: Vec<u32> = path.iter().flat_map(|run| runs[*run as usize]).copied().collect();
    order.copy_from_slice(&better);
}

#[cfg(test)]
mod tests {
    use super::super::hamming::cyclic_sum;
    use super::*;

    #[test]
    fn ends_stay_and_threads_do_not_matter() {
        let mut random = RandomStream::from_seed(3);
        let list = |_| (0..20).filter(|_| random.below(4) == 0).collect::<Vec<_>>();
        let lists: Vec<Vec<u32>> = (0..400).map(list).collect();
        // Every third set twice.
        let sets = Transactions::from_sets(
            20,
            (0..400).map(|i| lists[if i % 3 == 1 { i - 1 } else { i }].clone()),
        );
        let segments = [0..100, 100..101, 101..103, 103..250, 250..400];
        let given: Vec<u32> = (0..400).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut order = given.clone();
            pool.install(|| improve(&sets, &mut order, &segments, 2));
            order
        };
        let order = run(1);
        assert_eq!(order, run(3));
        for segment in &segments {
            assert_eq!(
                (order[segment.start], order[segment.end - 1]),
                (segment.start as u32, segment.end as u32 - 1)
            );
            let mut part = order[segment.clone()].to_vec();
            part.sort_unstable();
            assert_eq!(part, given[segment.clone()]);
        }
        assert!(cyclic_sum(&sets, &order) < cyclic_sum(&sets, &given) * 3 / 4);
    }
}
