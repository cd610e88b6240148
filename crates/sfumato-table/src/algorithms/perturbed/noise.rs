//! What noise may be: bounds on what was added, that chance hardly ever passes.

use sfumato_core::dataset::Column;

use super::values::{digits, missing_elsewhere, moments, numbers};

/// How many standard errors chance may reach.
const ERRORS: f64 = 7.0;
/// No draw is farther out, in standard deviations: less than once in 10^20 draws.
const FARTHEST: f64 = 40.0;

/// What is wrong with columns to which noise with mean 0 is said to have been added, whose standard
/// deviation is a share of the column's own.
pub fn fault(before: &[&Column], after: &[&Column], share: f64) -> Option<String> {
    if let Some(fault) = missing_elsewhere(before, after) {
        return Some(fault);
    }
    before.iter().zip(after).find_map(|(before, after)| {
        let (old, new) = (numbers(before), numbers(after));
        let known: Vec<f64> = old.iter().copied().flatten().collect();
        let added: Option<Vec<f64>> = old
            .iter()
            .zip(&new)
            .filter_map(|(old, new)| old.map(|old| new.map(|new| new - old)))
            .collect();
        let Some(added) = added else {
            return Some(format!("column '{}' has values that are no numbers", before.name));
        };
        let step = 10f64.powi(-(digits(before) as i32));
        let deviation = share * moments(&known).1;
        out_of_bounds(&added, deviation, step)
            .map(|what| format!("{what} in column '{}'", before.name))
    })
}

/// Whether draws with mean 0 and a standard deviation, rounded to a step, may have come about.
fn out_of_bounds(added: &[f64], deviation: f64, step: f64) -> Option<&'static str> {
    let n = added.len() as f64;
    if added.iter().any(|x| x.abs() > FARTHEST * deviation + step) {
        return Some("a number was moved farther than noise goes");
    }
    let (mean, found) = moments(added);
    if mean.abs() > ERRORS * (deviation + step) / n.sqrt() {
        return Some("the mean moved farther than noise moves it");
    }
    // The fourth moment of the Laplace distribution is 6, that of the normal one 3.
    let error = ERRORS * (5.0 / (4.0 * n)).sqrt();
    let is_wrong = (found - deviation).abs() > error * (deviation + step) + step;
    (is_wrong && error < 0.5).then_some("the noise has another size than it should")
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::algorithms::perturbed::Draws;

    #[test]
    fn noise_of_another_size_is_seen() {
        let mut draws = Draws(ChaCha20Rng::seed_from_u64(4));
        for draw in [Draws::normal, Draws::laplace] {
            let added: Vec<f64> = (0..4000).map(|_| 3.0 * draw(&mut draws)).collect();
            assert_eq!(out_of_bounds(&added, 3.0, 0.01), None);
            assert!(out_of_bounds(&added, 2.0, 0.01).is_some());
            assert!(out_of_bounds(&vec![0.0; 4000], 3.0, 0.01).is_some());
            let moved: Vec<f64> = added.iter().map(|x| x + 1.0).collect();
            assert!(out_of_bounds(&moved, 3.0, 0.01).is_some());
        }
    }
}
