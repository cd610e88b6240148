//! What a published cell may stand for, and whether that satisfies a condition: never, possibly or
//! certainly.

use std::sync::Arc;

use super::axis::Axis;

/// The originals that a cell may stand for.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// The cell has no value.
    Missing,
    /// Values of an ordered column.
    Span(Span),
    /// One word.
    Word(String),
    /// The leaves of a tree of words in some intervals.
    Leaves(Vec<(u32, u32)>),
    /// Any word, or missing.
    AnyWord,
}

/// An interval of keys, both ends included. The smallest and the largest key mean that there is no
/// end.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The least key.
    pub lo: i128,
    /// The largest key.
    pub hi: i128,
    /// The values inside, in order, if a tree lists them.
    pub keys: Option<Arc<Vec<i128>>>,
    /// Whether the value may be missing.
    pub may_miss: bool,
}

impl Span {
    /// One value.
    pub fn exact(key: i128) -> Self {
        Span { lo: key, hi: key, keys: None, may_miss: false }
    }
    /// Any value, or missing.
    pub fn anything() -> Self {
        Span { lo: i128::MIN, hi: i128::MAX, keys: None, may_miss: true }
    }
    /// The intersection with two bounds.
    pub fn within(&self, lo: Option<i128>, hi: Option<i128>) -> Self {
        let (lo, hi) =
            (lo.map_or(self.lo, |lo| lo.max(self.lo)), hi.map_or(self.hi, |hi| hi.min(self.hi)));
        Span { lo, hi, ..self.clone() }
    }
    /// The keys inside that a tree lists.
    fn known(&self) -> Option<&[i128]> {
        let keys = self.keys.as_ref()?;
        let (from, to) =
            (keys.partition_point(|k| *k < self.lo), keys.partition_point(|k| *k <= self.hi));
        Some(&keys[from..to.max(from)])
    }
}

/// A range of keys in a predicate. Each end may be excluded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// The lower end.
    pub lo: i128,
    /// Whether it is inside.
    pub with_lo: bool,
    /// The upper end.
    pub hi: i128,
    /// Whether it is inside.
    pub with_hi: bool,
}

impl Wanted {
    /// The range of everything.
    pub const ALL: Wanted = Wanted { lo: i128::MIN, with_lo: true, hi: i128::MAX, with_hi: true };

    /// The intersection of two ranges.
    pub fn and(self, other: Wanted) -> Wanted {
        let (lo, with_lo) = match self.lo.cmp(&other.lo) {
            std::cmp::Ordering::Greater => (self.lo, self.with_lo),
            std::cmp::Ordering::Less => (other.lo, other.with_lo),
            std::cmp::Ordering::Equal => (self.lo, self.with_lo && other.with_lo),
        };
        let (hi, with_hi) = match self.hi.cmp(&other.hi) {
            std::cmp::Ordering::Less => (self.hi, self.with_hi),
            std::cmp::Ordering::Greater => (other.hi, other.with_hi),
            std::cmp::Ordering::Equal => (self.hi, self.with_hi && other.with_hi),
        };
        Wanted { lo, with_lo, hi, with_hi }
    }

    fn has(&self, key: i128) -> bool {
        (self.lo < key || (self.lo == key && self.with_lo))
            && (key < self.hi || (key == self.hi && self.with_hi))
    }
}

/// The combined conditions on a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// A value in a range.
    Range(Wanted),
    /// One of the values of a node, in order.
    Keys(Vec<i128>),
    /// The cell must be this word.
    Word(String),
    /// A leaf in this interval of a tree of words.
    Leaves(u32, u32),
}

/// Whether and how likely a record is selected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance {
    /// Whether it may be selected.
    pub can: bool,
    /// Whether it is selected, whatever its original is.
    pub must: bool,
    /// The share of its region that is selected, with values spread evenly.
    pub share: f64,
}

impl Chance {
    /// Certainly selected.
    pub const YES: Chance = Chance { can: true, must: true, share: 1.0 };
    /// Certainly not selected.
    pub const NO: Chance = Chance { can: false, must: false, share: 0.0 };

    /// Both of two independent conditions.
    pub fn and(self, other: Chance) -> Chance {
        Chance {
            can: self.can && other.can,
            must: self.must && other.must,
            share: self.share * other.share,
        }
    }

    fn of_share(inside: usize, all: usize, may_miss: bool) -> Chance {
        let share = if all == 0 { 0.0 } else { inside as f64 / all as f64 };
        Chance { can: inside > 0, must: inside == all && all > 0 && !may_miss, share }
    }
}

/// What an estimate assumes about values that a cell leaves open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The least key of the column.
    pub lo: i128,
    /// The largest key of the column.
    pub hi: i128,
    /// How many different words the column has.
    pub words: usize,
}

impl Cell {
    /// Whether the cell says nothing of what it stands for.
    pub fn is_anything(&self) -> bool {
        match self {
            Cell::AnyWord | Cell::Missing => true,
            Cell::Span(span) => span.lo == i128::MIN && span.hi == i128::MAX,
            Cell::Word(_) | Cell::Leaves(_) => false,
        }
    }

    /// The chance that a cell satisfies a test.
    pub fn chance(&self, test: &Test, axis: &Axis, spread: &Spread) -> Chance {
        match (self, test) {
            (Cell::Missing, _) => Chance::NO,
            (Cell::Span(span), Test::Range(wanted)) => in_range(span, wanted, axis, spread),
            (Cell::Span(span), Test::Keys(keys)) => in_keys(span, keys),
            (Cell::Word(word), Test::Word(wanted)) if word == wanted => Chance::YES,
            (Cell::AnyWord, Test::Word(_)) => {
                Chance { can: true, must: false, share: 1.0 / spread.words.max(1) as f64 }
            }
            (Cell::Leaves(intervals), Test::Leaves(lo, hi)) => {
                let all = intervals.iter().map(|(from, to)| (to - from) as usize).sum();
                let inside =
                    |(from, to): &(u32, u32)| to.min(hi).saturating_sub(*from.max(lo)) as usize;
                Chance::of_share(intervals.iter().map(inside).sum(), all, false)
            }
            (Cell::AnyWord, Test::Leaves(lo, hi)) => {
                let share = f64::from(hi - lo) / spread.words.max(1) as f64;
                Chance { can: true, must: false, share: share.min(1.0) }
            }
            _ => Chance::NO,
        }
    }
}

fn in_keys(span: &Span, wanted: &[i128]) -> Chance {
    match span.known() {
        Some(keys) => {
            let inside = keys.iter().filter(|key| wanted.binary_search(key).is_ok()).count();
            Chance::of_share(inside, keys.len(), span.may_miss)
        }
        None => {
            let inside = wanted.iter().filter(|key| (span.lo..=span.hi).contains(key)).count();
            let all = if span.lo == span.hi { 1 } else { wanted.len().max(inside) + 1 };
            Chance::of_share(inside, all, span.may_miss)
        }
    }
}

fn in_range(span: &Span, wanted: &Wanted, axis: &Axis, spread: &Spread) -> Chance {
    if span.lo > span.hi {
        return Chance::NO;
    }
    if let Some(keys) = span.known() {
        let inside = keys.iter().filter(|key| wanted.has(**key)).count();
        return Chance::of_share(inside, keys.len(), span.may_miss);
    }
    let (lo, hi) = (span.lo.max(wanted.lo), span.hi.min(wanted.hi));
    let can = lo < hi || (lo == hi && wanted.has(lo));
    let must = can && wanted.has(span.lo) && wanted.has(span.hi) && !span.may_miss;
    if !can || must || span.lo == span.hi {
        return Chance { can, must, share: f64::from(u8::from(can)) };
    }
    // An open end is taken to be where the column ends.
    let (from, to) = (span.lo.max(spread.lo), span.hi.min(spread.hi));
    let (lo, hi) = (lo.max(from), hi.min(to));
    let width = |from: i128, to: i128| (axis.units(to) - axis.units(from)).max(0.0);
    let even = match width(from, to) {
        0.0 => f64::from(u8::from(from <= to && wanted.has(from))),
        all => (width(lo, hi) / all).min(1.0),
    };
    let Some(step) = axis.step else { return Chance { can, must, share: even } };
    let points = |from: i128, to: i128| (to.div_euclid(step) + (-from).div_euclid(step) + 1).max(0);
    let first = lo + i128::from(lo == wanted.lo && !wanted.with_lo);
    let last = hi - i128::from(hi == wanted.hi && !wanted.with_hi);
    match (
        if from <= to { points(from, to) } else { 0 },
        if first <= last { points(first, last) } else { 0 },
    ) {
        (0, _) | (_, 0) => Chance { can, must, share: even },
        (all, inside) => Chance { can, must, share: (inside as f64 / all as f64).min(1.0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::dataset::ValueKind;

    #[test]
    fn ranges_overlap_with_shares() {
        let axis = Axis::new(ValueKind::Integer, std::iter::empty());
        let spread = Spread { lo: 0, hi: 99, words: 0 };
        let span = |lo, hi| Cell::Span(Span { lo, hi, keys: None, may_miss: false });
        let from = |lo| Test::Range(Wanted { lo, ..Wanted::ALL });
        let chance = |cell: &Cell, test: &Test| cell.chance(test, &axis, &spread);
        assert_eq!(chance(&span(30, 39), &from(35)), Chance { can: true, must: false, share: 0.5 });
        assert_eq!(chance(&span(30, 39), &from(30)), Chance::YES);
        assert_eq!(chance(&span(30, 39), &from(40)), Chance::NO);
        let above = Test::Range(Wanted { lo: 39, with_lo: false, ..Wanted::ALL });
        assert_eq!(chance(&span(30, 39), &above), Chance::NO);
        let anything = Cell::Span(Span::anything());
        assert_eq!(chance(&anything, &from(50)), Chance { can: true, must: false, share: 0.5 });
        assert!(!chance(&anything, &Test::Range(Wanted::ALL)).must, "it may be missing");
        assert_eq!(chance(&Cell::Missing, &Test::Range(Wanted::ALL)), Chance::NO);
    }

    #[test]
    fn leaves_and_words() {
        let axis = Axis::new(ValueKind::Text, std::iter::empty());
        let spread = Spread { lo: 0, hi: 0, words: 8 };
        let node = Cell::Leaves(vec![(0, 4)]);
        assert_eq!(
            node.chance(&Test::Leaves(2, 3), &axis, &spread),
            Chance { can: true, must: false, share: 0.25 }
        );
        assert_eq!(node.chance(&Test::Leaves(0, 6), &axis, &spread), Chance::YES);
        assert_eq!(node.chance(&Test::Leaves(4, 6), &axis, &spread), Chance::NO);
        let any = Cell::AnyWord;
        assert_eq!(
            any.chance(&Test::Word("x".into()), &axis, &spread),
            Chance { can: true, must: false, share: 0.125 }
        );
        assert_eq!(
            Cell::Word("x".into()).chance(&Test::Word("x".into()), &axis, &spread),
            Chance::YES
        );
    }
}
