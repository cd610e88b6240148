//! Shortens the tour through the records of each segment of an order: the distance of two records
//! is the price of the region around both.

use rayon::prelude::*;

use crate::algorithms::shared::space::{Bounds, Space};
use sfumato_kernels::nonreciprocal::local_search::Path;
use sfumato_kernels::nonreciprocal::segments::segments;
use sfumato_kernels::nonreciprocal::{Distances, RandomStream, SegmentSizes};

/// The number of near records with which moves are tried.
const NEAR: usize = 10;
/// The number of kicks per different record.
const KICKS: usize = 1;
/// The seed of the kicks. No privacy depends on it, and the order is the same each time.
const SEED: u64 = 0x626f_7865;
/// The scale of prices as whole numbers: the price of a suppressed cell.
const SCALE: f64 = 100_000.0;

/// The order with shorter tours inside its segments; the first and the last record of a segment
/// stay.
pub fn shorten(space: &Space<'_>, mut order: Vec<u32>) -> Vec<u32> {
    let n = order.len();
    let records: Vec<Vec<Bounds>> = order.par_iter().map(|row| space.of_row(*row)).collect();
    let between = |a: usize, b: usize| -> u32 {
        let hull = records[a].iter().zip(&records[b]).map(|(a, b)| a.hull(*b));
        (space.price_of(hull) * SCALE) as u32
    };
    let gaps: Vec<u32> =
        (0..n).into_par_iter().map(|i| if i == 0 { 0 } else { between(i - 1, i) }).collect();
    let segments = segments(&gaps, SegmentSizes::default());
    let mut rest = order.as_mut_slice();
    let mut parts = Vec::with_capacity(segments.len());
    for segment in &segments {
        let (part, others) = rest.split_at_mut(segment.len());
        parts.push((segment.start, part));
        rest = others;
    }
    parts.into_par_iter().enumerate().for_each(|(number, (start, part))| {
        // Equal records that lie side by side are one place of the tour: nothing is gained by going
        // between them.
        let places: Vec<usize> = (start..start + part.len()).collect();
        let runs: Vec<&[usize]> = places.chunk_by(|a, b| records[*a] == records[*b]).collect();
        if runs.len() < 4 {
            return;
        }
        let distances = Distances::new(runs.len(), NEAR, |i, j| between(runs[i][0], runs[j][0]));
        let path = Path::new(&distances)
            .improve(KICKS * runs.len(), &mut RandomStream::stream(SEED, number as u64));
        let rows = part.to_vec();
        let better =
            path.iter().flat_map(|run| runs[*run as usize]).map(|place| rows[place - start]);
        part.iter_mut().zip(better).for_each(|(row, better)| *row = better);
    });
    order
}
