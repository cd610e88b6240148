//! Which nodes of a cut may be expanded, and a search for a cut that loses little.
//!
//! If a cut keeps its promises, every coarser cut does. So whatever fails once below a cut fails
//! for every finer one, and a combination that was seen to be rare forbids an expansion as long as
//! the other nodes of the combination stay in the cut: how often nodes occur together doesn't
//! depend on the cut.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use sfumato_core::column::Code as _;
use sfumato_core::combinations::AskedCombinations;
use sfumato_core::{Error, Result, with_sets};
use sfumato_kernels::itemsets::rare::{RareSearch, Rarity, Rows};

use super::TreeTask;
use super::cut::{Cut, instances, loss};
use crate::data::item_tree::{Node, ROOT};

/// How many rare combinations are remembered for a node.
const REMEMBERED: usize = 16;

/// The state of a search.
pub(super) struct Search<'a> {
    task: TreeTask<'a>,
    pub instances: Vec<u64>,
    pub cut: Cut,
    /// The records of each leaf.
    records_of: Vec<Vec<u32>>,
    /// Rare combinations with children of a node: they forbid to expand it.
    rare_below: Vec<Vec<Vec<Node>>>,
    /// Whether a record was gathered, by the number of the gathering.
    gathered: (Vec<u32>, u32),
    rows: Rows,
    with_child: Rows,
    rare: RareSearch,
    /// The work at which the search ends with what it has.
    pub most_work: u64,
}

impl<'a> Search<'a> {
    /// A search that begins with the root. An error where not even the root keeps the promises.
    pub fn new(task: &TreeTask<'a>, suppressed: &[Node], most_work: u64) -> Result<Self> {
        let n_nodes = task.tree.n_nodes();
        let mut records_of: Vec<Vec<u32>> = vec![Vec::new(); n_nodes];
        let mut is_left_out = vec![false; n_nodes];
        suppressed.iter().for_each(|leaf| is_left_out[*leaf as usize] = true);
        let mut n = 0;
        let mut with_items = 0;
        with_sets!(task.leaves, records => for (record, set) in records.iter().enumerate() {
            n += task.weight(record);
            let left = set.iter().map(|leaf| leaf.widen() as usize)
                .filter(|leaf| !is_left_out[*leaf]);
            let before = with_items;
            for leaf in left {
                records_of[leaf].push(record as u32);
                with_items = before + task.weight(record);
            }
        });
        let required = task.combinations.iter().map(|asked| asked.required).max().unwrap_or(1);
        // All records, and those that are published as the root.
        if n < required || (with_items > 0 && with_items < required) {
            return Err(Error::infeasible(format!(
                "k is {required}, and {with_items} of {n} records have items"
            ))
            .hint("ask for a smaller k, or bring more data"));
        }
        Ok(Search {
            task: *task,
            instances: instances(task),
            cut: Cut::root(task.tree, suppressed),
            records_of,
            rare_below: vec![Vec::new(); n_nodes],
            gathered: (vec![0; task.leaves.len()], 0),
            rows: Rows::default(),
            with_child: Rows::default(),
            rare: RareSearch::new(n_nodes),
            most_work,
        })
    }

    /// What the cut loses.
    pub fn loss(&self) -> f64 {
        loss(self.task.tree, &self.instances, &self.cut)
    }

    /// How much less is lost if a node is expanded.
    fn gain(&self, node: Node) -> f64 {
        let tree = self.task.tree;
        let lost = |node: Node| tree.ncp(node) * self.instances[node as usize] as f64;
        lost(node) - tree.children(node).iter().map(|child| lost(*child)).sum::<f64>()
    }

    /// Whether enough work was done.
    pub fn is_over(&self) -> bool {
        self.rare.work() > self.most_work
    }

    /// Whether a node of the cut may be expanded: whether all combinations with its children occur
    /// often enough.
    pub fn may_expand(&mut self, node: Node) -> bool {
        let tree = self.task.tree;
        let cut = &self.cut;
        let is_there = |other: &Node| cut.is_in[*other as usize] || tree.parent(*other) == node;
        let known = &mut self.rare_below[node as usize];
        if let Some(at) = known.iter().position(|rare| rare.iter().all(is_there)) {
            // What forbade it last is likely to forbid it again.
            known[..=at].rotate_right(1);
            return false;
        }
        self.gather(node);
        let asked: Vec<AskedCombinations> = self.task.combinations.to_vec();
        for (place, child) in tree.children(node).iter().enumerate() {
            // Combinations with an earlier child were looked at with that one.
            let earlier = &tree.children(node)[..place];
            self.with_child.clear();
            for row in 0..self.rows.len() {
                let (items, weight) = self.rows.get(row);
                if items.binary_search(child).is_ok() {
                    let others = items.iter().copied();
                    let others = others.filter(|item| item != child && !earlier.contains(item));
                    self.with_child.push(others, weight);
                }
            }
            for asked in &asked {
                let size = asked.size.saturating_sub(1);
                let Search { rare, with_child, most_work, .. } = self;
                match rare.find(with_child, size, asked.required, *most_work) {
                    Rarity::None => {}
                    Rarity::GaveUp => return false,
                    Rarity::Rare(mut others) => {
                        others.push(*child);
                        let known = &mut self.rare_below[node as usize];
                        known.insert(0, others);
                        known.truncate(REMEMBERED);
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The records of a node, as they would be published if it were expanded.
    fn gather(&mut self, node: Node) {
        let tree = self.task.tree;
        self.cut.expand(tree, node);
        let (stamps, stamp) = &mut self.gathered;
        *stamp += 1;
        self.rows.clear();
        let mut nodes: Vec<Node> = Vec::new();
        let mut work = 0;
        let mut open = vec![node];
        while let Some(below) = open.pop() {
            open.extend(tree.children(below));
            for record in &self.records_of[below as usize] {
                if std::mem::replace(&mut stamps[*record as usize], *stamp) == *stamp {
                    continue;
                }
                nodes.clear();
                with_sets!(self.task.leaves, sets => {
                    let set = sets.get(*record as usize);
                    self.cut.append(set.iter().map(|leaf| leaf.widen()), &mut nodes);
                });
                work += nodes.len() as u64;
                self.rows.push(nodes.iter().copied(), self.task.weight(*record as usize));
            }
        }
        self.rare.spend(work);
        self.cut.collapse(tree, node);
    }

    /// Expand nodes as long as any may be, those that gain most first. `noise` changes the order.
    pub fn fill(&mut self, not_first: &[Node], noise: Option<&mut ChaCha8Rng>) -> Result<()> {
        let tree = self.task.tree;
        let mut factor = noise
            .map(|random| move || 0.25 + 1.5 * (random.next_u32() as f64 / f64::from(u32::MAX)));
        let mut priority = |search: &Self, node: Node| {
            search.gain(node) * factor.as_mut().map_or(1.0, |factor| factor())
        };
        let mut open: Vec<(f64, Node)> = Vec::new();
        let nodes: Vec<Node> = self.cut.nodes().collect();
        for node in nodes.into_iter().filter(|node| !tree.children(*node).is_empty()) {
            if !not_first.contains(&node) {
                open.push((priority(self, node), node));
            }
        }
        let mut last = not_first.to_vec();
        loop {
            self.task.check_cancelled()?;
            let best = open
                .iter()
                .enumerate()
                .max_by(|(_, (a, x)), (_, (b, y))| a.total_cmp(b).then(y.cmp(x)));
            let node = match best.map(|(at, _)| at) {
                Some(at) => open.swap_remove(at).1,
                // Those that were to wait are tried after all others.
                None => match last.pop() {
                    Some(node) if self.cut.is_in[node as usize] => node,
                    Some(_) => continue,
                    None => return Ok(()),
                },
            };
            if self.may_expand(node) {
                self.cut.expand(tree, node);
                let children = tree.children(node).iter();
                for child in children.filter(|child| !tree.children(**child).is_empty()) {
                    open.push((priority(self, *child), *child));
                }
            }
        }
    }

    /// Look for a better cut: some parents of nodes of the cut take their place, and what that
    /// makes room for is expanded. Ends after `rounds` without success, or when the work is done.
    pub fn improve(&mut self, rounds: u64) -> Result<()> {
        let tree = self.task.tree;
        let mut random = ChaCha8Rng::seed_from_u64(self.task.seed);
        let mut least = self.loss();
        let mut in_vain = 0;
        let mut parents = self.parents();
        let mut next = 0;
        // Few parents have few ways to be chosen.
        let most = |parents: &[Node]| rounds.min(30 * parents.len() as u64);
        while in_vain < most(&parents) && !self.is_over() {
            self.task.check_cancelled()?;
            let before = self.cut.clone();
            // Each parent once in its turn, then some at random.
            let chosen: Vec<Node> = match next < parents.len() {
                true => vec![parents[next]],
                false => {
                    let n = 1 + random.next_u32() as usize % 3;
                    let mut pick = || parents[random.next_u32() as usize % parents.len()];
                    (0..n).map(|_| pick()).collect()
                }
            };
            let is_random = next >= parents.len();
            next += 1;
            chosen.iter().for_each(|node| {
                // One may have become a part of another.
                let is_above = !self.cut.is_in[*node as usize]
                    && !(0..)
                        .scan(*node, |above, _: u32| {
                            let at = *above;
                            *above = tree.parent(at);
                            (at != ROOT).then_some(*above)
                        })
                        .any(|above| self.cut.is_in[above as usize]);
                if is_above {
                    self.cut.collapse(tree, *node);
                }
            });
            let waits: Vec<Node> =
                chosen.into_iter().filter(|node| self.cut.is_in[*node as usize]).collect();
            self.fill(&waits, is_random.then_some(&mut random))?;
            let loss = self.loss();
            match loss < least && !self.is_over() {
                true => {
                    least = loss;
                    in_vain = 0;
                    next = 0;
                    parents = self.parents();
                }
                false => {
                    self.cut = before;
                    in_vain += 1;
                }
            }
        }
        Ok(())
    }

    /// The parents of the nodes of the cut, those whose place costs least first.
    fn parents(&self) -> Vec<Node> {
        let tree = self.task.tree;
        let mut parents: Vec<Node> =
            self.cut.nodes().filter(|node| *node != ROOT).map(|node| tree.parent(node)).collect();
        parents.sort_unstable();
        parents.dedup();
        parents.sort_by(|a, b| self.gain(*a).total_cmp(&self.gain(*b)).then(a.cmp(b)));
        parents
    }
}
