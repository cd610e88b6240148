//! What is known about nodes that weren't examined: all nodes below a failing one fail, and all
//! nodes above one that is too expensive are.
//!
//! Small lattices have a mark per node. For large ones only the nodes that were found are stored,
//! and others are compared with them.

use super::frequencies::Node;
use sfumato_core::FastSet;

/// The largest lattice with a mark per node.
const MOST_LISTED: u128 = 1 << 24;
/// The largest number of nodes of a large lattice with which others are compared.
const MOST_HELD: usize = 4096;

const FAILS: u8 = 1;
const DEAR: u8 = 2;
const SEEN: u8 = 4;

/// What is known so far.
pub struct Known {
    n_levels: Vec<usize>,
    /// One mark per node, or empty.
    marks: Vec<u8>,
    fails: Vec<Node>,
    dear: Vec<Node>,
    seen: FastSet<Node>,
}

impl Known {
    /// Nothing is known about a lattice with these numbers of levels per column.
    pub fn new(n_levels: Vec<usize>) -> Self {
        let n = n_levels.iter().fold(1u128, |n, &levels| n.saturating_mul(levels as u128));
        let marks = if n <= MOST_LISTED { vec![0; n as usize] } else { Vec::new() };
        Known { n_levels, marks, fails: Vec::new(), dear: Vec::new(), seen: FastSet::default() }
    }

    fn place(&self, node: &[u8]) -> usize {
        self.n_levels
            .iter()
            .zip(node)
            .fold(0, |place, (&levels, &level)| place * levels + usize::from(level))
    }

    fn has(&self, node: &[u8], mark: u8) -> bool {
        self.marks[self.place(node)] & mark != 0
    }

    /// Whether every node has a mark.
    pub fn is_listed(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Mark a node as examined.
    pub fn see(&mut self, node: &[u8]) {
        if self.marks.is_empty() {
            self.seen.insert(node.to_vec());
        } else {
            let place = self.place(node);
            self.marks[place] |= SEEN;
        }
    }
    /// Whether a node was examined.
    pub fn is_seen(&self, node: &[u8]) -> bool {
        if self.marks.is_empty() { self.seen.contains(node) } else { self.has(node, SEEN) }
    }

    /// Mark a node and all below it as failing.
    pub fn fail(&mut self, node: &[u8]) {
        if !self.marks.is_empty() {
            return self.spread(node, FAILS);
        }
        self.fails.retain(|held| !is_below(held, node));
        if self.fails.len() < MOST_HELD {
            self.fails.push(node.to_vec());
        }
    }
    /// Whether a node is known to fail.
    pub fn fails(&self, node: &[u8]) -> bool {
        match self.marks.is_empty() {
            true => self.fails.iter().any(|held| is_below(node, held)),
            false => self.has(node, FAILS),
        }
    }

    /// Mark a node and all above it as too expensive.
    pub fn dismiss(&mut self, node: &[u8]) {
        if !self.marks.is_empty() {
            return self.spread(node, DEAR);
        }
        self.dear.retain(|held| !is_below(node, held));
        if self.dear.len() < MOST_HELD {
            self.dear.push(node.to_vec());
        }
    }
    /// Whether a node is known to be too expensive.
    pub fn is_dear(&self, node: &[u8]) -> bool {
        match self.marks.is_empty() {
            true => self.dear.iter().any(|held| is_below(held, node)),
            false => self.has(node, DEAR),
        }
    }

    /// Mark a node and all below it (or above it, if too expensive) that aren't marked yet.
    fn spread(&mut self, node: &[u8], mark: u8) {
        let mut waiting = vec![node.to_vec()];
        while let Some(node) = waiting.pop() {
            let place = self.place(&node);
            if self.marks[place] & mark != 0 {
                continue;
            }
            self.marks[place] |= mark;
            for column in 0..node.len() {
                let next = match mark {
                    FAILS => node[column].checked_sub(1),
                    _ => Some(node[column] + 1)
                        .filter(|&level| usize::from(level) < self.n_levels[column]),
                };
                if let Some(level) = next {
                    let mut next = node.clone();
                    next[column] = level;
                    waiting.push(next);
                }
            }
        }
    }
}

/// Whether a node is below another or the same.
fn is_below(a: &[u8], b: &[u8]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}
