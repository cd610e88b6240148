//! What a recipient of generalized baskets estimates: each item below a published node is in the
//! row with the chance of one among them, whatever else the row has.

use sfumato_core::column::Code as _;
use sfumato_core::transactions::Transactions;
use sfumato_core::{FastSet, with_sets};

use crate::data::item_tree::{ItemTree, Node};

/// What is too much to be counted for a figure of a report: steps through lists of rows,
/// entries of the lists of single items, and single items.
const WORK: u64 = 100_000_000;
const ENTRIES: usize = 10_000_000;
const MOST_SINGLES: usize = 3000;

/// The chances of items in rows.
pub(super) struct Chances<'a> {
    rows: &'a Transactions,
    /// For each node the items below it that are asked for, with their chances.
    below: Vec<Vec<(Node, f32)>>,
}

impl<'a> Chances<'a> {
    /// The chances of those items that are asked for. Without a hierarchy rows have items.
    pub fn of(
        rows: &'a Transactions,
        tree: Option<&ItemTree>,
        is_asked: impl Fn(Node) -> bool,
    ) -> Self {
        let of_node = |(node, count): (usize, &u64)| {
            let mut below = Vec::new();
            if *count > 0 {
                match tree {
                    Some(tree) => gather(tree, node as Node, &mut below),
                    None => below.push(node as Node),
                }
            }
            let chance = 1.0 / below.len() as f32;
            below.into_iter().filter(|leaf| is_asked(*leaf)).map(|leaf| (leaf, chance)).collect()
        };
        let below = rows.counts().iter().enumerate().map(of_node).collect();
        Chances { rows, below }
    }

    /// Visit the rows with the asked items that they may have. An item may be visited twice, if a
    /// row has it beside a node above it.
    pub fn each(&self, mut visit: impl FnMut(u32, Node, f32)) {
        with_sets!(self.rows, rows => {
            for row in 0..self.rows.len() {
                for node in rows.get(row) {
                    for (leaf, chance) in &self.below[node.widen() as usize] {
                        visit(row as u32, *leaf, *chance);
                    }
                }
            }
        });
    }

    /// In how many rows each item is expected, and the largest chance of it in one.
    fn singles(&self) -> Vec<Single> {
        let mut singles = vec![Single::default(); self.below.len()];
        // The last row that an item was seen in, with its chance there.
        let mut last: Vec<(u32, f32)> = vec![(u32::MAX, 0.0); self.below.len()];
        self.each(|row, leaf, chance| {
            let (seen, known) = &mut last[leaf as usize];
            if *seen != row {
                (*seen, *known) = (row, 0.0);
            }
            let more = (chance - *known).max(0.0);
            *known += more;
            let single = &mut singles[leaf as usize];
            single.expected += f64::from(more);
            single.most = single.most.max(f64::from(chance));
        });
        singles
    }
}

/// What is known of an item by itself.
#[derive(Debug, Clone, Copy, Default)]
struct Single {
    /// The expected number of rows that have it.
    expected: f64,
    /// The largest chance of it in a row.
    most: f64,
}

/// All leaves below a node.
fn gather(tree: &ItemTree, node: Node, into: &mut Vec<Node>) {
    match tree.children(node) {
        [] => into.push(node),
        children => children.iter().for_each(|child| gather(tree, *child, into)),
    }
}

/// The rows that may have an item or a set, with their chances.
type Rows = Vec<(u32, f32)>;

/// The sets of items that are expected in so many rows. `None` if it is too much work.
pub(super) fn frequent(
    rows: &Transactions,
    tree: &ItemTree,
    required: u64,
    size: usize,
) -> Option<FastSet<Vec<Node>>> {
    let mut search = Search { required: required as f64, size, work: 0, found: FastSet::default() };
    let singles = Chances::of(rows, Some(tree), |_| true).singles();
    let is_frequent = |leaf: &Node| search.is_frequent(singles[*leaf as usize].expected);
    let leaves: Vec<Node> = (0..singles.len() as Node).filter(is_frequent).collect();
    let may_pair = search.that_may_pair(&leaves, &singles);
    search.found.extend(leaves.iter().map(|leaf| vec![*leaf]));
    if size > 1 {
        let chances = Chances::of(rows, Some(tree), |leaf| may_pair.binary_search(&leaf).is_ok());
        let lists = lists(&chances, singles.len())?;
        let singles: Vec<(Node, &Rows)> =
            may_pair.iter().map(|leaf| (*leaf, &lists[*leaf as usize])).collect();
        let pairs = pairs(&singles, rows.len())?;
        search.pairs(&singles, &pairs)?;
    }
    Some(search.found)
}

/// In how many rows each pair of some items is expected, by the places of both, the larger first.
/// `None` if it is too much work.
///
/// Rows have few items that are frequent, so that counting row by row costs much less than joining
/// the lists of all pairs.
fn pairs(singles: &[(Node, &Rows)], n_rows: usize) -> Option<Vec<Vec<f64>>> {
    if singles.len() > MOST_SINGLES {
        return None;
    }
    let mut sizes = vec![0u64; n_rows];
    let entries = || singles.iter().flat_map(|(_, list)| list.iter());
    entries().for_each(|(row, _)| sizes[*row as usize] += 1);
    if sizes.iter().map(|size| size * size / 2).sum::<u64>() > WORK {
        return None;
    }
    let mut of_row: Vec<Vec<(u32, f32)>> = sizes.iter().map(|_| Vec::new()).collect();
    let mut counts: Vec<Vec<f64>> = (0..singles.len()).map(|place| vec![0.0; place]).collect();
    for (place, (_, list)) in singles.iter().enumerate() {
        for (row, chance) in *list {
            let before = &mut of_row[*row as usize];
            for (other, known) in before.iter() {
                counts[place][*other as usize] += f64::from(*known * *chance);
            }
            before.push((place as u32, *chance));
        }
    }
    Some(counts)
}

/// The rows that may have each item. `None` if they are too many.
fn lists(chances: &Chances<'_>, n_items: usize) -> Option<Vec<Rows>> {
    let mut lists: Vec<Rows> = vec![Vec::new(); n_items];
    let mut entries = 0;
    chances.each(|row, leaf, chance| {
        let list = &mut lists[leaf as usize];
        match list.last_mut() {
            Some((last, known)) if *last == row => *known = known.max(chance),
            _ if entries < ENTRIES => {
                entries += 1;
                list.push((row, chance));
            }
            _ => entries = ENTRIES + 1,
        }
    });
    (entries <= ENTRIES).then_some(lists)
}

struct Search {
    required: f64,
    size: usize,
    work: u64,
    found: FastSet<Vec<Node>>,
}

impl Search {
    /// Whether a support is large enough, up to rounding.
    fn is_frequent(&self, support: f64) -> bool {
        support * (1.0 + 1e-6) >= self.required
    }
    fn has(&self, rows: &Rows) -> bool {
        self.is_frequent(rows.iter().map(|(_, chance)| f64::from(*chance)).sum())
    }
    /// The items that may be frequent together with another one. Two items are expected together
    /// at most as often as one of them, times the largest chance of the other: items below large
    /// nodes go, whose rows would have very many pairs.
    fn that_may_pair(&self, leaves: &[Node], singles: &[Single]) -> Vec<Node> {
        let may = |a: Node, b: Node| {
            let (one, other) = (singles[a as usize], singles[b as usize]);
            let bound = (one.expected * other.most).min(other.expected * one.most);
            a != b && self.is_frequent(bound)
        };
        leaves.iter().copied().filter(|a| leaves.iter().any(|b| may(*a, *b))).collect()
    }
    /// Note the frequent pairs of items, and go deeper below each item.
    fn pairs(&mut self, singles: &[(Node, &Rows)], counts: &[Vec<f64>]) -> Option<()> {
        for (place, (item, rows)) in singles.iter().enumerate() {
            let others = (place + 1..singles.len())
                .filter(|other| self.is_frequent(counts[*other][place]))
                .map(|other| singles[other]);
            let joined: Vec<_> = others.map(|(other, one)| (other, one, both(rows, one))).collect();
            self.extend(&mut vec![*item], &joined)?;
        }
        Some(())
    }

    /// Note some sets that differ in their last item, and go deeper below each. Given are the items
    /// that they have in common, and for each set its last item, the rows that may have that item,
    /// and those that may have the set.
    fn extend(&mut self, prefix: &mut Vec<Node>, sets: &[(Node, &Rows, Rows)]) -> Option<()> {
        for (place, (item, _, rows)) in sets.iter().enumerate() {
            prefix.push(*item);
            self.found.insert(prefix.clone());
            if prefix.len() < self.size {
                let others = &sets[place + 1..];
                let steps = others.iter().map(|(_, single, _)| (rows.len() + single.len()) as u64);
                self.work += steps.sum::<u64>();
                if self.work > WORK {
                    return None;
                }
                let joined = others.iter().map(|(other, one, _)| (*other, *one, both(rows, one)));
                let deeper: Vec<_> = joined.filter(|(_, _, list)| self.has(list)).collect();
                self.extend(prefix, &deeper)?;
            }
            prefix.pop();
        }
        Some(())
    }
}

/// The rows of both lists, with the chance that both are the case.
fn both(a: &Rows, b: &Rows) -> Rows {
    let (mut i, mut j) = (0, 0);
    let mut both = Vec::new();
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both.push((a[i].0, a[i].1 * b[j].1));
                i += 1;
                j += 1;
            }
        }
    }
    both
}

#[cfg(test)]
pub(super) mod testing {
    use proptest::prelude::*;

    use super::*;

    /// The expected number of rows that have all of some leaves, row by row.
    pub fn by_definition(tree: &ItemTree, rows: &[Vec<Node>], leaves: &[Node]) -> f64 {
        let chance = |row: &Vec<Node>, leaf: Node| {
            let above = row.iter().filter(|node| tree.covers(**node, leaf));
            above.map(|node| 1.0 / f64::from(tree.leaves(*node))).fold(0.0, f64::max)
        };
        rows.iter().map(|row| leaves.iter().map(|leaf| chance(row, *leaf)).product::<f64>()).sum()
    }

    /// Records of four items and rows of the seven nodes of the book's tree, in no relation.
    pub fn records_and_rows() -> impl Strategy<Value = (Vec<Vec<u32>>, Vec<Vec<Node>>)> {
        let sets = |n: u32| {
            let set = prop::collection::btree_set(0..n, 0..4);
            prop::collection::vec(set.prop_map(|set| set.into_iter().collect()), 1..9)
        };
        (sets(4), sets(7))
    }
}
