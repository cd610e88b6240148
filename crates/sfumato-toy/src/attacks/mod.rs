//! Attacks on numbers: one file each, listed once.

use sfumato_engine::attack::Attack;

/// What attackers of numbers look at: the release, and the original that judges them.
pub struct Numbered {
    /// The published numbers.
    pub published: Vec<i64>,
    /// How far numbers were rounded, if the release says so.
    pub step: Option<i64>,
    /// The original numbers.
    pub original: Vec<i64>,
    /// Numbers of people who aren't in the release.
    pub control: Option<Vec<i64>>,
}

sfumato_core::registry! {
    /// Every attack on numbers.
    dyn Attack<Numbered>:
    find_number::FindNumber,
}
