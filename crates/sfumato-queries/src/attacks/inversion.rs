//! Undoes hashes of terms: which hash is which term is guessed from how often they occur and beside
//! which others, in the hashed log and in another log in clear.
//!
//! A hash and a term are similar if they are about equally frequent, and if those that each is
//! often found beside are similar in turn. That is computed in rounds, beginning with frequencies
//! alone, and then the most similar are matched, each once.

use super::terms::{Frequent, Terms};

/// How an attacker proceeds.
#[derive(Debug, Clone, Copy)]
pub struct Inversion {
    /// How many of the most frequent hashes are guessed.
    pub most: usize,
    /// How much frequencies differ from one log to the other beyond chance, as a share.
    pub drift: f64,
    /// How often similarities are computed from those of neighbours.
    pub rounds: usize,
}

/// A guess: a hash and a term, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guess {
    /// The hash.
    pub hash: u32,
    /// The term.
    pub term: u32,
}

/// How many neighbours of a term are looked at.
const NEIGHBOURS: usize = 12;
/// Further from each other than so many standard deviations no two frequencies are compared.
const FURTHEST: f32 = 4.0;
/// What the frequency of a term itself weighs, and what its neighbours weigh.
const OWN: f32 = 0.3;

impl Inversion {
    /// Guess the terms of hashes, the most frequent first.
    pub fn guess(&self, reference: &Terms, hashed: &Terms) -> Vec<Guess> {
        // Some of the most frequent of one log are a little rarer in the other.
        let clear = reference.frequent(self.most + self.most / 4);
        let hidden = hashed.frequent(self.most);
        if clear.is_empty() || hidden.is_empty() {
            return Vec::new();
        }
        let alike = self.frequencies(&clear, &hidden);
        let neighbours = [&hidden, &clear].map(neighbours);
        let mut similar = alike.clone();
        for _ in 0..self.rounds {
            similar = flooded(&alike, &similar, &neighbours, clear.len());
        }
        matched(&similar, &hidden, &clear)
    }

    /// How well the frequencies of each hash and each term agree, from 0 to 1: row by row of
    /// hashes.
    fn frequencies(&self, clear: &Frequent, hidden: &Frequent) -> Vec<f32> {
        let drift = (self.drift * self.drift) as f32;
        let mut alike = Vec::with_capacity(hidden.len() * clear.len());
        for hash in 0..hidden.len() {
            for term in 0..clear.len() {
                let differs = (hidden.share(hash) / clear.share(term)).ln();
                let variance = 1.0 / hidden.counts[hash] + 1.0 / clear.counts[term] + drift;
                let off = differs * differs / variance;
                alike.push(if off > FURTHEST * FURTHEST { 0.0 } else { (-off / 2.0).exp() });
            }
        }
        alike
    }
}

/// The terms that each is oftenest found beside, with what each weighs: all weigh 1 together.
fn neighbours(of: &Frequent) -> Vec<Vec<(usize, f32)>> {
    let list = |one: usize| {
        let bond = |other: usize| (other, of.bond(one, other));
        let mut all: Vec<(usize, f32)> =
            (0..of.len()).filter(|other| *other != one).map(bond).collect();
        all.retain(|(_, bond)| *bond > 0.0);
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(NEIGHBOURS);
        let sum: f32 = all.iter().map(|(_, bond)| bond).sum();
        all.iter_mut().for_each(|(_, bond)| *bond /= sum.max(f32::MIN_POSITIVE));
        all
    };
    (0..of.len()).map(list).collect()
}

/// Similarities from those of neighbours: each neighbour of a hash is compared with the neighbour
/// of the term that is most similar to it and that no other is compared with.
fn flooded(
    alike: &[f32],
    similar: &[f32],
    [of_hashes, of_terms]: &[Vec<Vec<(usize, f32)>>; 2],
    n_terms: usize,
) -> Vec<f32> {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    let mut next = vec![0.0; alike.len()];
    for (at, own) in alike.iter().enumerate().filter(|(_, own)| **own > 0.0) {
        let (hashes, terms) = (&of_hashes[at / n_terms], &of_terms[at % n_terms]);
        pairs.clear();
        for (one, (hash, a)) in hashes.iter().enumerate() {
            for (other, (term, b)) in terms.iter().enumerate() {
                let similarity = similar[hash * n_terms + term];
                if similarity > 0.0 {
                    pairs.push((similarity * (a * b).sqrt(), one, other));
                }
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let (mut is_taken, mut sum) = ([[false; NEIGHBOURS]; 2], 0.0);
        for (similarity, one, other) in &pairs {
            if !is_taken[0][*one] && !is_taken[1][*other] {
                is_taken[0][*one] = true;
                is_taken[1][*other] = true;
                sum += similarity;
            }
        }
        next[at] = own * (OWN + (1.0 - OWN) * sum);
    }
    next
}

/// Match hashes with terms, the most similar first, each once.
fn matched(similar: &[f32], hidden: &Frequent, clear: &Frequent) -> Vec<Guess> {
    let n_terms = clear.len();
    let mut order: Vec<usize> = (0..similar.len()).filter(|at| similar[*at] > 0.0).collect();
    order.sort_by(|a, b| similar[*b].total_cmp(&similar[*a]).then(a.cmp(b)));
    let mut of_hash: Vec<Option<usize>> = vec![None; hidden.len()];
    let mut is_taken = vec![false; n_terms];
    for at in order {
        let (hash, term) = (at / n_terms, at % n_terms);
        if of_hash[hash].is_none() && !is_taken[term] {
            of_hash[hash] = Some(term);
            is_taken[term] = true;
        }
    }
    let guess = |(hash, term): (usize, &Option<usize>)| {
        term.map(|term| Guess { hash: hidden.terms[hash], term: clear.terms[term] })
    };
    of_hash.iter().enumerate().filter_map(guess).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::secret::Secret;

    const ATTACK: Inversion = Inversion { most: 150, drift: 0.03, rounds: 6 };

    /// Rows of words about topics. The nth topic, and the nth word of a topic, is asked for with a
    /// probability that is proportional to 1 / n, as words of a language are.
    fn rows(n: usize, seed: u64) -> Vec<Vec<String>> {
        let mut state = seed;
        let mut next = move |n: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(n)) as u32
        };
        let mut zipf = move |n: u32| loop {
            let (place, coin) = (next(n), next(1 << 20));
            if coin < (1 << 20) / (place + 1) {
                return place;
            }
        };
        let mut row = |_| {
            let topic = zipf(25);
            let words = 2 + zipf(3);
            let mut word = |_| match zipf(6) {
                2 => format!("common{}", zipf(12)),
                _ => format!("word{topic}x{}", zipf(12)),
            };
            (0..words).map(&mut word).collect()
        };
        (0..n).map(&mut row).collect()
    }

    fn terms(rows: &[Vec<String>], name: impl Fn(&str) -> String) -> Terms {
        let mut terms = Terms::default();
        for row in rows {
            let names: Vec<String> = row.iter().map(|word| name(word)).collect();
            terms.push(names.iter().map(String::as_str));
        }
        terms
    }

    #[test]
    fn another_log_gives_most_frequent_terms_away() {
        let secret = Secret([9; 32]);
        let reference = terms(&rows(20_000, 1), str::to_string);
        let hashed = terms(&rows(20_000, 2), |word| secret.tag("term", word, 8));
        let guesses = ATTACK.guess(&reference, &hashed);
        let is_right = |guess: &&Guess| {
            let term = reference.names().get(guess.term);
            secret.tag("term", term, 8) == hashed.names().get(guess.hash)
        };
        let right = guesses.iter().filter(is_right).count();
        assert!(guesses.len() > 140, "{}", guesses.len());
        assert!(right * 4 >= guesses.len(), "{right} of {}", guesses.len());
        // Of what is asked it is at least a third: the frequent ones are told apart best.
        let counts = hashed.counts();
        let rows_of = |guess: &Guess| u64::from(counts[guess.hash as usize]);
        let all: u64 = guesses.iter().map(rows_of).sum();
        let of_right: u64 = guesses.iter().filter(is_right).map(rows_of).sum();
        assert!(of_right * 3 >= all, "{of_right} of {all}");
        // Without a common language nothing is given away: other words for the same rows' lengths.
        let other = terms(&rows(20_000, 3), |word| {
            format!("x{}", word.bytes().map(u64::from).sum::<u64>() % 40)
        });
        let lost = ATTACK.guess(&other, &hashed);
        assert!(lost.iter().all(|guess| other.names().get(guess.term).starts_with('x')));
    }

    #[test]
    fn nothing_is_guessed_from_nothing() {
        let some = terms(&rows(10, 1), str::to_string);
        let attack = Inversion { most: 5, ..ATTACK };
        assert!(attack.guess(&Terms::default(), &some).is_empty());
        assert!(attack.guess(&some, &Terms::default()).is_empty());
    }
}
