//! Groups of records that agree on some of the columns.

use crate::algorithms::global::shared::groups::renumber;

/// The group of each record, and the number of groups. `keys[column][record]` is the number of the
/// published value, below `n_values[column]`.
pub fn project(keys: &[Vec<u32>], n_values: &[usize], subset: &[usize]) -> (Vec<u32>, usize) {
    let mut combined = vec![0u64; keys.first().map_or(0, Vec::len)];
    let mut range = 1u64;
    for &column in subset {
        let n = n_values[column].max(1) as u64;
        if range.checked_mul(n).is_none() {
            range = renumber(&mut combined, range).len() as u64;
        }
        combined
            .iter_mut()
            .zip(&keys[column])
            .for_each(|(key, &value)| *key += range * u64::from(value));
        range = range.saturating_mul(n);
    }
    let n_groups = renumber(&mut combined, range).len();
    (combined.into_iter().map(|key| key as u32).collect(), n_groups)
}
