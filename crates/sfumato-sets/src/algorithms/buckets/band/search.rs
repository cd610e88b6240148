//! Breadth-first searches over records that share items, component by component.

use sfumato_core::column::Code;

use super::graph::Graph;

/// How often a start is replaced by one that is farther out. Each search is deeper than the one
/// before, and two or three are almost always enough.
const ROUNDS: usize = 8;

/// The state of the searches. Records are given by rank, which ascends with the degree.
pub struct Search<'a, C> {
    graph: &'a Graph<C>,
    /// One bit for each record, set when it is reached.
    reached: Vec<u64>,
    /// Which items were followed to all their records.
    followed: Vec<bool>,
    /// How many items of records weren't followed by the finished components.
    open: usize,
    /// The items that the current search followed.
    trail: Vec<u32>,
    /// Records in the order in which they were reached. It has one more place than there are
    /// records, so that a write past the last needs no check.
    order: Vec<u32>,
    /// The number of records reached.
    len: usize,
}

/// The depth of a search.
struct Depth {
    levels: usize,
    /// Where the records of the last level begin.
    last: usize,
}

impl<'a, C: Code> Search<'a, C> {
    /// The state before any record is reached.
    pub fn new(graph: &'a Graph<C>) -> Self {
        Search {
            graph,
            reached: vec![0; graph.n_rows().div_ceil(64)],
            followed: vec![false; graph.n_items()],
            open: (0..graph.n_items()).filter(|item| !graph.list(*item).is_empty()).count(),
            trail: Vec::new(),
            order: vec![0; graph.n_rows() + 1],
            len: 0,
        }
    }

    /// All records in the order of Cuthill and McKee, component by component.
    pub fn run(mut self) -> Vec<u32> {
        let mut first = 0;
        while self.len < self.graph.n_rows() {
            while self.reached[first / 64] & (1 << (first % 64)) != 0 {
                first += 1;
            }
            self.part(first as u32);
        }
        self.order.truncate(self.len);
        self.order
    }

    /// Append the component of a record, which must be its record of least degree, in the order of
    /// a search that begins far out.
    fn part(&mut self, least: u32) {
        let begin = self.len;
        let (mut root, mut levels) = (least, 0);
        // A search ends early when it followed all items of the part. How many there are at most is
        // known, and after the first search exactly.
        let mut n_items = self.open;
        for round in 1..=ROUNDS {
            let depth = self.spread(root, n_items);
            n_items = self.trail.len();
            let farthest = self.order[depth.last..self.len].iter().copied().min().unwrap_or(root);
            if depth.levels <= levels || round == ROUNDS || farthest == root {
                break;
            }
            (root, levels) = (farthest, depth.levels);
            self.forget(begin);
        }
        self.open -= self.trail.len();
        self.trail.clear();
    }

    /// Append all records that are reached from a record, in the order of Cuthill and McKee.
    fn spread(&mut self, root: u32, n_items: usize) -> Depth {
        let Search { graph, reached, followed, trail, order, len, .. } = self;
        let mut at = *len;
        order[*len] = root;
        *len += 1;
        reached[root as usize / 64] |= 1 << (root % 64);
        let mut depth = Depth { levels: 0, last: at };
        while at < *len {
            depth = Depth { levels: depth.levels + 1, last: at };
            let end = *len;
            while at < end && trail.len() < n_items {
                let row = graph.row(order[at]);
                at += 1;
                let (children, items) = (*len, trail.len());
                for code in row {
                    let item = code.widen() as usize;
                    if !followed[item] {
                        followed[item] = true;
                        trail.push(item as u32);
                        *len = append(graph.list(item), reached, order, *len);
                    }
                }
                // Each list ascends, so only several in a row have to be merged; the stable sort
                // sees the runs.
                if trail.len() > items + 1 {
                    order[children..*len].sort();
                }
            }
            at = end;
        }
        depth
    }

    /// Undo the last search.
    fn forget(&mut self, begin: usize) {
        for rank in &self.order[begin..self.len] {
            self.reached[*rank as usize / 64] &= !(1 << (rank % 64));
        }
        self.trail.drain(..).for_each(|item| self.followed[item as usize] = false);
        self.len = begin;
    }
}

/// Append those records of a list that weren't reached. It has no branch, since branches on this
/// can't be predicted well.
#[inline]
fn append(list: &[u32], reached: &mut [u64], order: &mut [u32], mut len: usize) -> usize {
    for rank in list {
        let word = &mut reached[*rank as usize / 64];
        let new = (!*word >> (rank % 64)) & 1;
        *word |= 1 << (rank % 64);
        order[len] = *rank;
        len += new as usize;
    }
    len
}
