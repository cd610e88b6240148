//! Groups of classes that agree on some of the columns.

use sfumato_core::FastMap;

/// Tables up to this size number combinations without hashing.
const MOST_DENSE: u64 = 1 << 20;

/// For each class the group it belongs to, and how many groups there are. `keys[column][class]` is the number of the published
/// value, below `n_values[column]`.
pub fn project(keys: &[Vec<u32>], n_values: &[usize], subset: &[usize]) -> (Vec<u32>, usize) {
    let n_classes = keys.first().map_or(0, Vec::len);
    let mut combined = vec![0u64; n_classes];
    let mut range = 1u64;
    for &column in subset {
        let n = n_values[column].max(1) as u64;
        if range.checked_mul(n).is_none() {
            range = dense(&mut combined) as u64;
        }
        combined.iter_mut().zip(&keys[column]).for_each(|(key, &value)| *key += range * u64::from(value));
        range = range.saturating_mul(n);
    }
    if range > MOST_DENSE {
        dense(&mut combined);
    } else {
        let mut numbers = vec![u32::MAX; range as usize];
        let mut next = 0;
        for key in &mut combined {
            let number = &mut numbers[*key as usize];
            if *number == u32::MAX {
                *number = next;
                next += 1;
            }
            *key = u64::from(*number);
        }
    }
    let n_groups = combined.iter().max().map_or(0, |&most| most as usize + 1);
    (combined.into_iter().map(|key| key as u32).collect(), n_groups)
}

fn dense(keys: &mut [u64]) -> usize {
    let mut numbers: FastMap<u64, u64> = FastMap::default();
    for key in keys {
        let next = numbers.len() as u64;
        *key = *numbers.entry(*key).or_insert(next);
    }
    numbers.len()
}
