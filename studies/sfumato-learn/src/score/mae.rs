//! Mean absolute error of predicted numbers.

/// Mean of `|truth - predicted|`; `None` without rows or if lengths differ.
pub fn mae(truth: &[f64], predicted: &[f64]) -> Option<f64> {
    if truth.is_empty() || truth.len() != predicted.len() {
        return None;
    }
    let n = truth.len() as f64;
    Some(truth.iter().zip(predicted).map(|(a, b)| (a - b).abs() / n).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_mean_of_distances() {
        assert_eq!(mae(&[1.0, 2.0, 3.0, 4.0], &[1.0, 4.0, 1.0, 4.0]), Some(1.0));
        assert_eq!(mae(&[], &[]), None);
        assert_eq!(mae(&[1.0], &[]), None);
        // Sums that would leave the range of f64 don't.
        assert_eq!(mae(&[1e308, 1e308], &[0.0, 0.0]), Some(1e308));
    }
}
