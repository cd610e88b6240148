//! Labels of nodes: one for each, of a few.

use sfumato_core::FastMap;

/// The label of each node.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// The different labels, ascending.
    pub names: Vec<String>,
    /// Which of them each node has.
    pub of: Vec<u32>,
}

impl Labels {
    /// The labels of nodes, in their order. A node without one has the empty label.
    pub fn new(texts: &[String]) -> Labels {
        let mut names: Vec<String> = texts.to_vec();
        names.sort_unstable();
        names.dedup();
        let codes: FastMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
        let of = texts.iter().map(|text| codes[text.as_str()]).collect();
        drop(codes);
        Labels { of, names }
    }

    /// The label of a node.
    pub fn get(&self, node: u32) -> &str {
        &self.names[self.of[node as usize] as usize]
    }

    /// The labels of nodes with other numbers: node i becomes `id[i]`.
    pub fn renumbered(&self, id: &[u32]) -> Labels {
        let mut of = vec![0; self.of.len()];
        self.of.iter().zip(id).for_each(|(label, id)| of[*id as usize] = *label);
        Labels { names: self.names.clone(), of }
    }
}
