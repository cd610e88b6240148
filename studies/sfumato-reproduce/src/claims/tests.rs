//! The frame judges by its rules alone: what must fail fails, and what can't be told is said.

use super::gauge::{least, tau};
use super::*;

const ABOVE: Statement =
    Statement::new(Origin::Line(7), "the first is lower", Gauge::LeastRatio, Rule::Above(1.0));

fn claim(pairs: &[(f64, f64)]) -> Claim {
    let claim = |ours: &f64, control: &f64| ABOVE.claim("", Measured::new(*ours, *control));
    let mut all = pairs.iter().map(|(ours, control)| claim(ours, control));
    let mut first = all.next().unwrap();
    all.for_each(|other| {
        assert!(first.is_same(&other));
        first.add(&other);
    });
    first
}

#[test]
#[should_panic(expected = "a statement needs a control")]
fn a_statement_without_a_control_cannot_be_made() {
    let gauge = Gauge::Custom { measure: "a number", control: "" };
    let _ = Statement::new(Origin::Ours, "anything", gauge, Rule::Above(0.0));
}

#[test]
#[should_panic(expected = "a statement needs a sentence")]
fn a_statement_needs_a_sentence() {
    let _ = Statement::new(Origin::Ours, "", Gauge::Trend, Rule::Above(0.0));
}

#[test]
fn what_the_control_keeps_never_holds() {
    let held = claim(&[(1.5, 0.7), (1.4, 1.3), (1.6, 0.9)]);
    assert_eq!(held.verdict(), Verdict::Holds);
    let vacuous = claim(&[(1.5, 1.5), (1.4, 1.4), (1.6, 1.6)]);
    assert_eq!(vacuous.verdict().word(), "can't be told");
    assert_eq!(vacuous.verdict().reason(), "the control keeps the rule, too");
    let failing = claim(&[(0.5, 1.5), (0.4, 1.4), (0.6, 1.6)]);
    assert_eq!(failing.verdict(), Verdict::DoesNotHold);
}

#[test]
fn an_interval_needs_seeds_and_lies_on_one_side() {
    assert_eq!(claim(&[(1.5, 0.5)]).verdict().reason(), "1 of at least 3 seeds");
    let crossing = claim(&[(1.5, 0.5), (0.9, 0.5), (1.2, 0.5)]);
    assert_eq!(crossing.verdict().reason(), "the interval crosses the limit");
    let nothing = claim(&[(1.5, 0.5), (f64::NAN, 0.5), (1.2, 0.5)]);
    assert_eq!(nothing.verdict().reason(), "not every seed measured something");
    let without = claim(&[(1.5, 0.5), (1.5, f64::NAN), (1.5, 0.5)]);
    assert_eq!(without.verdict().word(), "can't be told");
}

#[test]
fn intervals_are_those_of_student() {
    // t(0.975, 2) = 4.30265 and t(0.975, 4) = 2.77645, from a table.
    let three = Interval::of(&[1.0, 2.0, 3.0]).unwrap();
    assert!((three.high - (2.0 + 4.30265 / 3f64.sqrt())).abs() < 1e-4, "{three:?}");
    let five = Interval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    assert!((five.low - (3.0 - 2.77645 * (2.5f64 / 5.0).sqrt())).abs() < 1e-4, "{five:?}");
    let equal = Interval::of(&[0.1, 0.1, 0.1]).unwrap();
    assert_eq!((equal.low, equal.high), (0.1, 0.1));
    assert_eq!(Interval::of(&[1.0, 2.0]), None);
}

#[test]
fn rules_are_kept_by_whole_intervals() {
    let interval = Interval::of(&[1.0, 2.0, 3.0]).unwrap();
    for (rule, all, none) in [
        (Rule::Above(-1.0), true, false),
        (Rule::Above(2.0), false, false),
        (Rule::AtLeast(9.0), false, true),
        (Rule::Below(9.0), true, false),
        (Rule::AtMost(-2.0), false, true),
        (Rule::Within(-3.0, 9.0), true, false),
        (Rule::Within(1.9, 2.1), false, false),
        (Rule::Within(8.0, 9.0), false, true),
    ] {
        let found = (rule.allows_all(&interval), rule.allows_none(&interval));
        assert_eq!(found, (all, none), "{rule}");
    }
}

#[test]
fn equal_steps_are_no_trend() {
    assert_eq!(tau(&[1.0, 2.0, 5.0]), 1.0);
    assert_eq!(tau(&[1.0, 1.0, 1.0]), 0.0);
    assert_eq!(tau(&[3.0, 2.0, 1.0]), -1.0);
    assert!((tau(&[1.0, 3.0, 2.0]) - 1.0 / 3.0).abs() < 1e-12);
    assert!(tau(&[1.0]).is_nan() && least(&[]).is_nan());
}

#[test]
fn controls_of_curves_that_are_alike_are_alike() {
    let mut nulls = Nulls::new(1);
    let pairs: Vec<(f64, f64)> = (1..40).map(|x| (f64::from(x), 2.0 * f64::from(x))).collect();
    let found = ABOVE.claim("", nulls.pairs(Gauge::LeastRatio, &pairs));
    assert_eq!((found.values(), found.control_values()), (&[2.0][..], &[0.5][..]));
    // The mean of swapped ratios is near 1, whatever the pairs are.
    let mut sum = 0.0;
    for _ in 0..200 {
        let found = ABOVE.claim("", nulls.pairs(Gauge::MeanRatio, &pairs));
        assert!((found.values()[0] - 2.0).abs() < 1e-9);
        sum += found.control_values()[0].ln() / 200.0;
    }
    assert!(sum.abs() < 0.05, "{sum}");
    let trend = ABOVE.claim("", nulls.trend(&[(0..20).map(f64::from).collect()]));
    assert!(trend.values() == [1.0] && trend.control_values()[0].abs() < 0.6);
    let falling = ABOVE.claim("", nulls.falling(&[vec![3.0, 2.0, 1.0]]));
    assert_eq!(falling.values(), [1.0]);
    assert!(ABOVE.claim("", nulls.pairs(Gauge::Gain, &[])).values()[0].is_nan());
}

#[test]
fn verdicts_are_counted() {
    let verdicts = [Verdict::Holds, Verdict::DoesNotHold, Verdict::CannotBeTold("so".into())];
    let counts = Counts::of(verdicts.into_iter().chain([Verdict::Holds]));
    assert_eq!(counts, Counts { hold: 2, do_not: 1, cannot_be_told: 1 });
}
