//! Area under the ROC curve, by ranks: the chance that a row of the class scores above a row of
//! another, ties counting half.

use crate::learner::Scores;

/// The area for one class: Mann and Whitney's U over the number of pairs. `None` if either side is
/// empty, lengths differ or a score is not a number.
pub fn auc(scores: &[f64], positive: &[bool]) -> Option<f64> {
    let n_positive = positive.iter().filter(|p| **p).count();
    let n_negative = positive.len() - n_positive;
    if scores.len() != positive.len()
        || n_positive == 0
        || n_negative == 0
        || scores.iter().any(|s| s.is_nan())
    {
        return None;
    }
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_unstable_by(|a, b| scores[*a].total_cmp(&scores[*b]));
    // Twice the wins, so that a tie is a whole number: sums of whole numbers are exact.
    let (mut twice, mut below, mut start) = (0u128, 0u128, 0);
    while start < order.len() {
        let score = scores[order[start]];
        let end = order[start..]
            .iter()
            .position(|row| scores[*row] != score)
            .map_or(order.len(), |n| start + n);
        let positives = order[start..end].iter().filter(|row| positive[**row]).count() as u128;
        let negatives = (end - start) as u128 - positives;
        twice += positives * (2 * below + negatives);
        below += negatives;
        start = end;
    }
    Some(twice as f64 / (2.0 * n_positive as f64 * n_negative as f64))
}

/// For two or more classes: each class against the rest by its own scores, and the plain mean over
/// the classes that have rows inside and outside. For two classes with complementary scores that is
/// the usual area. `None` if fewer than two classes occur in `truth` or lengths differ.
pub fn auc_of_classes(scores: &Scores, truth: &[u32]) -> Option<f64> {
    if scores.n_rows() != truth.len() {
        return None;
    }
    let area = |class: usize| {
        let positive: Vec<bool> = truth.iter().map(|y| *y as usize == class).collect();
        auc(&scores.of_class(class), &positive)
    };
    let areas: Vec<f64> = (0..scores.n_classes()).filter_map(area).collect();
    (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_pairs(scores: &[f64], positive: &[bool]) -> f64 {
        let (mut wins, mut pairs) = (0.0, 0.0);
        for i in (0..scores.len()).filter(|i| positive[*i]) {
            for j in (0..scores.len()).filter(|j| !positive[*j]) {
                pairs += 1.0;
                wins += if scores[i] > scores[j] {
                    1.0
                } else {
                    f64::from(u8::from(scores[i] == scores[j])) / 2.0
                };
            }
        }
        wins / pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn is_the_share_of_pairs_in_order(rows in prop::collection::vec((-3i32..3, any::<bool>()),
            0..30)) {
            let scores: Vec<f64> = rows.iter().map(|(s, _)| f64::from(*s)).collect();
            let positive: Vec<bool> = rows.iter().map(|(_, p)| *p).collect();
            match auc(&scores, &positive) {
                Some(area) => prop_assert!((area - by_pairs(&scores, &positive)).abs() < 1e-12),
                None => prop_assert!(positive.iter().all(|p| *p) || !positive.iter().any(|p| *p)),
            }
        }

        #[test]
        fn of_classes_is_the_mean_over_occurring_ones(
            rows in prop::collection::vec((prop::array::uniform4(0u8..5), 0u32..3), 1..30)) {
            let values = rows.iter().flat_map(|(s, _)| s.map(f64::from)).collect();
            let scores = Scores::new(4, values).unwrap();
            let truth: Vec<u32> = rows.iter().map(|(_, y)| *y).collect();
            let mut areas = Vec::new();
            for class in 0..3 {
                let positive: Vec<bool> = truth.iter().map(|y| *y == class).collect();
                if positive.contains(&true) && positive.contains(&false) {
                    areas.push(by_pairs(&scores.of_class(class as usize), &positive));
                }
            }
            let expected =
                (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64);
            match (auc_of_classes(&scores, &truth), expected) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-12),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }

    #[test]
    fn refuses_what_has_no_order() {
        assert_eq!(auc(&[1.0, f64::NAN], &[true, false]), None);
        assert_eq!(auc(&[1.0], &[true, false]), None);
        assert_eq!(auc(&[0.0, -0.0], &[true, false]), Some(0.5));
        assert_eq!(auc_of_classes(&Scores::new(2, vec![0.0; 4]).unwrap(), &[0]), None);
    }
}
