//! The paired t-test: are scores from the same folds or sets systematically higher on one side?

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::score::Spread;

/// What the test says about `first - second`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedTTest {
    /// Mean and spread of the differences.
    pub difference: Spread,
    /// The statistic; infinite if all differences are equal and not 0.
    pub t: f64,
    /// Chance of a t this far from 0 on either side if there were no difference.
    pub p_two_tailed: f64,
    /// Chance of a t this large or larger: small if the first is higher.
    pub p_first_higher: f64,
    /// Chance of a t this small or smaller: small if the second is higher.
    pub p_second_higher: f64,
}

/// Test pairs of scores. `None` with fewer than two pairs, lists of different length or scores that
/// aren't finite. Note that scores of overlapping training sets (folds, repeated splits of one
/// table) aren't independent: their p is too small.
pub fn paired_t_test(first: &[f64], second: &[f64]) -> Option<PairedTTest> {
    if first.len() != second.len() || first.len() < 2 {
        return None;
    }
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    if differences.iter().any(|difference| !difference.is_finite()) {
        return None;
    }
    let difference = Spread::of(&differences)?;
    let all_equal = differences.iter().all(|other| *other == differences[0]);
    let error = difference.sd / (difference.n as f64).sqrt();
    let t = match (all_equal || error == 0.0, difference.mean) {
        (true, 0.0) => 0.0,
        (true, mean) => mean.signum() * f64::INFINITY,
        (false, mean) => mean / error,
    };
    let above = if t.is_infinite() { 0.0 } else { tail(t.abs(), (difference.n - 1) as f64)? };
    let (p_first_higher, p_second_higher) =
        if t >= 0.0 { (above, 1.0 - above) } else { (1.0 - above, above) };
    Some(PairedTTest {
        difference,
        t,
        p_two_tailed: (2.0 * above).min(1.0),
        p_first_higher,
        p_second_higher,
    })
}

/// Chance of at least `t`, which isn't negative.
fn tail(t: f64, freedom: f64) -> Option<f64> {
    Some(StudentsT::new(0.0, 1.0, freedom).ok()?.sf(t))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        // Critical values as printed in tables of Student's t.
        for (freedom, t, p) in [
            (1.0, 12.706, 0.025),
            (4.0, 2.132, 0.05),
            (9.0, 1.833, 0.05),
            (9.0, 3.250, 0.005),
            (99.0, 1.660, 0.05),
        ] {
            assert!((tail(t, freedom).unwrap() - p).abs() < 5e-5 + p * 1e-3, "{freedom} {t}");
        }
        // One degree of freedom is a Cauchy distribution.
        assert!((tail(1.0, 1.0).unwrap() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_worked_example() {
        // Differences 1 2 3 4 5: mean 3, sd sqrt(2.5), t = 3 / sqrt(0.5) = 4.2426, 4 degrees of
        // freedom.
        let test = paired_t_test(&[2.0, 4.0, 6.0, 8.0, 10.0], &[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((test.t - 18f64.sqrt()).abs() < 1e-12);
        assert!((test.p_two_tailed - 0.013_236).abs() < 1e-5, "{}", test.p_two_tailed);
        assert!((test.p_first_higher - test.p_two_tailed / 2.0).abs() < 1e-15);
    }

    #[test]
    fn without_spread_or_pairs() {
        let same = paired_t_test(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
        assert_eq!((same.t, same.p_two_tailed, same.p_first_higher), (0.0, 1.0, 0.5));
        let lower = paired_t_test(&[1.0, 2.0], &[2.0, 3.0]).unwrap();
        assert_eq!(
            (lower.t, lower.p_two_tailed, lower.p_second_higher),
            (f64::NEG_INFINITY, 0.0, 0.0)
        );
        assert_eq!(paired_t_test(&[1.0], &[2.0]), None);
        assert_eq!(paired_t_test(&[1.0, 2.0], &[2.0]), None);
        assert_eq!(paired_t_test(&[1.0, f64::NAN], &[2.0, 1.0]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn sides_mirror_each_other(pairs in prop::collection::vec((-1.0..1.0f64, -1.0..1.0f64),
            2..20)) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let (ab, ba) = (paired_t_test(&a, &b).unwrap(), paired_t_test(&b, &a).unwrap());
            prop_assert!((ab.t + ba.t).abs() < 1e-9);
            prop_assert!((ab.p_first_higher - ba.p_second_higher).abs() < 1e-9);
            prop_assert!((ab.p_first_higher + ab.p_second_higher - 1.0).abs() < 1e-9);
            prop_assert!((ab.p_two_tailed - 2.0 * ab.p_first_higher.min(ab.p_second_higher))
                .abs() < 1e-9);
        }
    }
}
