//! The knee of a curve: the point from which on a larger k costs clearly more, or less, than
//! before.
//!
//! After V. Satopaa, J. Albrecht, D. Irwin, B. Raghavan, "Finding a 'Kneedle' in a Haystack", ICDCS
//! Workshops 2011, without its smoothing and its threshold: a grid has few points and no noise.

use sfumato_report::explore::Knee;

/// A bend smaller than this is rounding.
const STRAIGHT: f64 = 1e-9;

/// The point farthest from the straight line between the first and the last one, with loss against
/// the logarithm of k and both axes scaled to 0..1. Points are ordered by k. `None` with fewer than
/// three points, or if none is off the line.
pub fn knee(points: &[(u64, f64)]) -> Option<Knee> {
    let [(first, _), .., (last, _)] = points else { return None };
    let finite = points.iter().all(|(k, loss)| *k > 0 && loss.is_finite());
    let (lo, hi) = points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (_, loss)| {
        (lo.min(*loss), hi.max(*loss))
    });
    if points.len() < 3 || first >= last || !finite || hi <= lo {
        return None;
    }
    let across = |k: u64| (k as f64 / *first as f64).ln() / (*last as f64 / *first as f64).ln();
    let up = |loss: f64| (loss - lo) / (hi - lo);
    let (start, end) = (up(points[0].1), up(points[points.len() - 1].1));
    // The line goes from (0, start) to (1, end).
    let length = (1.0 + (end - start).powi(2)).sqrt();
    let mut best: Option<Knee> = None;
    for &(k, loss) in &points[1..points.len() - 1] {
        let distance = (up(loss) - start - (end - start) * across(k)).abs() / length;
        let farthest = best.as_ref().map_or(STRAIGHT, |knee| knee.distance);
        if distance > farthest {
            best = Some(Knee { k, loss, distance });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bends_either_way_are_found() {
        // Equal steps across, so that distances can be seen: 0, 0.7, 0.8, 0.9, 1 bends at the
        // second point.
        let up = [(1, 0.0), (10, 0.7), (100, 0.8), (1000, 0.9), (10_000, 1.0)];
        let found = knee(&up).unwrap();
        assert_eq!(found.k, 10);
        assert!((found.distance - 0.45 / 2f64.sqrt()).abs() < 1e-12);
        let down = up.map(|(k, loss)| (k, 5.0 - 2.0 * loss));
        assert_eq!(knee(&down).map(|knee| (knee.k, knee.loss)), Some((10, 3.6)));
        let late = [(1, 0.0), (10, 0.1), (100, 0.2), (1000, 1.0)];
        assert_eq!(knee(&late).unwrap().k, 100);
    }

    #[test]
    fn lines_and_short_curves_have_none() {
        assert_eq!(knee(&[]), None);
        assert_eq!(knee(&[(2, 0.1)]), None);
        assert_eq!(knee(&[(2, 0.1), (5, 0.5)]), None);
        assert_eq!(knee(&[(2, 0.3), (5, 0.3), (10, 0.3)]), None);
        assert_eq!(knee(&[(1, 0.0), (10, 0.5), (100, 1.0)]), None);
        assert_eq!(knee(&[(1, 0.0), (10, f64::NAN), (100, 1.0)]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn units_do_not_matter(losses in prop::collection::vec(0.0..1.0f64, 3..8),
            scale in 0.1..1000.0f64, shift in -5.0..5.0f64) {
            let points = |f: &dyn Fn(f64) -> f64| -> Vec<(u64, f64)> {
                losses.iter().enumerate().map(|(i, loss)| (2u64.pow(i as u32 + 1), f(*loss)))
                    .collect()
            };
            let (a, b) = (knee(&points(&|x| x)), knee(&points(&|x| x * scale + shift)));
            prop_assert_eq!(a.is_some(), b.is_some());
            if let (Some(a), Some(b)) = (a, b) {
                prop_assert!((a.distance - b.distance).abs() < 1e-9 && a.distance > 0.0
                    && a.distance <= 1.0);
            }
        }
    }
}
