//! Writes the leaves of a tree to partitions, a limited number at once: if there are more, in
//! several levels.

use sfumato_core::Result;
use sfumato_core::observer::{Observer, Unit};
use sfumato_io::spill::{Divide, Tuples};

use super::scan::advance;
use super::split_tree::SplitTree;
use super::work::Work;

/// Makes partitions of the leaves of trees.
pub struct Divider<'a> {
    /// Writes the partitions.
    pub divide: &'a dyn Divide,
    /// How many partitions are made at once, at least two.
    pub max_parts: usize,
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
}

impl Divider<'_> {
    /// The leaves of a tree, depth first, with their tuples.
    pub fn leaves(
        &self,
        mut tree: SplitTree,
        tuples: &dyn Tuples,
        work: &mut Work,
    ) -> Result<Vec<(usize, Box<dyn Tuples>)>> {
        let mut leaves = Vec::new();
        // Depth first: the tuples of few inner nodes wait at a time.
        let mut stack: Vec<(usize, Box<dyn Tuples>)> = self.level(&mut tree, 0, tuples, work)?;
        stack.reverse();
        while let Some((node, tuples)) = stack.pop() {
            if tree.children(node).is_empty() {
                leaves.push((node, tuples));
                continue;
            }
            let mut parts = self.level(&mut tree, node, tuples.as_ref(), work)?;
            parts.reverse();
            stack.extend(parts);
        }
        Ok(leaves)
    }

    /// The tuples of a node as one partition.
    pub fn copy(&self, tuples: &dyn Tuples, work: &mut Work) -> Result<Box<dyn Tuples>> {
        let mut parts = self.write(&SplitTree::new(), 0, &[(0, vec![0])], tuples, work)?;
        parts
            .pop()
            .ok_or_else(|| sfumato_core::Error::internal("a partition was written and isn't there"))
    }

    /// Divide the tuples of a node among nodes below it.
    fn level(
        &self,
        tree: &mut SplitTree,
        node: usize,
        tuples: &dyn Tuples,
        work: &mut Work,
    ) -> Result<Vec<(usize, Box<dyn Tuples>)>> {
        let most = self.max_parts.max(2);
        let nodes = if tree.children(node).len() > most {
            chunks(tree, node, most)
        } else {
            below(tree, node, most)
        };
        let parts = self.write(tree, node, &nodes, tuples, work)?;
        Ok(nodes.into_iter().map(|(node, _)| node).zip(parts).collect())
    }

    fn write(
        &self,
        tree: &SplitTree,
        start: usize,
        nodes: &[Target],
        tuples: &dyn Tuples,
        work: &mut Work,
    ) -> Result<Vec<Box<dyn Tuples>>> {
        let mut stops = vec![None; tree.len()];
        for (i, (_, met)) in nodes.iter().enumerate() {
            met.iter().for_each(|node| stops[*node] = Some(i as u32));
        }
        let mut router = tree.router(start, stops);
        self.observer.begin("divide", tuples.n_rows(), Unit::Rows);
        work.repartitions += 1;
        work.scans += 1;
        work.rows_read += tuples.n_rows();
        work.rows_written += tuples.n_rows();
        let parts = self.divide.divide(tuples, nodes.len(), &mut |batch, to| {
            router.route(batch, to);
            advance(self.observer, batch)
        });
        self.observer.end();
        parts
    }
}

/// A node, and the nodes at which its tuples arrive.
type Target = (usize, Vec<usize>);

/// Nodes below a node, as many as possible up to a limit, that together have all of its tuples.
fn below(tree: &SplitTree, node: usize, most: usize) -> Vec<Target> {
    let mut nodes = tree.children(node).to_vec();
    // Level by level, so that one more division is as small as can be.
    let mut grew = true;
    while grew {
        grew = false;
        let mut i = 0;
        while i < nodes.len() {
            let children = tree.children(nodes[i]);
            if !children.is_empty() && nodes.len() - 1 + children.len() <= most {
                let n = children.len();
                nodes.splice(i..=i, children.iter().copied());
                grew = true;
                i += n;
            } else {
                i += 1;
            }
        }
    }
    nodes.into_iter().map(|node| (node, vec![node])).collect()
}

/// The parts of a node with too many of them, combined into chunks. The part that stays is alone,
/// so that all lent records find their place.
fn chunks(tree: &mut SplitTree, node: usize, most: usize) -> Vec<Target> {
    let children = tree.children(node).to_vec();
    let kept = tree.fork(node).is_some_and(|fork| fork.kept);
    let (n_intervals, n_chunks) = (children.len() - usize::from(kept), most - usize::from(kept));
    let mut nodes = Vec::with_capacity(most);
    for chunk in 0..n_chunks {
        let parts = chunk * n_intervals / n_chunks..(chunk + 1) * n_intervals / n_chunks;
        match parts.len() {
            0 => {}
            1 => nodes.push((children[parts.start], vec![children[parts.start]])),
            _ => nodes.push((tree.only(node, parts.clone()), children[parts].to_vec())),
        }
    }
    nodes.extend(children.last().filter(|_| kept).map(|kept| (*kept, vec![*kept])));
    nodes
}
