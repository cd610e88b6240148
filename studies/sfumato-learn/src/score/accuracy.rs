//! Accuracy: the share of rows whose class was predicted.

/// Share of equal entries; `None` without rows or if lengths differ.
pub fn accuracy(truth: &[u32], predicted: &[u32]) -> Option<f64> {
    if truth.is_empty() || truth.len() != predicted.len() {
        return None;
    }
    let right = truth.iter().zip(predicted).filter(|(a, b)| a == b).count();
    Some(right as f64 / truth.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_right() {
        assert_eq!(accuracy(&[0, 1, 2, 1], &[0, 1, 1, 1]), Some(0.75));
        assert_eq!(accuracy(&[3], &[3]), Some(1.0));
        assert_eq!(accuracy(&[], &[]), None);
        assert_eq!(accuracy(&[1], &[1, 1]), None);
    }
}
