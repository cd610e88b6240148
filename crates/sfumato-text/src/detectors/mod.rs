//! Detectors: each finds personal data of some classes in a text. One file each, listed once.
//!
//! A detector promises nothing: what it doesn't find stays. How much it finds is measured, never
//! supposed.

pub mod chosen;
pub mod pipe;
pub mod scan;
pub mod tagger;
#[cfg(test)]
pub(crate) mod tests;

pub use chosen::{Chosen, PRESETS};
pub use scan::Scan;

use sfumato_core::registry::Info;

use crate::data::Span;

/// How sure a detector is. Of parts that overlap the surer one is taken, and of equals the longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// A word of a list, or a number that may be something else.
    Weak,
    /// What a tagger learned from examples.
    Learned,
    /// A pattern that little else has, or one beside a word that names it.
    Pattern,
    /// A check digit is right, a word before it names it, or nothing else is written like that.
    Certain,
}

/// A detector: an entry of the registry.
pub trait Detector: Sync {
    /// The name, summary and page of the detector.
    fn info(&self) -> &'static Info;
    /// The classes that it finds.
    fn classes(&self) -> &'static [&'static str];
    /// How sure it is.
    fn strength(&self) -> Strength;
    /// Add what it finds in a text.
    fn find(&self, scan: &Scan<'_>, found: &mut Vec<Span>);
}

sfumato_core::registry! {
    /// Every detector that needs no training.
    dyn Detector:
    email::Email,
    url::Url,
    ip_address::IpAddress,
    credit_card::CreditCard,
    iban::Iban,
    us_ssn::UsSsn,
    vehicle::Vehicle,
    record_number::RecordNumber,
    date::Date,
    age::Age,
    zip_code::ZipCode,
    street_address::StreetAddress,
    phone::Phone,
    person::Person,
    place::Place,
}

/// Of parts that overlap keep the surer one, of equals the longer, of these the first; in order.
pub fn resolve(mut found: Vec<(Strength, Span)>) -> Vec<Span> {
    found.sort_by(|(strength, one), (other_strength, other)| {
        let by_length = (other.end - other.start).cmp(&(one.end - one.start));
        other_strength.cmp(strength).then(by_length).then(one.cmp(other))
    });
    let mut kept: Vec<Span> = Vec::new();
    for (_, span) in found {
        if !kept.iter().any(|other| other.overlaps(&span)) {
            kept.push(span);
        }
    }
    kept.sort();
    kept
}
