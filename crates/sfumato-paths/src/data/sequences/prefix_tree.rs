//! A tree of sequences in which those with the same beginning share it (the MVS-tree and the
//! MFS-tree of Fung et al.). It says how many of its sequences have a step, and forgets all that
//! have one.

use sfumato_core::FastMap;

/// Nothing stands above the root.
const NONE: u32 = u32::MAX;

struct Node {
    step: u32,
    parent: u32,
    /// How many sequences go through here.
    count: u64,
    /// Whether a node above has the same step: its sequences have the step already.
    is_again: bool,
    children: Vec<u32>,
}

/// A tree of sequences.
pub struct PrefixTree {
    nodes: Vec<Node>,
    /// The nodes of each step (the links of the header table).
    links: Vec<Vec<u32>>,
    /// How many sequences have each step.
    having: Vec<u64>,
}

impl PrefixTree {
    /// The tree of some sequences over so many different steps.
    pub fn of<'a>(n_codes: usize, sequences: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let root =
            Node { step: NONE, parent: NONE, count: 0, is_again: false, children: Vec::new() };
        let mut tree = PrefixTree {
            nodes: vec![root],
            links: vec![Vec::new(); n_codes],
            having: vec![0; n_codes],
        };
        let mut child_of: FastMap<(u32, u32), u32> = FastMap::default();
        for sequence in sequences {
            tree.nodes[0].count += 1;
            let mut at = 0u32;
            for (place, step) in sequence.iter().enumerate() {
                let known = child_of.get(&(at, *step)).copied();
                at = known.unwrap_or_else(|| {
                    let node = tree.nodes.len() as u32;
                    let is_again = sequence[..place].contains(step);
                    tree.nodes.push(Node {
                        step: *step,
                        parent: at,
                        count: 0,
                        is_again,
                        children: Vec::new(),
                    });
                    tree.nodes[at as usize].children.push(node);
                    tree.links[*step as usize].push(node);
                    child_of.insert((at, *step), node);
                    node
                });
                let node = &mut tree.nodes[at as usize];
                node.count += 1;
                tree.having[*step as usize] += u64::from(!node.is_again);
            }
        }
        tree
    }

    /// The number of sequences that are left.
    pub fn len(&self) -> u64 {
        self.nodes[0].count
    }
    /// Whether no sequence is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// How many of the sequences that are left have a step.
    pub fn having(&self, step: u32) -> u64 {
        self.having[step as usize]
    }

    /// Forget all sequences that have a step. Returns the steps of which fewer have one now,
    /// ascending.
    pub fn forget(&mut self, step: u32) -> Vec<u32> {
        let mut touched = Vec::new();
        for node in std::mem::take(&mut self.links[step as usize]) {
            let gone = self.nodes[node as usize].count;
            if gone == 0 {
                continue;
            }
            // Those above lose what goes through here.
            let mut above = self.nodes[node as usize].parent;
            while above != NONE {
                let Node { step, parent, is_again, .. } = self.nodes[above as usize];
                self.nodes[above as usize].count -= gone;
                if step != NONE && !is_again {
                    self.having[step as usize] -= gone;
                    touched.push(step);
                }
                above = parent;
            }
            // Those below lose everything.
            let mut below = vec![node];
            while let Some(node) = below.pop() {
                let gone = std::mem::take(&mut self.nodes[node as usize].count);
                let Node { step, is_again, .. } = self.nodes[node as usize];
                if !is_again {
                    self.having[step as usize] -= gone;
                    touched.push(step);
                }
                below.extend(std::mem::take(&mut self.nodes[node as usize].children));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }
}
