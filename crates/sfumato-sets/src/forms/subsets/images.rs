//! Counts how many published records could belong to each original record: those whose set it
//! contains. Counting stops when there are enough.

use rayon::prelude::*;
use sfumato_core::column::Code;
use sfumato_core::transactions::Transactions;
use sfumato_core::with_sets;

use super::alike::Alike;

/// The different published sets as a tree: each path from the root is a set, with items ascending.
struct Tree {
    nodes: Vec<Node>,
}

struct Node {
    item: u32,
    /// The number of published records whose set ends here.
    copies: u64,
    /// The end of the subtree, where the next sibling begins, if there is one.
    end: u32,
}

impl Tree {
    fn of(published: &Transactions, alike: &Alike) -> (Self, u64) {
        let mut sets: Vec<(Vec<u32>, u64)> = alike
            .first
            .iter()
            .zip(&alike.copies)
            .map(|(row, copies)| (published.set(*row as usize), u64::from(*copies)))
            .collect();
        sets.par_sort_unstable();
        let (mut nodes, mut path): (Vec<Node>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut empty = 0;
        for (set, copies) in sets {
            let shared = path
                .iter()
                .zip(&set)
                .take_while(|(node, item)| nodes[**node as usize].item == **item)
                .count();
            close(&mut nodes, &mut path, shared);
            for item in &set[shared..] {
                path.push(nodes.len() as u32);
                nodes.push(Node { item: *item, copies: 0, end: 0 });
            }
            match path.last() {
                Some(node) => nodes[*node as usize].copies = copies,
                None => empty = copies,
            }
        }
        close(&mut nodes, &mut path, 0);
        (Tree { nodes }, empty)
    }

    /// The number of published records whose set a record contains, in addition to `counted`.
    /// Counting stops at `enough` in total.
    fn images<C: Code>(&self, record: &[C], counted: u64, enough: u64) -> u64 {
        let mut counted = counted;
        let mut at = 0;
        // Depth first: a node whose item the record lacks is left out with all below it. Items on a
        // path ascend, but those of the next sibling's path may be smaller, so that the record is
        // searched anew.
        while at < self.nodes.len() && counted < enough {
            let node = &self.nodes[at];
            if record.binary_search_by_key(&node.item, |code| code.widen()).is_ok() {
                counted += node.copies;
                at += 1;
            } else {
                at = node.end as usize;
            }
        }
        counted.min(enough)
    }
}

fn close(nodes: &mut [Node], path: &mut Vec<u32>, keep: usize) {
    let end = nodes.len() as u32;
    path.drain(keep..).for_each(|node| nodes[node as usize].end = end);
}

/// The smallest number of images of any original record, at most `enough`, and how many records
/// have fewer than that.
///
/// `row_of` gives the row of the release that is a record's own: its copies are images already.
pub fn least(
    original: &Transactions,
    published: &Transactions,
    alike: &Alike,
    enough: u64,
    row_of: &(dyn Fn(usize) -> Option<u32> + Sync),
) -> (u64, u64) {
    let (tree, empty) = Tree::of(published, alike);
    let images = |record: usize| {
        let own = row_of(record)
            .map_or(0, |row| u64::from(alike.copies[alike.of_row[row as usize] as usize]));
        if own >= enough {
            return own;
        }
        with_sets!(original, sets => tree.images(sets.get(record), empty.min(enough), enough))
    };
    (0..original.len())
        .into_par_iter()
        .map(|record| {
            let n = images(record);
            (n, u64::from(n < enough))
        })
        .reduce(|| (u64::MAX, 0), |a, b| (a.0.min(b.0), a.1 + b.1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(80))]
        #[test]
        fn images_are_those_of_a_plain_count(
            originals in prop::collection::vec(prop::collection::vec(0u32..6, 0..6), 1..20),
            releases in prop::collection::vec(prop::collection::vec(0u32..6, 0..4), 1..20),
            enough in 1u64..9,
        ) {
            let (original, published) =
                (Transactions::from_sets(6, originals), Transactions::from_sets(6, releases));
            let alike = Alike::of(&published);
            let plain: Vec<u64> = (0..original.len()).map(|record| {
                let record = original.set(record);
                (0..published.len()).filter(|row| published.set(*row).iter()
                    .all(|item| record.contains(item))).count() as u64
            }).collect();
            let (least, fewer) = least(&original, &published, &alike, enough, &|_| None);
            prop_assert_eq!(least, plain.iter().min().copied().unwrap().min(enough));
            prop_assert_eq!(fewer, plain.iter().filter(|n| **n < enough).count() as u64);
        }
    }
}
