//! Many sets in a tree, to find the most valuable one that a record contains.

use sfumato_core::column::Code;

/// No set ends here; no child is there.
const NONE: u32 = u32::MAX;

/// Sets of items, each worth something.
///
/// Items are put in the order of how many sets have them, fewest first: a record that lacks a rare item leaves many sets aside at once.
pub struct Trie {
    /// For each item, its place in the order.
    rank: Vec<u32>,
    /// For each item by rank, the node below the root; `NONE` where no set begins with it.
    first: Vec<u32>,
    /// The item of each node, by rank: apart from the nodes, as most are looked at for nothing else.
    items: Vec<u32>,
    nodes: Vec<Node>,
    /// The set that is empty.
    empty: (f64, u32),
}

struct Node {
    /// The children of a node lie one after the other.
    children: (u32, u32),
    /// The set that ends here, and what it is worth.
    set: u32,
    worth: f64,
    /// The most that a set here or below is worth.
    best: f64,
}

/// Memory of one searcher.
#[derive(Default)]
pub struct Seeker {
    has: Vec<bool>,
    ranks: Vec<u32>,
    starts: Vec<u32>,
    stack: Vec<u32>,
}

impl Trie {
    /// Sets by number, each with what it is worth. Of equal ones the first counts.
    pub fn new<'a>(n_items: usize, sets: impl Iterator<Item = (&'a [u32], f64)> + Clone) -> Self {
        let mut counts = vec![0u32; n_items];
        sets.clone().for_each(|(set, _)| set.iter().for_each(|item| counts[*item as usize] += 1));
        let mut order: Vec<u32> = (0..n_items as u32).collect();
        order.sort_unstable_by_key(|item| (counts[*item as usize], *item));
        let mut rank = vec![0; n_items];
        order.iter().enumerate().for_each(|(i, item)| rank[*item as usize] = i as u32);
        let mut empty = (f64::NEG_INFINITY, NONE);
        let mut ranked: Vec<(Vec<u32>, u32, f64)> = Vec::new();
        for (number, (set, worth)) in sets.enumerate() {
            if set.is_empty() && empty.1 == NONE {
                empty = (worth, number as u32);
            }
            let mut items: Vec<u32> = set.iter().map(|item| rank[*item as usize]).collect();
            items.sort_unstable();
            if !items.is_empty() {
                ranked.push((items, number as u32, worth));
            }
        }
        ranked.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        ranked.dedup_by(|later, first| later.0 == first.0);
        let mut trie = Trie { rank, first: vec![NONE; n_items], items: Vec::new(), nodes: Vec::new(), empty };
        // Breadth first, so that children lie together: each entry is a range of sets that agree up to a depth.
        let mut queue: Vec<(usize, usize, usize, Option<usize>)> = vec![(0, ranked.len(), 0, None)];
        let mut next = 0;
        while next < queue.len() {
            let (mut begin, end, depth, above) = queue[next];
            next += 1;
            let first_child = trie.nodes.len() as u32;
            while begin < end {
                let item = ranked[begin].0[depth];
                let mut until = begin;
                while until < end && ranked[until].0[depth] == item {
                    until += 1;
                }
                let best = ranked[begin..until].iter().map(|set| set.2).fold(f64::NEG_INFINITY, f64::max);
                let mut node = Node { children: (0, 0), set: NONE, worth: f64::NEG_INFINITY, best };
                let here = trie.nodes.len();
                if ranked[begin].0.len() == depth + 1 {
                    (node.set, node.worth) = (ranked[begin].1, ranked[begin].2);
                    begin += 1;
                }
                trie.nodes.push(node);
                trie.items.push(item);
                if above.is_none() {
                    trie.first[item as usize] = here as u32;
                }
                if begin < until {
                    queue.push((begin, until, depth + 1, Some(here)));
                }
                begin = until;
            }
            if let Some(above) = above {
                trie.nodes[above].children = (first_child, trie.nodes.len() as u32);
            }
        }
        trie
    }

    /// The set that is worth most of those that a record contains, except `not`; only sets worth more than `above`. Of equally good
    /// ones the lowest number.
    pub fn best<C: Code>(
        &self,
        seeker: &mut Seeker,
        record: &[C],
        not: u32,
        above: f64,
    ) -> Option<(u32, f64)> {
        seeker.has.resize(self.rank.len(), false);
        seeker.ranks.clear();
        seeker.starts.clear();
        for code in record {
            let rank = self.rank[code.widen() as usize];
            seeker.has[rank as usize] = true;
            let first = self.first[rank as usize];
            if first != NONE {
                seeker.starts.push(first);
            }
            seeker.ranks.push(rank);
        }
        let mut found: Option<(u32, f64)> = None;
        if self.empty.1 != NONE && self.empty.1 != not && self.empty.0 > above {
            found = Some((self.empty.1, self.empty.0));
        }
        let better = |worth: f64, set: u32, found: &Option<(u32, f64)>| match found {
            Some((best, most)) => worth > *most || (worth == *most && set < *best),
            None => worth > above,
        };
        // The most promising first: what is found early leaves most of the rest aside.
        let Seeker { has, starts, stack, .. } = seeker;
        let best = |start: &u32| self.nodes[*start as usize].best;
        starts.sort_unstable_by(|a, b| best(b).total_cmp(&best(a)).then(a.cmp(b)));
        for start in starts.iter() {
            stack.push(*start);
            while let Some(at) = stack.pop() {
                let node = &self.nodes[at as usize];
                if !better(node.best, 0, &found) {
                    continue;
                }
                if node.set != NONE && node.set != not && better(node.worth, node.set, &found) {
                    found = Some((node.set, node.worth));
                }
                for child in node.children.0..node.children.1 {
                    if has[self.items[child as usize] as usize] {
                        stack.push(child);
                    }
                }
            }
        }
        seeker.ranks.iter().for_each(|rank| seeker.has[*rank as usize] = false);
        found
    }
}
