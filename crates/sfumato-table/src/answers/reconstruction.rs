//! Why answers are capped: enough counts over random sets, even wrong ones, give a secret column
//! back (Dinur and Nissim, 2003).
//!
//! Each answer is one equation in the noughts and ones of the records. Least squares over all of
//! them, held between 0 and 1 and rounded, is the column where the errors are small beside the root
//! of the number of records, whatever denied single records.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;
use sfumato_core::{Error, Result};
use sfumato_kernels::discrete_laplace::below;

/// What an attacker got back.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Reconstructed {
    /// The number of records.
    pub records: u64,
    /// The number of answers that were used.
    pub answers: u64,
    /// How much each answer was wrong at most.
    pub error: u64,
    /// The share of records whose secret was rebuilt.
    pub rebuilt: f64,
    /// The share that whoever knows only the total guesses.
    pub guessed: f64,
}

/// The largest number of records: the work grows with its cube.
const MOST: usize = 2_000;
/// How often the guess is improved.
const ROUNDS: usize = 200;

/// Ask for counts over random halves of the records, each wrong by at most `error`, and rebuild.
pub fn play(
    secret: &[bool],
    answers: u64,
    error: u64,
    random: &mut ChaCha20Rng,
) -> Result<Reconstructed> {
    if secret.is_empty() || secret.len() > MOST {
        return Err(Error::unsupported(format!(
            "the column is rebuilt for 1 to {MOST} records, and here are {}",
            secret.len()
        ))
        .hint("take a part of the table: the attack shows the same"));
    }
    let n = secret.len();
    let mut sets = Vec::new();
    let mut told = Vec::new();
    for _ in 0..answers {
        let set: Vec<u32> = (0..n as u32).filter(|_| random.next_u64() & 1 == 1).collect();
        let truth = set.iter().filter(|record| secret[**record as usize]).count() as f64;
        let wrong = below(2 * u128::from(error) + 1, random) as f64 - error as f64;
        told.push(truth + wrong);
        sets.push(set);
    }
    let found = rebuild(n, &sets, &told);
    let share = |n: usize| n as f64 / secret.len() as f64;
    let ones = secret.iter().filter(|is| **is).count();
    Ok(Reconstructed {
        records: n as u64,
        answers,
        error,
        rebuilt: share(found.iter().zip(secret).filter(|(one, other)| one == other).count()),
        guessed: share(ones.max(n - ones)),
    })
}

/// The column that goes best with counts over sets.
pub fn rebuild(n: usize, sets: &[Vec<u32>], told: &[f64]) -> Vec<bool> {
    let mut guess = vec![0.5; n];
    // Steps of one over the largest curvature, accelerated, and held between 0 and 1.
    let step = 1.0 / curvature(n, sets).max(1.0);
    let (mut before, mut weight) = (guess.clone(), 1.0f64);
    for _ in 0..ROUNDS {
        let next_weight = (1.0 + (1.0 + 4.0 * weight * weight).sqrt()) / 2.0;
        let push = (weight - 1.0) / next_weight;
        let ahead: Vec<f64> =
            guess.iter().zip(&before).map(|(now, before)| now + push * (now - before)).collect();
        let mut slope = vec![0.0; n];
        for (set, told) in sets.iter().zip(told) {
            let off = set.iter().map(|record| ahead[*record as usize]).sum::<f64>() - told;
            set.iter().for_each(|record| slope[*record as usize] += off);
        }
        before = guess;
        guess = ahead.iter().zip(&slope).map(|(x, s)| (x - step * s).clamp(0.0, 1.0)).collect();
        weight = next_weight;
    }
    guess.into_iter().map(|x| x > 0.5).collect()
}

/// The largest eigenvalue of the equations, a little more: by powers.
fn curvature(n: usize, sets: &[Vec<u32>]) -> f64 {
    let (mut vector, mut size) = (vec![1.0; n], 0.0);
    for _ in 0..20 {
        let mut next = vec![0.0; n];
        for set in sets {
            let sum: f64 = set.iter().map(|record| vector[*record as usize]).sum();
            set.iter().for_each(|record| next[*record as usize] += sum);
        }
        size = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        let length = size.max(f64::MIN_POSITIVE);
        let was = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector = next.iter().map(|x| x / length).collect();
        size /= was.max(f64::MIN_POSITIVE);
    }
    1.05 * size
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    /// L815: many answers with small errors give nearly all back; few answers, or errors as large
    /// as the root of the number of records, don't.
    #[test]
    fn many_answers_give_the_column_back_and_few_do_not() {
        let mut random = ChaCha20Rng::seed_from_u64(33);
        let secret: Vec<bool> = (0..200).map(|_| random.next_u64() & 1 == 1).collect();
        let mut rebuilt =
            |answers, error| play(&secret, answers, error, &mut random).unwrap().rebuilt;
        assert_eq!(rebuilt(800, 0), 1.0);
        assert!(rebuilt(1600, 3) > 0.95);
        assert!(rebuilt(20, 0) < 0.75, "a tenth of the answers");
        assert!(rebuilt(200, 60) < 0.75, "errors far above the root of 200");
    }
}
