//! Draws a simple random sample of tuples in one scan.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_io::spill::Tuples;

use crate::algorithms::local::rothko::scan::advance;

/// Draw tuples without replacement, in their order: `words[column][row]`. Each tuple is drawn with
/// the probability that makes all sets of that size equally likely: the number still wanted divided
/// by the number still to come.
pub fn draw(
    tuples: &dyn Tuples,
    n_columns: usize,
    wanted: usize,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<Vec<u64>>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut to_come = tuples.n_rows();
    let mut wanted = (wanted as u64).min(to_come);
    let mut words = vec![Vec::with_capacity(wanted as usize); n_columns];
    let all: Vec<usize> = (0..n_columns).collect();
    let mut drawn: Vec<u32> = Vec::new();
    tuples.scan(&all, &mut |batch| {
        drawn.clear();
        for row in 0..batch.n_rows as u32 {
            // A number below `to_come`, by the high half of a product: it is off by less than 2^-30
            // of a chance.
            let pick = ((u128::from(random.next_u64()) * u128::from(to_come)) >> 64) as u64;
            if pick < wanted {
                drawn.push(row);
                wanted -= 1;
            }
            to_come = to_come.saturating_sub(1);
        }
        for (words, column) in words.iter_mut().zip(batch.columns) {
            words.extend(drawn.iter().map(|row| column[*row as usize]));
        }
        advance(observer, batch)
    })?;
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::observer::Unobserved;
    use sfumato_io::spill::InMemory;

    fn numbers(n: u64) -> InMemory {
        InMemory {
            columns: vec![(0..n).collect(), (0..n).map(|x| x * 2).collect()],
            n_rows: n as usize,
        }
    }

    #[test]
    fn every_tuple_is_as_likely_and_none_comes_twice() {
        let tuples = numbers(50);
        let mut counts = [0u32; 50];
        for seed in 0..2_000 {
            let sample = draw(&tuples, 2, 10, seed, &Unobserved).unwrap();
            assert!(sample[0].is_sorted_by(|a, b| a < b) && sample[0].len() == 10);
            assert!(sample[0].iter().zip(&sample[1]).all(|(a, b)| 2 * a == *b));
            sample[0].iter().for_each(|x| counts[*x as usize] += 1);
        }
        // 400 are expected, with a standard deviation of 18.
        assert!(counts.iter().all(|count| (320..480).contains(count)), "{counts:?}");
    }

    #[test]
    fn more_than_there_are_is_everything_and_a_seed_is_a_sample() {
        assert_eq!(draw(&numbers(7), 2, 100, 3, &Unobserved).unwrap()[0], [0, 1, 2, 3, 4, 5, 6]);
        let tuples = numbers(10_000);
        let [a, b, c] = [1, 1, 2].map(|seed| draw(&tuples, 1, 500, seed, &Unobserved).unwrap());
        assert!(a == b && a != c);
    }
}
