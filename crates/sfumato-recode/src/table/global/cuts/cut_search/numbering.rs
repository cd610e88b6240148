//! Numbering groups, and the rows of each.

use sfumato_core::FastMap;

use crate::table::global::shared::groups::Groups;

/// The rows of all groups, one group after the other, and where each begins.
pub fn rows_of(groups: &Groups) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0usize; groups.len() + 1];
    groups.rows.iter().enumerate().for_each(|(group, &rows)| {
        starts[group + 1] = starts[group] + rows as usize;
    });
    let mut next = starts.clone();
    let mut rows = vec![0u32; groups.of_row.len()];
    for (row, &group) in groups.of_row.iter().enumerate() {
        rows[next[group as usize]] = row as u32;
        next[group as usize] += 1;
    }
    (rows, starts)
}

/// Number keys below `range` from 0 in the order of first appearance; gives how many there are.
pub fn renumber(keys: &mut [u64], range: u64) -> usize {
    if range <= 8 * keys.len() as u64 + 64 {
        let mut numbers = vec![u32::MAX; range as usize];
        let mut next = 0;
        for key in keys {
            let number = &mut numbers[*key as usize];
            if *number == u32::MAX {
                *number = next;
                next += 1;
            }
            *key = u64::from(*number);
        }
        return next as usize;
    }
    let mut numbers: FastMap<u64, u64> = FastMap::default();
    for key in keys {
        let next = numbers.len() as u64;
        *key = *numbers.entry(*key).or_insert(next);
    }
    numbers.len()
}
