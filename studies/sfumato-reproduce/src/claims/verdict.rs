//! What follows from a rule, our figures and those of the control.

use super::interval::{Interval, LEAST_SEEDS};
use super::rule::Rule;

/// What is said of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The interval keeps the rule as a whole, and the control's doesn't.
    Holds,
    /// No number of the interval keeps the rule.
    DoesNotHold,
    /// Nothing follows, and why.
    CannotBeTold(String),
}

impl Verdict {
    /// What follows from the numbers of some seeds. A control that keeps the rule takes its worth
    /// from it: whatever we measured, the claim doesn't hold then.
    pub fn of(rule: Rule, ours: &[f64], control: &[f64]) -> Self {
        let n = ours.len();
        if n < LEAST_SEEDS {
            return Verdict::CannotBeTold(format!("{n} of at least {LEAST_SEEDS} seeds"));
        }
        let (Some(ours), Some(control)) = (Interval::of(ours), Interval::of(control)) else {
            return Verdict::CannotBeTold("not every seed measured something".into());
        };
        if rule.allows_none(&ours) {
            return Verdict::DoesNotHold;
        }
        if rule.allows_all(&control) {
            return Verdict::CannotBeTold("the control keeps the rule, too".into());
        }
        match rule.allows_all(&ours) {
            true => Verdict::Holds,
            false => Verdict::CannotBeTold("the interval crosses the limit".into()),
        }
    }

    /// As a word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::CannotBeTold(_) => "can't be told",
        }
    }

    /// Why nothing can be told; empty where something can.
    pub fn reason(&self) -> &str {
        match self {
            Verdict::CannotBeTold(why) => why,
            Verdict::Holds | Verdict::DoesNotHold => "",
        }
    }
}

/// How many claims hold, and how many don't.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Claims that hold.
    pub hold: usize,
    /// Claims that don't.
    pub do_not: usize,
    /// Claims of which nothing can be told.
    pub cannot_be_told: usize,
}

impl Counts {
    /// Count verdicts.
    pub fn of(verdicts: impl Iterator<Item = Verdict>) -> Self {
        let mut counts = Counts::default();
        for verdict in verdicts {
            *match verdict {
                Verdict::Holds => &mut counts.hold,
                Verdict::DoesNotHold => &mut counts.do_not,
                Verdict::CannotBeTold(_) => &mut counts.cannot_be_told,
            } += 1;
        }
        counts
    }
}
