//! Decides whether a sum may be answered beside those that were: by exact linear algebra modulo a
//! large prime.
//!
//! Every answered sum is a vector of noughts and ones over the records. Somebody's value is
//! disclosed if the vector that has a one for them alone is a combination of these vectors. Records
//! that are in the same sets can't be told apart: they are one column of the matrix, and a column
//! that stands for fewer records than the smallest allowed set must not be a combination either.

use std::fmt;

use sfumato_core::FastMap;

/// A prime of 61 bits: combinations over fractions are combinations modulo it, but for fractions
/// whose denominator it divides.
const PRIME: u64 = (1 << 61) - 1;

/// Why a query is denied. Nothing here depends on the values that are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denial {
    /// The set is too small, or all but too few.
    SetSize {
        /// The smallest set that is answered about.
        min_set: u64,
    },
    /// The set shares too much with another.
    Overlap {
        /// How many records two sets may share.
        most: u64,
    },
    /// With the answers so far it would disclose the value of few records.
    Discloses,
    /// No more answers are given.
    Closed {
        /// How many were given.
        answers: u64,
    },
    /// What is left of the budget isn't enough.
    Budget {
        /// What is left, in millionths of epsilon.
        left: u64,
    },
}

impl Denial {
    /// The word for it in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Denial::SetSize { .. } => "set-size",
            Denial::Overlap { .. } => "overlap",
            Denial::Discloses => "discloses",
            Denial::Closed { .. } => "closed",
            Denial::Budget { .. } => "budget",
        }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Denial::SetSize { min_set } => {
                write!(f, "it is about fewer than {min_set} records, or about all but so few")
            }
            Denial::Overlap { most } => {
                write!(f, "it shares more than {most} records with a query that was answered")
            }
            Denial::Discloses => write!(
                f,
                "together with the answers so far it would disclose the values of too few records"
            ),
            Denial::Closed { answers } => {
                write!(f, "{answers} answers were given, and no more are: the service is closed")
            }
            Denial::Budget { left } => {
                write!(f, "of the budget only an epsilon of {} is left", *left as f64 / 1e6)
            }
        }
    }
}

/// The sets that were answered about, each sorted.
#[derive(Debug, Clone, Default)]
pub struct Auditor {
    sets: Vec<Vec<u32>>,
    min_set: u64,
    max_overlap: Option<u64>,
}

impl Auditor {
    /// An auditor with a policy and nothing answered.
    pub fn new(min_set: u64, max_overlap: Option<u64>) -> Self {
        Auditor { sets: Vec::new(), min_set, max_overlap }
    }

    /// A sum over a set was answered.
    pub fn answered(&mut self, set: &[u32]) {
        let mut set = set.to_vec();
        set.sort_unstable();
        set.dedup();
        if !self.sets.contains(&set) {
            self.sets.push(set);
        }
    }

    /// Whether a query over a set of a table with `n` records is to be denied, and why. A count
    /// tells which records there are, and is held to the size of its set alone.
    pub fn judge(&mut self, set: &[u32], n: u64, is_count: bool) -> Option<Denial> {
        let mut set = set.to_vec();
        set.sort_unstable();
        set.dedup();
        if let Some(denial) = too_few(set.len() as u64, n, self.min_set) {
            return Some(denial);
        }
        if is_count || set.is_empty() || self.sets.contains(&set) {
            return None;
        }
        if let Some(most) = self.max_overlap
            && self.sets.iter().any(|other| shared(other, &set) > most)
        {
            return Some(Denial::Overlap { most });
        }
        self.sets.push(set);
        let found = discloses(&self.sets, self.min_set);
        if found {
            self.sets.pop();
        }
        found.then_some(Denial::Discloses)
    }
}

/// How many records two sorted sets share.
fn shared(one: &[u32], other: &[u32]) -> u64 {
    one.iter().filter(|record| other.binary_search(record).is_ok()).count() as u64
}

/// The denial of a set that is too small, or all but too few.
pub(super) fn too_few(size: u64, n: u64, min_set: u64) -> Option<Denial> {
    let is_few = |size: u64| size > 0 && size < min_set;
    (is_few(size) || is_few(n - size.min(n))).then_some(Denial::SetSize { min_set })
}

/// Whether sums over some sets, together, tell the sum of fewer than `min_set` records that no
/// query tells apart, such as one record.
pub fn discloses(sets: &[Vec<u32>], min_set: u64) -> bool {
    !disclosed(sets, min_set).is_empty()
}

/// The groups of fewer than `min_set` records whose sums follow from sums over some sets.
pub fn disclosed(sets: &[Vec<u32>], min_set: u64) -> Vec<Vec<u32>> {
    // Records by the sets that they are in.
    let mut of_record: FastMap<u32, Vec<u32>> = FastMap::default();
    for (number, set) in (0u32..).zip(sets) {
        set.iter().for_each(|record| of_record.entry(*record).or_default().push(number));
    }
    let mut members: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
    of_record.into_iter().for_each(|(record, of)| members.entry(of).or_default().push(record));
    let mut atoms: Vec<(Vec<u32>, Vec<u32>)> = members.into_iter().collect();
    atoms.sort_unstable();
    let mut rows = vec![vec![0u64; atoms.len()]; sets.len()];
    for (column, (of, _)) in atoms.iter().enumerate() {
        of.iter().for_each(|set| rows[*set as usize][column] = 1);
    }
    let pivots = reduce(&mut rows);
    // A unit vector is a combination of the rows only if it is one of the reduced rows.
    let is_unit = |row: &Vec<u64>| row.iter().filter(|x| **x != 0).count() == 1;
    let units = pivots.iter().zip(&rows).filter(|(_, row)| is_unit(row));
    let mut found: Vec<Vec<u32>> = units
        .map(|(pivot, _)| atoms[*pivot].1.clone())
        .filter(|records| (records.len() as u64) < min_set.max(2))
        .collect();
    found.iter_mut().for_each(|records| records.sort_unstable());
    found.sort_unstable();
    found
}

/// Bring rows into reduced echelon form modulo the prime; rows of noughts go. Returns the place of
/// the leading one of each.
fn reduce(rows: &mut Vec<Vec<u64>>) -> Vec<usize> {
    let width = rows.first().map_or(0, Vec::len);
    let (mut pivots, mut done) = (Vec::new(), 0);
    for column in 0..width {
        let Some(found) = (done..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(done, found);
        let by = inverse(rows[done][column]);
        rows[done].iter_mut().for_each(|x| *x = times(*x, by));
        let pivot = rows[done].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(place, _)| *place != done) {
            let factor = row[column];
            if factor != 0 {
                for (x, p) in row.iter_mut().zip(&pivot) {
                    *x = minus(*x, times(factor, *p));
                }
            }
        }
        pivots.push(column);
        done += 1;
    }
    rows.truncate(done);
    pivots
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// The inverse by Fermat: x to the power of the prime less two.
fn inverse(x: u64) -> u64 {
    let (mut base, mut power, mut found) = (x, PRIME - 2, 1);
    while power > 0 {
        if power & 1 == 1 {
            found = times(found, base);
        }
        base = times(base, base);
        power >>= 1;
    }
    found
}
