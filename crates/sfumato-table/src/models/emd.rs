//! The earth mover's distance between the distribution of a group and that of the release, for
//! three ground distances.
//!
//! Work is summed in whole numbers of `1 / (n * N)` and divided once at the end, so that the result
//! depends neither on the order of merging nor on rounding on the way.

use sfumato_core::dataset::{Domain, Hierarchy, NodeId};
use sfumato_core::group::Histogram;

/// The ground distance of two values, from 0 to 1.
#[derive(Debug, Clone)]
pub(crate) enum Ground {
    /// Any two different values: 1.
    Equal,
    /// Values on a line: the number of steps between their places divided by the length of the
    /// line.
    Ordered {
        /// The place of each code. Values of the same number share a place. A missing value comes
        /// after all others.
        places: Vec<u32>,
    },
    /// Values in a tree: the height of their lowest common ancestor divided by the height of the
    /// root. A missing value is a child of the root.
    Tree {
        /// The parent of each node. A parent's number is less than its children's.
        parents: Vec<NodeId>,
        /// The height of each node.
        heights: Vec<u8>,
        /// How many of the last nodes are leaves.
        n_leaves: usize,
    },
}

impl Ground {
    /// The line of a column's values: by number if they are numbers, or else by code.
    pub(crate) fn ordered(domain: &Domain) -> Self {
        let mut places: Vec<u32> = (0..domain.len() as u32).collect();
        if domain.keys.len() == domain.len() {
            let mut keys = domain.keys.clone();
            keys.sort_unstable();
            keys.dedup();
            places = domain
                .keys
                .iter()
                .map(|key| keys.partition_point(|other| other < key) as u32)
                .collect();
        }
        Ground::Ordered { places }
    }

    /// The tree of a hierarchy.
    pub(crate) fn tree(tree: &Hierarchy) -> Self {
        let nodes = 0..tree.n_nodes() as NodeId;
        Ground::Tree {
            parents: nodes.clone().map(|node| tree.parent(node)).collect(),
            // A hierarchy has at most 255 levels.
            heights: nodes.map(|node| tree.level(node) as u8).collect(),
            n_leaves: tree.n_leaves(),
        }
    }

    /// The distance between a group and the release. If neither side has a value it is 0, and if
    /// only one side has values it is 1.
    pub(crate) fn distance(&self, group: &Histogram, release: &Histogram) -> f64 {
        if group.total() == 0 || release.total() == 0 {
            return if group.total() == release.total() { 0.0 } else { 1.0 };
        }
        let (work, steps) = match self {
            Ground::Equal => {
                (excesses(group, release).map(|(_, excess)| excess.unsigned_abs()).sum(), 2)
            }
            Ground::Ordered { places } => along_line(places, group, release),
            Ground::Tree { parents, heights, n_leaves } => {
                (up_tree(parents, heights, *n_leaves, group, release), u32::from(heights[0]))
            }
        };
        if steps == 0 {
            return 0.0;
        }
        work as f64 / (f64::from(steps) * group.total() as f64 * release.total() as f64)
    }
}

/// For each code of either side, by code, how much more of it the group has: `p - q` in units of `1
/// / (n * N)`.
fn excesses<'a>(
    group: &'a Histogram,
    release: &'a Histogram,
) -> impl Iterator<Item = (u32, i128)> + 'a {
    let (n, total) = (i128::from(group.total()), i128::from(release.total()));
    let (mut mine, mut theirs) =
        (group.entries().iter().peekable(), release.entries().iter().peekable());
    std::iter::from_fn(move || {
        let code = match (mine.peek(), theirs.peek()) {
            (Some((a, _)), Some((b, _))) => *a.min(b),
            (Some((code, _)), None) | (None, Some((code, _))) => *code,
            (None, None) => return None,
        };
        let p = mine.next_if(|(c, _)| *c == code).map_or(0, |(_, count)| i128::from(*count));
        let q = theirs.next_if(|(c, _)| *c == code).map_or(0, |(_, count)| i128::from(*count));
        Some((code, p * total - q * n))
    })
}

/// The work on a line whose places are the values that occur, and how many steps the line has.
fn along_line(places: &[u32], group: &Histogram, release: &Histogram) -> (u128, u32) {
    let place = |code: u32| places.get(code as usize).copied().unwrap_or(u32::MAX);
    let mut line: Vec<(u32, i128)> =
        excesses(group, release).map(|(code, excess)| (place(code), excess)).collect();
    line.sort_unstable_by_key(|(place, _)| *place);
    let (mut carried, mut work, mut steps) = (0i128, 0u128, 0u32);
    for pair in line.windows(2) {
        carried += pair[0].1;
        if pair[0].0 != pair[1].0 {
            work += carried.unsigned_abs();
            steps += 1;
        }
    }
    (work, steps)
}

/// The work in a tree: what the children of a node can't balance among themselves is moved at the
/// node's height.
fn up_tree(
    parents: &[NodeId],
    heights: &[u8],
    n_leaves: usize,
    group: &Histogram,
    release: &Histogram,
) -> u128 {
    let n_nodes = parents.len();
    let mut excess = vec![0i128; n_nodes];
    let (mut surplus, mut deficit) = (vec![0u128; n_nodes], vec![0u128; n_nodes]);
    let mut settle = |parent: usize, amount: i128| {
        let side = if amount > 0 { &mut surplus } else { &mut deficit };
        side[parent] += amount.unsigned_abs();
    };
    for (code, amount) in excesses(group, release) {
        if (code as usize) < n_leaves {
            excess[n_nodes - n_leaves + code as usize] = amount;
        } else {
            settle(0, amount);
        }
    }
    for node in (1..n_nodes).rev() {
        let parent = parents[node] as usize;
        settle(parent, excess[node]);
        excess[parent] += excess[node];
    }
    (0..n_nodes - n_leaves)
        .map(|node| u128::from(heights[node]) * surplus[node].min(deficit[node]))
        .sum()
}
