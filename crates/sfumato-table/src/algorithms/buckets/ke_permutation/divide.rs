//! Divides ordered numbers into groups such that the sum of their ranges is minimal.
//!
//! The ranges of groups of neighbours add up to the range of all numbers minus the gaps between
//! groups. So the gaps at the cuts are made as large as possible, and among equal sums the number
//! of groups is. Groups of records that aren't neighbours are no better: where ranges overlap, one
//! group in place of two has no larger range than both together. A cut may lie inside a number that
//! several records have: it gains nothing and makes one group more.

use std::ops::Add;

/// The end of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Before the number at a place, or after the last number for the last group.
    Before(usize),
    /// Between records with the number at a place, which both groups then have.
    Inside(usize),
}

impl Cut {
    /// The cut at a position. Positions count places between and inside numbers, in order.
    fn of(position: usize) -> Self {
        if position.is_multiple_of(2) {
            Cut::Before(position / 2)
        } else {
            Cut::Inside(position / 2)
        }
    }
}

/// The best way to end a group at a position.
#[derive(Clone, Copy)]
struct Best<G> {
    gain: G,
    groups: usize,
    /// Where that group begins.
    from: usize,
}

/// Divide numbers, of which `several` says whether more than one record has them, into groups with
/// at least `k` of them and ends that `reach` far enough; `gap` is the distance of the number at a
/// place from the one before. `None` if not even all together do. Linear: what a group can begin
/// with only moves on as its end does.
pub(super) fn divide<G: Copy + PartialOrd + Add<Output = G>>(
    several: &[bool],
    k: usize,
    reach: impl Fn(usize, usize) -> bool,
    gap: impl Fn(usize) -> G,
    nothing: G,
) -> Option<Vec<Cut>> {
    let n = several.len();
    let may_be = |first: usize, last: usize| last + 1 >= first + k && reach(first, last);
    let mut best: Vec<Option<Best<G>>> = vec![None; 2 * n + 1];
    best[0] = Some(Best { gain: nothing, groups: 0, from: 0 });
    // The last number that a group may begin with, and the best of the positions that it may begin
    // at.
    let mut begin: Option<usize> = None;
    let mut behind: Option<(usize, Best<G>)> = None;
    let mut looked_at = 0;
    for end in 1..=2 * n {
        let (last, gain) = match Cut::of(end) {
            Cut::Inside(place) if !several[place] => continue,
            Cut::Inside(place) => (place, nothing),
            Cut::Before(place) => (place - 1, if place < n { gap(place) } else { nothing }),
        };
        while begin.map_or(0, |first| first + 1) <= last
            && may_be(begin.map_or(0, |first| first + 1), last)
        {
            begin = Some(begin.map_or(0, |first| first + 1));
        }
        let Some(first) = begin else { continue };
        let open_until = (2 * first + 2).min(end);
        while looked_at < open_until {
            let position = looked_at;
            looked_at += 1;
            if let Some(here) = best[position]
                && behind.is_none_or(|(_, old)| {
                    here.gain > old.gain || (here.gain == old.gain && here.groups > old.groups)
                })
            {
                behind = Some((position, here));
            }
        }
        best[end] =
            behind.map(|(from, old)| Best { gain: old.gain + gain, groups: old.groups + 1, from });
    }
    let mut cuts = Vec::new();
    let mut position = 2 * n;
    while position > 0 {
        cuts.push(Cut::of(position));
        position = best[position]?.from;
    }
    cuts.reverse();
    (!cuts.is_empty()).then_some(cuts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All partitions of items: each item joins an existing group or a new one.
    fn partitions(values: &[i64], groups: &mut Vec<Vec<i64>>, look: &mut dyn FnMut(&[Vec<i64>])) {
        let Some((first, rest)) = values.split_first() else { return look(groups) };
        for place in 0..=groups.len() {
            if place == groups.len() {
                groups.push(Vec::new());
            }
            groups[place].push(*first);
            partitions(rest, groups, look);
            groups[place].pop();
            groups.retain(|group| !group.is_empty());
        }
    }

    fn range(group: &[i64]) -> i64 {
        group.iter().max().unwrap() - group.iter().min().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]
        /// No grouping of the records, of neighbours or not, has a smaller sum of ranges, and none
        /// of neighbours with the same sum has more groups.
        #[test]
        fn nothing_is_better(mut values in prop::collection::vec(0i64..9, 1..9), k in 2usize..4,
            e in 0i64..7) {
            values.sort_unstable();
            let mut keys = values.clone();
            keys.dedup();
            let count = |key: i64| values.iter().filter(|value| **value == key).count();
            let several: Vec<bool> = keys.iter().map(|key| count(*key) > 1).collect();
            let found = divide(
                &several, k, |low, high| keys[high] - keys[low] >= e, |at| keys[at] - keys[at - 1],
                    0,
            );
            let holds = |group: &Vec<i64>| {
                let mut distinct = group.clone();
                distinct.sort_unstable();
                distinct.dedup();
                distinct.len() >= k && range(group) >= e
            };
            let mut least: Option<(i64, usize)> = None;
            partitions(&values, &mut Vec::new(), &mut |groups| {
                if groups.iter().all(holds) {
                    let cost = groups.iter().map(|group| range(group)).sum();
                    let mut ends: Vec<(i64, i64)> =
                        groups.iter().map(|g| (*g.iter().min().unwrap(), *g.iter().max().unwrap()))
                            .collect();
                    ends.sort_unstable();
                    // Only divisions in order are compared by their number of groups.
                    let in_order = ends.windows(2).all(|pair| pair[0].1 <= pair[1].0);
                    let n = if in_order { groups.len() } else { 0 };
                    least = match least {
                        Some((old, most)) if old < cost || (old == cost && most >= n) =>
                            Some((old, most)),
                        _ => Some((cost, n)),
                    };
                }
            });
            let Some(cuts) = found else {
                prop_assert_eq!(least, None);
                return Ok(());
            };
            let (mut first, mut cost) = (0, 0);
            for cut in &cuts {
                let (last, next) = match cut {
                    Cut::Before(place) => (place - 1, *place),
                    Cut::Inside(place) => {
                        prop_assert!(several[*place]);
                        (*place, *place)
                    }
                };
                prop_assert!(last + 1 - first >= k && keys[last] - keys[first] >= e);
                cost += keys[last] - keys[first];
                first = next;
            }
            prop_assert_eq!(cuts.last(), Some(&Cut::Before(keys.len())));
            prop_assert_eq!(least, Some((cost, cuts.len())));
        }
    }

    #[test]
    fn one_number_is_cut_once_at_most() {
        let cuts = divide(&[true, false, true], 1, |_, _| true, |_| 1, 0).unwrap();
        assert_eq!(
            cuts,
            [Cut::Inside(0), Cut::Before(1), Cut::Before(2), Cut::Inside(2), Cut::Before(3)]
        );
        assert_eq!(divide(&[], 1, |_, _| true, |_| 1, 0), None);
        assert_eq!(divide(&[true, true], 3, |_, _| true, |_| 1, 0), None);
    }
}
