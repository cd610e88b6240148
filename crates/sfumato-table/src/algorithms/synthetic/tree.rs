//! Records drawn along a tree of pairs: each column given its neighbour.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_engine::random::shuffle;

/// A number between 0 and 1.
pub fn uniform(random: &mut ChaCha20Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Whole numbers in proportion to shares that add up to `n`: rounded down, and the rest dealt out
/// by chance in proportion to what was cut off.
pub fn whole(shares: &[f64], n: usize, random: &mut ChaCha20Rng) -> Vec<usize> {
    let sum: f64 = shares.iter().sum();
    let scaled: Vec<f64> = match sum > 0.0 {
        true => shares.iter().map(|share| share * n as f64 / sum).collect(),
        false => vec![n as f64 / shares.len().max(1) as f64; shares.len()],
    };
    let mut counts: Vec<usize> = scaled.iter().map(|share| *share as usize).collect();
    // Systematic sampling of the parts that were cut off: each is right on average.
    let left = n.saturating_sub(counts.iter().sum());
    let (mut at, mut given) = (uniform(random), 0);
    let mut passed = 0.0;
    for (count, share) in counts.iter_mut().zip(&scaled) {
        passed += share.fract();
        while passed > at && given < left {
            *count += 1;
            given += 1;
            at += 1.0;
        }
    }
    if let Some(last) = counts.iter().position(|count| *count > 0).or((n > 0).then_some(0)) {
        counts[last] += left - given;
    }
    counts
}

/// Draw `n` records, column by column: those of a root by its own table, and of every other column
/// by the table with its neighbour.
pub fn draw(
    singles: &[Vec<f64>],
    pairs: &[([usize; 2], Vec<f64>)],
    n: usize,
    random: &mut ChaCha20Rng,
) -> Vec<Vec<u32>> {
    let mut codes: Vec<Option<Vec<u32>>> = vec![None; singles.len()];
    for root in 0..singles.len() {
        if codes[root].is_some() {
            continue;
        }
        let mut drawn = dealt(&(0..n as u32).collect::<Vec<u32>>(), &singles[root], random);
        drawn.sort_unstable();
        codes[root] = Some(drawn.into_iter().map(|(_, code)| code).collect());
        let mut reached = vec![root];
        while let Some(from) = reached.pop() {
            for ([a, b], counts) in pairs.iter().filter(|(pair, _)| pair.contains(&from)) {
                let to = if *a == from { *b } else { *a };
                if codes[to].is_some() {
                    continue;
                }
                let width = singles[*b].len();
                let cell = |code: usize, other: usize| match *a == from {
                    true => counts[code * width + other],
                    false => counts[other * width + code],
                };
                let known = codes[from].clone().unwrap_or_default();
                let mut drawn = vec![0u32; n];
                for code in 0..singles[from].len() {
                    let rows: Vec<u32> =
                        (0..n as u32).filter(|row| known[*row as usize] == code as u32).collect();
                    let shares: Vec<f64> =
                        (0..singles[to].len()).map(|other| cell(code, other)).collect();
                    for (row, code) in dealt(&rows, &shares, random) {
                        drawn[row as usize] = code;
                    }
                }
                codes[to] = Some(drawn);
                reached.push(to);
            }
        }
    }
    codes.into_iter().map(Option::unwrap_or_default).collect()
}

/// Give rows codes in proportion to shares, in random order.
fn dealt(rows: &[u32], shares: &[f64], random: &mut ChaCha20Rng) -> Vec<(u32, u32)> {
    let mut rows = rows.to_vec();
    shuffle(&mut rows, random);
    let counts = whole(shares, rows.len(), random);
    let codes = (0u32..).zip(counts).flat_map(|(code, n)| std::iter::repeat_n(code, n));
    rows.into_iter().zip(codes).collect()
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::super::records::table_of;
    use super::*;

    #[test]
    fn records_have_the_tables_that_they_were_drawn_by() {
        let mut random = ChaCha20Rng::seed_from_u64(5);
        assert_eq!(whole(&[1.0, 2.0, 1.0], 8, &mut random), [2, 4, 2]);
        assert_eq!(whole(&[0.3, 0.3, 0.4], 1, &mut random).iter().sum::<usize>(), 1);
        let singles = [vec![40.0, 60.0], vec![50.0, 50.0], vec![30.0, 70.0]];
        let pairs = [([0, 1], vec![40.0, 0.0, 10.0, 50.0]), ([1, 2], vec![30.0, 20.0, 0.0, 50.0])];
        let codes = draw(&singles, &pairs, 100, &mut random);
        assert_eq!(table_of(&codes, &[2, 2, 2], &[0, 1], 100), [40, 0, 10, 50]);
        assert_eq!(table_of(&codes, &[2, 2, 2], &[1, 2], 100), [30, 20, 0, 50]);
    }
}
