//! Counts combinations of values, and finds the unsafe ones, which occur but too rarely.

use sfumato_core::FastMap;

use super::cells::Cells;

/// The largest size of a table of counts that needs no hashing.
const MOST_DENSE: u64 = 1 << 22;

/// The unsafe combinations of some columns.
pub struct Unsafe {
    /// The columns.
    pub subset: Vec<usize>,
    /// A row of each unsafe combination.
    pub examples: Vec<u32>,
    /// All rows of unsafe combinations, in order.
    pub rows: Vec<u32>,
}

/// All sets of one up to `combinations` of the columns that vary. Columns with one value say
/// nothing.
pub fn subsets(cells: &Cells<'_>) -> Vec<Vec<usize>> {
    let varying: Vec<usize> =
        (0..cells.columns.len()).filter(|&column| cells.columns[column].varies).collect();
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..cells.combinations {
        let longer = |subset: &Vec<usize>| {
            let after = subset.last().map_or(0, |column| column + 1);
            let next = varying.iter().filter(move |&&column| column >= after);
            next.map(|&column| [&subset[..], &[column]].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Count the combinations of some columns.
pub fn count(cells: &Cells<'_>, subset: Vec<usize>) -> Unsafe {
    let n_rows = cells.n_rows();
    let mut keys = vec![0u64; n_rows];
    let mut range = 1u64;
    for &column in &subset {
        let column = &cells.columns[column];
        if range > u64::from(u32::MAX) {
            range = renumber(&mut keys);
        }
        keys.iter_mut()
            .zip(&column.text_of)
            .for_each(|(key, &text)| *key += range * u64::from(text));
        range *= column.n_texts as u64;
    }
    if range > MOST_DENSE.min(16 * n_rows as u64 + 64) {
        range = renumber(&mut keys);
    }
    let mut counts = vec![0u64; range as usize];
    match &cells.subject {
        None => {
            let kept = keys.iter().enumerate().filter(|(row, _)| cells.is_kept(*row));
            kept.for_each(|(_, &key)| counts[key as usize] += 1);
        }
        Some(subject) => {
            let kept = (0..n_rows).filter(|&row| cells.is_kept(row));
            let mut people: Vec<(u64, u32)> = kept.map(|row| (keys[row], subject[row])).collect();
            people.sort_unstable();
            people.dedup();
            people.iter().for_each(|(key, _)| counts[*key as usize] += 1);
        }
    }
    let mut found = Unsafe { subset, examples: Vec::new(), rows: Vec::new() };
    for (row, &key) in keys.iter().enumerate() {
        let n = counts[key as usize];
        if cells.is_kept(row) && n < cells.k {
            found.rows.push(row as u32);
        }
    }
    for &row in &found.rows {
        // The mark says that the combination has its example.
        if std::mem::replace(&mut counts[keys[row as usize] as usize], u64::MAX) != u64::MAX {
            found.examples.push(row);
        }
    }
    found
}

fn renumber(keys: &mut [u64]) -> u64 {
    let mut numbers: FastMap<u64, u64> = FastMap::default();
    for key in keys {
        let next = numbers.len() as u64;
        *key = *numbers.entry(*key).or_insert(next);
    }
    numbers.len() as u64
}
