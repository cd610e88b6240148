//! Values that become others by the law of a matrix: what was drawn, and whether it may have been.

use sfumato_core::dataset::Column;

use super::Draws;
use super::values::recoded;

/// A law by which codes become others: `weights[from]` of each code, in whole numbers.
pub struct Transition {
    /// The weight of each code that a code may become.
    pub weights: Vec<Vec<u64>>,
}

impl Transition {
    /// Draw the new codes of a column. Codes without a law stay as they are.
    pub fn draw(&self, column: &Column, draws: &mut Draws) -> Column {
        let totals: Vec<u64> = self.weights.iter().map(|row| row.iter().sum()).collect();
        let drawn = column.codes.iter().map(|code| {
            let Some(weights) = self.weights.get(code as usize) else { return code };
            let mut rest = draws.below(totals[code as usize].max(1));
            for (to, weight) in (0u32..).zip(weights) {
                if rest < *weight {
                    return to;
                }
                rest -= weight;
            }
            code
        });
        recoded(column, drawn.collect::<Vec<u32>>().into_iter())
    }

    /// The share of a code that becomes another.
    fn share(&self, from: usize, to: usize) -> f64 {
        let total: u64 = self.weights[from].iter().sum();
        self.weights[from][to] as f64 / total.max(1) as f64
    }

    /// Whether codes may have become others by this law: each of the numbers is compared with its
    /// binomial distribution, which chance leaves less than once in a hundred million runs.
    pub fn fault(&self, before: &Column, after: &Column) -> Option<String> {
        let n = self.weights.len();
        let mut counts = vec![0u64; n * n];
        for (from, to) in before.codes.iter().zip(after.codes.iter()) {
            let (from, to) = (from as usize, to as usize);
            match (from < n, to < n) {
                (true, true) => counts[from * n + to] += 1,
                (false, false) if from == to => {}
                _ => return Some(format!("a value of '{}' became no value of it", before.name)),
            }
        }
        for from in 0..n {
            let all: u64 = counts[from * n..(from + 1) * n].iter().sum();
            for to in 0..n {
                let (found, share) = (counts[from * n + to] as f64, self.share(from, to));
                let expected = all as f64 * share;
                let spread = (expected * (1.0 - share)).sqrt();
                if (found - expected).abs() > 7.0 * spread + 12.0 || (share == 0.0 && found > 0.0) {
                    return Some(format!(
                        "values of column '{}' became others more or less often than by chance",
                        before.name
                    ));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::SeedableRng as _;
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::{Domain, Missing, Role};

    use super::*;

    #[test]
    fn a_law_is_followed_and_another_is_seen() {
        let column = Column {
            name: "town".into(),
            role: Role::Quasi,
            codes: Codes::from_iter(4, (0..9000).map(|row| row % 3)),
            domain: Domain::of_texts(["a", "b", "c"]),
            hierarchy: None,
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        };
        let law = Transition { weights: vec![vec![8, 1, 1], vec![1, 8, 1], vec![0, 2, 8]] };
        let mut draws = Draws(ChaCha20Rng::seed_from_u64(3));
        let drawn = law.draw(&column, &mut draws);
        assert_eq!(law.fault(&column, &drawn), None);
        assert!(law.fault(&column, &column).is_some(), "nothing was drawn");
        let other = Transition { weights: vec![vec![7, 2, 1], vec![1, 8, 1], vec![0, 2, 8]] };
        assert!(other.fault(&column, &drawn).is_some());
    }
}
