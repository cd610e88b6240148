//! Decides whether a largest or smallest value may be answered beside those that were, by every
//! answer that it may have (Kenthapadi, Mishra and Nissim, 2005).
//!
//! A largest value bounds all records of its set from above, and one of them has it. If only few
//! records can, their values are told. The answer that is asked for isn't looked at: a query is
//! denied if any answer that goes with the earlier ones would tell a value. Only how an answer is
//! ordered among the earlier ones matters, so that finitely many are tried.

use sfumato_core::FastSet;

use super::auditor::{Denial, too_few};

/// A largest or smallest value that was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// The records, sorted.
    pub set: Vec<u32>,
    /// Whether it is the largest value of the set.
    pub is_max: bool,
    /// The value.
    pub at: f64,
}

/// What extremes tell of the records of their sets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Told {
    /// Whether no values have all these extremes, as far as bounds alone say.
    pub is_inconsistent: bool,
    /// The records whose values are told.
    pub values: Vec<u32>,
    /// The size of the smallest group of records of which one must have an extreme.
    pub fewest: Option<u64>,
    /// Whether records may have both a largest and a smallest value, so that more may be told than
    /// is found here.
    pub is_unsure: bool,
}

/// Judge whether an extreme of a set of a table with `n` records is to be denied.
pub fn judge(
    answered: &[Extreme],
    (set, is_max): (&[u32], bool),
    n: u64,
    min_set: u64,
) -> Option<Denial> {
    let mut set = set.to_vec();
    set.sort_unstable();
    set.dedup();
    if let Some(denial) = too_few(set.len() as u64, n, min_set) {
        return Some(denial);
    }
    if answered.iter().any(|other| other.is_max == is_max && other.set == set) {
        return None;
    }
    let mut with = answered.to_vec();
    with.push(Extreme { set, is_max, at: 0.0 });
    let last = with.len() - 1;
    let discloses = candidates(answered).into_iter().any(|at| {
        with[last].at = at;
        let told = told(&with);
        let is_few = told.fewest.is_some_and(|fewest| fewest < min_set.max(2));
        !told.is_inconsistent && (told.is_unsure || is_few || !told.values.is_empty())
    });
    discloses.then_some(Denial::Discloses)
}

/// An answer for each way that one may be ordered among the earlier ones.
fn candidates(answered: &[Extreme]) -> Vec<f64> {
    let mut known: Vec<f64> = answered.iter().map(|extreme| extreme.at).collect();
    known.sort_by(f64::total_cmp);
    known.dedup();
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return vec![0.0] };
    let between = known.windows(2).map(|two| two[0] / 2.0 + two[1] / 2.0);
    let outside = [first - first.abs() - 1.0, last + last.abs() + 1.0];
    known.iter().copied().chain(between).chain(outside).collect()
}

/// What extremes tell, from their answers.
pub fn told(extremes: &[Extreme]) -> Told {
    let n = extremes.iter().filter_map(|extreme| extreme.set.last()).max().map_or(0, |m| m + 1);
    let mut bounds = vec![(f64::NEG_INFINITY, f64::INFINITY); n as usize];
    for extreme in extremes {
        for record in &extreme.set {
            let (low, high) = &mut bounds[*record as usize];
            match extreme.is_max {
                true => *high = high.min(extreme.at),
                false => *low = low.max(extreme.at),
            }
        }
    }
    let mut found = Told::default();
    // A value that is told can't be another extreme, so that others may be told by it.
    loop {
        let holders: Vec<Vec<u32>> = extremes.iter().map(|of| holders(of, &bounds)).collect();
        if holders.iter().any(Vec::is_empty) || bounds.iter().any(|(low, high)| low > high) {
            return Told { is_inconsistent: true, ..Told::default() };
        }
        let sole = extremes.iter().zip(&holders).find_map(|(extreme, holders)| {
            let [only] = holders[..] else { return None };
            let is_open = bounds[only as usize] != (extreme.at, extreme.at);
            is_open.then_some((only, extreme.at))
        });
        if let Some((record, at)) = sole {
            bounds[record as usize] = (at, at);
            continue;
        }
        let is_told = |record: &u32| {
            let (low, high) = bounds[*record as usize];
            low == high
        };
        found.values = (0..n).filter(is_told).collect();
        found.fewest = holders.iter().map(|holders| holders.len() as u64).min();
        let of = |is_max: bool| {
            let both = extremes.iter().zip(&holders).filter(move |(of, _)| of.is_max == is_max);
            both.flat_map(|(_, holders)| holders).filter(|record| !is_told(record))
        };
        let highest: FastSet<u32> = of(true).copied().collect();
        found.is_unsure = of(false).any(|record| highest.contains(record));
        return found;
    }
}

/// The records that may have an extreme.
fn holders(extreme: &Extreme, bounds: &[(f64, f64)]) -> Vec<u32> {
    let may = |record: &&u32| {
        let (low, high) = bounds[**record as usize];
        if extreme.is_max { high == extreme.at } else { low == extreme.at }
    };
    extreme.set.iter().filter(may).copied().collect()
}
