//! Trees of numbers that have no hierarchy, and what specializing a node gains.

use sfumato_core::FastMap;
use sfumato_core::dataset::Column;

use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// How often a range is halved at most.
const DEPTH: usize = 10;

/// How many records of each class have each code of a column.
pub(super) type Counts = Vec<FastMap<u32, u64>>;

/// Count classes by code. Without a target column all records are of one class.
pub(super) fn counts(column: &Column, target: Option<&Column>, n_codes: usize) -> Counts {
    let mut found: Counts = vec![FastMap::default(); n_codes];
    for (row, code) in column.codes.iter().enumerate() {
        let class = target.map_or(0, |target| target.codes.get(row));
        *found[code as usize].entry(class).or_default() += 1;
    }
    found
}

/// The records of each class in a range of codes.
fn within(counts: &Counts, (lo, hi): (u32, u32)) -> FastMap<u32, u64> {
    let mut all: FastMap<u32, u64> = FastMap::default();
    for own in &counts[lo as usize..(hi as usize).min(counts.len())] {
        own.iter().for_each(|(class, n)| *all.entry(*class).or_default() += n);
    }
    all
}

fn total(of: &FastMap<u32, u64>) -> u64 {
    of.values().sum()
}

/// The entropy of classes, in bits. Summed in the order of the classes, so that it is the same each
/// time.
fn entropy(of: &FastMap<u32, u64>) -> f64 {
    let n = total(of) as f64;
    let mut of: Vec<(&u32, &u64)> = of.iter().collect();
    of.sort_unstable();
    of.iter().map(|(_, count)| **count as f64 / n).map(|share| -share * share.log2()).sum()
}

/// How far the entropy of classes falls where a set of records is divided.
fn information(whole: &FastMap<u32, u64>, parts: &[FastMap<u32, u64>]) -> f64 {
    let n = total(whole) as f64;
    let left = parts.iter().filter(|part| !part.is_empty());
    let left: f64 = left.map(|part| total(part) as f64 / n * entropy(part)).sum();
    (entropy(whole) - left).max(0.0)
}

/// Give the ranges of a column without a hierarchy halves, cut where the entropy of classes falls
/// most; without classes, or where it falls nowhere, at the median.
pub(super) fn grow(tree: &mut Taxonomy, column: &Column, counts: &Counts) {
    if column.hierarchy.is_some() || !column.domain.kind.is_ordered() {
        return;
    }
    let leaves = (0..tree.len() as Node).filter(|node| tree.children(*node).is_empty());
    let mut open: Vec<(Node, usize)> = leaves.map(|node| (node, 0)).collect();
    while let Some((node, depth)) = open.pop() {
        let (lo, hi) = (tree.lo(node), tree.hi(node));
        if depth == DEPTH || hi <= lo + 1 || hi > column.domain.missing() {
            continue;
        }
        if let Some(at) = best_cut(counts, (lo, hi)) {
            open.extend(tree.split(node, at).map(|half| (half, depth + 1)));
        }
    }
}

fn best_cut(counts: &Counts, (lo, hi): (u32, u32)) -> Option<u32> {
    let there: Vec<u32> = (lo..hi).filter(|code| !counts[*code as usize].is_empty()).collect();
    let (whole, n) = (within(counts, (lo, hi)), there.len());
    if n < 2 {
        return None;
    }
    let rows = total(&whole);
    let (mut left, mut right): (FastMap<u32, u64>, _) = (FastMap::default(), whole.clone());
    let mut best: Option<(f64, u64, u32)> = None;
    for pair in there.windows(2) {
        for (class, n) in &counts[pair[0] as usize] {
            *left.entry(*class).or_default() += n;
            if let Some(count) = right.get_mut(class) {
                *count -= n;
            }
        }
        right.retain(|_, n| *n > 0);
        let gained = match whole.len() > 1 {
            true => information(&whole, &[left.clone(), right.clone()]),
            false => 0.0,
        };
        // Of equals the one that is nearest to the middle.
        let off = total(&left).abs_diff(rows - total(&left));
        let is_better = best.is_none_or(|(most, least, _)| {
            gained > most + 1e-12 || (gained > most - 1e-12 && off < least)
        });
        if is_better {
            best = Some((gained, off, pair[1]));
        }
    }
    best.map(|(_, _, at)| at)
}

/// What a specialization gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gain {
    Class,
    Distortion,
    Discernibility,
}

/// What specializing a node gains. None if it has no children.
pub(super) fn gain(tree: &Taxonomy, node: Node, counts: &Counts, gain: Gain) -> Option<f64> {
    let children = tree.children(node);
    if children.is_empty() {
        return None;
    }
    let of = |node: Node| within(counts, (tree.lo(node), tree.hi(node)));
    let whole = of(node);
    if whole.is_empty() {
        return Some(0.0);
    }
    let parts: Vec<FastMap<u32, u64>> = children.iter().map(|child| of(*child)).collect();
    Some(match gain {
        Gain::Class => information(&whole, &parts),
        Gain::Distortion => total(&whole) as f64,
        Gain::Discernibility => {
            let squares: f64 = parts.iter().map(|part| (total(part) as f64).powi(2)).sum();
            (total(&whole) as f64).powi(2) - squares
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: &[(u64, u64)]) -> Counts {
        let map =
            |(a, b): &(u64, u64)| [(0, *a), (1, *b)].into_iter().filter(|(_, n)| *n > 0).collect();
        counts.iter().map(map).collect()
    }

    #[test]
    fn ranges_are_cut_where_classes_part_and_else_in_the_middle() {
        // By hand: the first three codes have class 0 alone, and the last one has class 1.
        assert_eq!(best_cut(&of(&[(1, 0), (1, 0), (1, 0), (0, 2)]), (0, 4)), Some(3));
        assert_eq!(best_cut(&of(&[(1, 0), (1, 0), (1, 0), (1, 0)]), (0, 4)), Some(2));
        assert_eq!(best_cut(&of(&[(0, 0), (9, 0), (0, 0)]), (0, 3)), None);
    }

    #[test]
    fn information_is_what_entropy_falls() {
        let parts = of(&[(2, 0), (0, 2)]);
        let whole = within(&parts, (0, 2));
        assert!((information(&whole, &parts) - 1.0).abs() < 1e-12);
        let parts = of(&[(1, 1), (1, 1)]);
        assert!(information(&within(&parts, (0, 2)), &parts).abs() < 1e-12);
    }
}
