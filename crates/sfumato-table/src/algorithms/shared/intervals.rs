//! Levels for ordered columns without a hierarchy: every value, then ever fewer intervals with
//! about equally many records.

/// The largest number of intervals of an ordered column without a hierarchy, above its single
/// values.
const MOST_INTERVALS: usize = 64;
/// Groups numbered from 0 in the order of the codes; equal neighbours are one group.
pub fn numbered(nodes: &[u32]) -> Vec<u32> {
    let mut next = 0;
    let mut groups = Vec::with_capacity(nodes.len());
    for (place, node) in nodes.iter().enumerate() {
        next += u32::from(place > 0 && nodes[place - 1] != *node);
        groups.push(next);
    }
    groups
}

/// Single values, then intervals with about equally many records, each level made from the one
/// below: `fan_in` intervals make one of the next level.
pub fn intervals(counts: &[u64], fan_in: usize) -> Vec<Vec<u32>> {
    let present = counts.iter().filter(|count| **count > 0).count();
    let total: u64 = counts.iter().sum();
    let mut levels = vec![(0..counts.len() as u32).collect::<Vec<u32>>()];
    let mut wanted = MOST_INTERVALS;
    while wanted * fan_in > present {
        wanted /= fan_in;
    }
    if wanted > 1 {
        let mut before = 0u64;
        let finest: Vec<u32> = counts
            .iter()
            .map(|&count| {
                let middle = before + count / 2;
                before += count;
                (u128::from(middle) * wanted as u128 / u128::from(total.max(1))) as u32
            })
            .collect();
        let mut width = 1;
        while wanted / width > 1 {
            levels.push(numbered(
                &finest.iter().map(|interval| interval / width as u32).collect::<Vec<_>>(),
            ));
            width *= fan_in;
        }
    }
    levels.push(vec![0; counts.len()]);
    levels
}
