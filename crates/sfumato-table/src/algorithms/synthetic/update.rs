//! Brings made-up records nearer to tables: records of cells that have too many become others of
//! cells that have too few (the gradual update of PrivSyn).

use rand_chacha::ChaCha20Rng;
use sfumato_engine::random::shuffle;

use super::tree::uniform;

/// What part of a difference is mended in the last round: from all of it at first it falls evenly.
const LAST: f64 = 0.04;

/// Update records so that they have tables of pairs, which are gone through so often.
pub fn update(
    codes: &mut [Vec<u32>],
    sizes: &[usize],
    pairs: &[([usize; 2], Vec<f64>)],
    rounds: usize,
    random: &mut ChaCha20Rng,
) {
    let mut part = 1.0;
    let less = LAST.powf(1.0 / rounds.max(1) as f64);
    for _ in 0..rounds {
        for (columns, wanted) in pairs {
            mend(codes, sizes, (*columns, wanted, part), random);
        }
        part *= less;
    }
}

fn mend(
    codes: &mut [Vec<u32>],
    sizes: &[usize],
    ([a, b], wanted, part): ([usize; 2], &[f64], f64),
    random: &mut ChaCha20Rng,
) {
    let n = codes[a].len();
    let cell =
        |codes: &[Vec<u32>], row: usize| codes[a][row] as usize * sizes[b] + codes[b][row] as usize;
    let mut rows: Vec<u32> = (0..n as u32).collect();
    shuffle(&mut rows, random);
    let mut counts = vec![0usize; wanted.len()];
    let mut example = vec![None; wanted.len()];
    for row in &rows {
        let at = cell(codes, *row as usize);
        counts[at] += 1;
        example[at] = Some(*row as usize);
    }
    // Rounded by chance, so that small differences are mended on average.
    let mut too_many = vec![0usize; wanted.len()];
    let mut lacking = Vec::new();
    for (at, (count, wanted)) in counts.iter().zip(wanted).enumerate() {
        let off = part * (*count as f64 - wanted);
        let whole = (off.abs() + uniform(random)) as usize;
        match off > 0.0 {
            true => too_many[at] = whole.min(*count),
            false => lacking.extend(std::iter::repeat_n(at as u32, whole)),
        }
    }
    shuffle(&mut lacking, random);
    let mut lacking = lacking.into_iter();
    for row in rows {
        let row = row as usize;
        let at = cell(codes, row);
        if too_many[at] == 0 {
            continue;
        }
        let Some(to) = lacking.next() else { return };
        too_many[at] -= 1;
        match example[to as usize].filter(|_| uniform(random) < 0.5) {
            // Another record of that cell again, whole: what goes along with the pair stays.
            Some(other) if cell(codes, other) == to as usize => {
                codes.iter_mut().for_each(|column| column[row] = column[other]);
            }
            _ => {
                codes[a][row] = to / sizes[b] as u32;
                codes[b][row] = to % sizes[b] as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::super::records::table_of;
    use super::*;

    #[test]
    fn records_come_near_to_tables_that_go_together() {
        let mut random = ChaCha20Rng::seed_from_u64(9);
        let sizes = [2, 3, 2];
        let mut codes: Vec<Vec<u32>> = vec![vec![0; 600], vec![1; 600], vec![1; 600]];
        let pairs = [
            ([0, 1], vec![100.0, 50.0, 150.0, 100.0, 150.0, 50.0]),
            ([1, 2], vec![200.0, 0.0, 100.0, 100.0, 50.0, 150.0]),
            ([0, 2], vec![120.0, 180.0, 230.0, 70.0]),
        ];
        update(&mut codes, &sizes, &pairs, 40, &mut random);
        for (columns, wanted) in &pairs {
            let found = table_of(&codes, &sizes, columns, 600);
            let off: f64 = found
                .iter()
                .zip(wanted)
                .map(|(found, wanted)| (*found as f64 - wanted).abs())
                .sum();
            assert!(off / 1200.0 < 0.03, "{columns:?}: {found:?}");
        }
    }
}
