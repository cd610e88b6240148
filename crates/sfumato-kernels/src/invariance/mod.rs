//! m-invariance: which records share a group, and which made-up ones stand beside them, so that
//! whoever stays in the data is always among the same sensitive values.
//!
//! Values and records are numbers here. A record that was published before brings its signature:
//! the values of its group then, ascending.

mod new_records;
mod split;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use new_records::NewRecords;
pub use split::{Group, split};

/// Records with one signature: as many of each of its values, some of them made up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bucket {
    /// Its sensitive values, ascending.
    pub signature: Vec<u32>,
    /// The records with each value.
    pub rows: Vec<Vec<u32>>,
    /// How many made-up records have each value.
    pub made_up: Vec<usize>,
}

/// Why there are no groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// So many records have a value that isn't in their signature: it changed since.
    Changed(u64),
    /// So many records were published among fewer than `m` values.
    Weak(u64),
    /// There are only so many values.
    FewValues(usize),
}

/// Put each record into a bucket. `values` has the value of each record, `kept` the signature of
/// each that was published before; there are `n_values` values. New records fill the gaps that
/// deletions left, made-up ones what is still missing.
pub fn assign(
    values: &[u32],
    kept: &[Option<&[u32]>],
    n_values: usize,
    m: usize,
) -> Result<Vec<Bucket>, Fault> {
    if n_values < m && !values.is_empty() {
        return Err(Fault::FewValues(n_values));
    }
    let mut buckets = divide(values, kept, m)?;
    let is_new = |row: &u32| kept[*row as usize].is_none();
    let mut new = NewRecords::new(values, (0..values.len() as u32).filter(is_new), n_values);
    balance(&mut buckets, &mut new, m);
    new.top_up(m);
    for group in new.groups(m) {
        let signature: Vec<u32> = group.iter().map(|(value, _)| *value).collect();
        let bucket = buckets.entry(signature).or_insert_with_key(|key| Bucket::empty(key));
        for (at, (_, row)) in group.into_iter().enumerate() {
            match row {
                Some(row) => bucket.rows[at].push(row),
                None => bucket.made_up[at] += 1,
            }
        }
    }
    Ok(buckets.into_values().collect())
}

impl Bucket {
    fn empty(signature: &[u32]) -> Self {
        let n = signature.len();
        Bucket { signature: signature.to_vec(), rows: vec![Vec::new(); n], made_up: vec![0; n] }
    }
    /// How many records have each value; the same of all where the bucket is balanced.
    fn depth(&self) -> usize {
        let sections = self.rows.iter().zip(&self.made_up);
        sections.map(|(rows, made_up)| rows.len() + made_up).max().unwrap_or(0)
    }
}

/// Division: records that were published before go where their signature is.
fn divide(
    values: &[u32],
    kept: &[Option<&[u32]>],
    m: usize,
) -> Result<BTreeMap<Vec<u32>, Bucket>, Fault> {
    let mut buckets: BTreeMap<Vec<u32>, Bucket> = BTreeMap::new();
    let (mut changed, mut weak) = (0, 0);
    for (row, signature) in kept.iter().enumerate() {
        let Some(signature) = signature else { continue };
        weak += u64::from(signature.len() < m);
        match signature.binary_search(&values[row]) {
            Err(_) => changed += 1,
            Ok(at) if buckets.contains_key(*signature) => {
                buckets
                    .entry(signature.to_vec())
                    .and_modify(|found| found.rows[at].push(row as u32));
            }
            Ok(at) => {
                let mut bucket = Bucket::empty(signature);
                bucket.rows[at].push(row as u32);
                buckets.insert(signature.to_vec(), bucket);
            }
        }
    }
    match (changed, weak) {
        (0, 0) => Ok(buckets),
        (0, weak) => Err(Fault::Weak(weak)),
        (changed, _) => Err(Fault::Changed(changed)),
    }
}

/// Balancing: as many records of each value, new ones where they can be spared. The values of which
/// there are most new records come first, since these can be spared best.
fn balance(buckets: &mut BTreeMap<Vec<u32>, Bucket>, new: &mut NewRecords, m: usize) {
    let mut all: Vec<&mut Bucket> = buckets.values_mut().collect();
    let mut gaps: Vec<(usize, usize, usize)> = Vec::new();
    for (at, bucket) in all.iter().enumerate() {
        let depth = bucket.depth();
        let sections = bucket.rows.iter().enumerate();
        gaps.extend(sections.map(|(value, rows)| (at, value, depth - rows.len())));
    }
    let count = |gap: &(usize, usize, usize)| new.count(all[gap.0].signature[gap.1]);
    gaps.sort_by_key(|gap| std::cmp::Reverse(count(gap)));
    for (at, value, missing) in gaps {
        let bucket = &mut all[at];
        for _ in 0..missing {
            match new.spare(bucket.signature[value], m) {
                Some(row) => bucket.rows[value].push(row),
                None => bucket.made_up[value] += 1,
            }
        }
    }
}
