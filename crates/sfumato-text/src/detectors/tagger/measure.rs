//! How much of what is there was found: precision, recall and F1 by class, of whole parts and by
//! overlap.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::data::Span;

/// Counts of one class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// Parts that are there.
    pub there: u64,
    /// Parts that were found.
    pub found: u64,
    /// Parts that were found as they are, class and both ends.
    pub exact: u64,
    /// Parts that are there of which a byte was found, as this class.
    pub touched: u64,
    /// Parts that were found that have a byte of a part that is there, of this class.
    pub touching: u64,
    /// Parts that are there of which every byte was found, as whatever class.
    pub covered: u64,
}

impl Measured {
    /// Precision, recall and F1 of whole parts.
    pub fn strict(&self) -> [Option<f64>; 3] {
        rates(share(self.exact, self.found), share(self.exact, self.there))
    }
    /// Precision, recall and F1 where a byte in common is enough.
    pub fn overlap(&self) -> [Option<f64>; 3] {
        rates(share(self.touching, self.found), share(self.touched, self.there))
    }
    /// The share of parts of which nothing stays, whatever they were taken for, with its interval
    /// of 95 % by Wilson.
    pub fn coverage(&self) -> Option<(f64, f64, f64)> {
        let (n, z) = (self.there as f64, 1.959963984540054);
        let p = share(self.covered, self.there)?;
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        Some((p, (middle - half).max(0.0), (middle + half).min(1.0)))
    }
    fn add(&mut self, other: &Measured) {
        self.there += other.there;
        self.found += other.found;
        self.exact += other.exact;
        self.touched += other.touched;
        self.touching += other.touching;
        self.covered += other.covered;
    }
}

fn share(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

fn rates(precision: Option<f64>, recall: Option<f64>) -> [Option<f64>; 3] {
    let f1 = match (precision, recall) {
        (Some(p), Some(r)) if p + r > 0.0 => Some(2.0 * p * r / (p + r)),
        (Some(_), Some(_)) => Some(0.0),
        _ => None,
    };
    [precision, recall, f1]
}

/// Counts by class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ByClass(pub BTreeMap<String, Measured>);

impl ByClass {
    /// Add the counts of more texts.
    pub fn add(&mut self, other: &ByClass) {
        for (class, counts) in &other.0 {
            self.0.entry(class.clone()).or_default().add(counts);
        }
    }
    /// The counts of some classes together; of all where none is named.
    pub fn total(&self, classes: &[&str]) -> Measured {
        let mut total = Measured::default();
        for (class, counts) in &self.0 {
            if classes.is_empty() || classes.contains(&class.as_str()) {
                total.add(counts);
            }
        }
        total
    }
}

/// Compare what is in a text with what was found in it.
pub fn compare(there: &[Span], found: &[Span]) -> ByClass {
    let mut counts = ByClass::default();
    let of = |class: &str, counts: &mut ByClass, change: &dyn Fn(&mut Measured)| {
        change(counts.0.entry(class.to_string()).or_default());
    };
    for span in there {
        let is_same = |other: &&Span| other.class == span.class;
        let is_touched = found.iter().filter(is_same).any(|other| other.overlaps(span));
        let mut at = span.start;
        for other in found.iter().filter(|other| other.overlaps(span)) {
            if other.start <= at {
                at = at.max(other.end);
            }
        }
        let is_covered = at >= span.end;
        of(&span.class, &mut counts, &|one| {
            one.there += 1;
            one.exact += u64::from(found.contains(span));
            one.touched += u64::from(is_touched);
            one.covered += u64::from(is_covered);
        });
    }
    for span in found {
        let is_same = |other: &&Span| other.class == span.class;
        let touches = there.iter().filter(is_same).any(|other| other.overlaps(span));
        of(&span.class, &mut counts, &|one| {
            one.found += 1;
            one.touching += u64::from(touches);
        });
    }
    counts
}
