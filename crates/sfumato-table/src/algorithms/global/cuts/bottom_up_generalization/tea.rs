//! The TEA index (taxonomy encoded anonymity): a trie of the published combinations, one level for
//! each column.
//!
//! A segment of a generalization is a set of siblings in the trie whose values it makes one. All
//! segments of a generalization are linked, so that applying it touches only the combinations that
//! it changes. Requirements aren't known here.

use sfumato_core::FastMap;

use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// The number of a node of the trie. The root is 0.
type Place = u32;

#[derive(Debug, Clone)]
struct TrieNode {
    /// The published value.
    value: Node,
    /// Sorted by their values.
    children: Vec<Place>,
    /// The group of a combination; only at the last level.
    group: u32,
    alive: bool,
}

/// The index.
pub struct Tea<'a> {
    trees: &'a [Taxonomy],
    nodes: Vec<TrieNode>,
    /// For each column and each node of its tree: trie nodes that have a child among the node's
    /// children. Some may be obsolete.
    links: Vec<FastMap<Node, Vec<Place>>>,
}

impl<'a> Tea<'a> {
    /// Make an index of combinations, given for each group in turn and sorted.
    pub fn new<'b>(trees: &'a [Taxonomy], groups: impl Iterator<Item = (u32, &'b [Node])>) -> Self {
        let root = TrieNode { value: 0, children: Vec::new(), group: u32::MAX, alive: true };
        let links = trees.iter().map(|_| FastMap::default()).collect();
        let mut tea = Tea { trees, nodes: vec![root], links };
        for (group, values) in groups {
            let mut at = 0;
            for (column, &value) in values.iter().enumerate() {
                at = match tea.nodes[at as usize].children.last() {
                    Some(&last) if tea.nodes[last as usize].value == value => last,
                    _ => {
                        let new = tea.nodes.len() as Place;
                        tea.nodes.push(TrieNode {
                            value,
                            children: Vec::new(),
                            group: u32::MAX,
                            alive: true,
                        });
                        tea.nodes[at as usize].children.push(new);
                        tea.link(column, value, at);
                        new
                    }
                };
            }
            tea.nodes[at as usize].group = group;
        }
        tea
    }

    fn value(&self, place: Place) -> Node {
        self.nodes[place as usize].value
    }

    /// Record that a trie node has a child with a value.
    fn link(&mut self, column: usize, value: Node, parent: Place) {
        let list = self.links[column].entry(self.trees[column].parent(value)).or_default();
        if list.last() != Some(&parent) {
            list.push(parent);
        }
    }

    /// The segments of a generalization: for each, the siblings that would be merged.
    pub fn segments(&self, column: usize, to: Node) -> Vec<Vec<Place>> {
        let mut parents = self.links[column].get(&to).cloned().unwrap_or_default();
        parents.sort_unstable();
        parents.dedup();
        let alive = parents.into_iter().filter(|&parent| self.nodes[parent as usize].alive);
        alive
            .map(|parent| self.segment(column, to, parent))
            .filter(|segment| !segment.is_empty())
            .collect()
    }

    fn segment(&self, column: usize, to: Node, parent: Place) -> Vec<Place> {
        let below = |&child: &Place| {
            self.trees[column].parent(self.value(child)) == to && self.value(child) != to
        };
        self.nodes[parent as usize].children.iter().copied().filter(below).collect()
    }

    /// Call `show` with every set of two or more groups that would become one if the subtrees of
    /// siblings were merged.
    pub fn merges(&self, siblings: &[Place], show: &mut impl FnMut(&[u32])) {
        if siblings.len() < 2 {
            return;
        }
        if self.nodes[siblings[0] as usize].group != u32::MAX {
            let groups: Vec<u32> =
                siblings.iter().map(|&place| self.nodes[place as usize].group).collect();
            show(&groups);
            return;
        }
        for run in self.alike(siblings).chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
            let places: Vec<Place> = run.iter().map(|&(_, place)| place).collect();
            self.merges(&places, show);
        }
    }

    /// The children of siblings, by value.
    fn alike(&self, siblings: &[Place]) -> Vec<(Node, Place)> {
        let children = siblings.iter().flat_map(|&place| &self.nodes[place as usize].children);
        let mut children: Vec<(Node, Place)> =
            children.map(|&child| (self.value(child), child)).collect();
        children.sort_unstable();
        children
    }

    /// Generalize: every segment becomes one node with the new value. Calls `show` with the groups
    /// that become one; the first of them stays.
    pub fn apply(&mut self, column: usize, to: Node, show: &mut impl FnMut(&[u32])) {
        let mut parents = self.links[column].remove(&to).unwrap_or_default();
        parents.sort_unstable();
        parents.dedup();
        for parent in parents {
            if !self.nodes[parent as usize].alive {
                continue;
            }
            let segment = self.segment(column, to, parent);
            let Some(&first) = segment.first() else { continue };
            self.merge(column, &segment, show);
            let mut children = std::mem::take(&mut self.nodes[parent as usize].children);
            children.retain(|&child| child == first || self.nodes[child as usize].alive);
            self.nodes[first as usize].value = to;
            children.sort_by_key(|&child| self.value(child));
            self.nodes[parent as usize].children = children;
            self.link(column, to, parent);
        }
    }

    /// Merge trie nodes of a column into the first, and merge what lies below them by value.
    fn merge(&mut self, column: usize, siblings: &[Place], show: &mut impl FnMut(&[u32])) {
        let first = siblings[0];
        if siblings.len() < 2 {
            return;
        }
        siblings[1..].iter().for_each(|&place| self.nodes[place as usize].alive = false);
        if self.nodes[first as usize].group != u32::MAX {
            let groups: Vec<u32> =
                siblings.iter().map(|&place| self.nodes[place as usize].group).collect();
            show(&groups);
            return;
        }
        let alike = self.alike(siblings);
        let mut children = Vec::new();
        for run in alike.chunk_by(|a, b| a.0 == b.0) {
            let places: Vec<Place> = run.iter().map(|&(_, place)| place).collect();
            self.merge(column + 1, &places, show);
            children.push(places[0]);
            self.link(column + 1, run[0].0, first);
        }
        self.nodes[first as usize].children = children;
        siblings[1..].iter().for_each(|&place| self.nodes[place as usize].children.clear());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_core::column::Codes;
    use sfumato_core::dataset::{Column, Domain, Hierarchy, LevelTable, Missing, Role};

    impl Tea<'_> {
        /// All combinations with their groups, in the order of the trie.
        fn combinations(&self) -> Vec<(Vec<Node>, u32)> {
            let mut found = Vec::new();
            self.walk(0, &mut Vec::new(), &mut found);
            found
        }

        fn walk(&self, at: Place, path: &mut Vec<Node>, found: &mut Vec<(Vec<Node>, u32)>) {
            let node = &self.nodes[at as usize];
            if node.group != u32::MAX {
                found.push((path.clone(), node.group));
            }
            for &child in &node.children {
                path.push(self.value(child));
                self.walk(child, path, found);
                path.pop();
            }
        }
    }

    /// A tree whose leaves are letters, some of which lie below `f`.
    fn tree(letters: &str, below_f: &str) -> (Taxonomy, Vec<Node>) {
        let row = |letter: char| {
            let middle = if below_f.contains(letter) { 'f' } else { letter };
            vec![letter.to_string(), middle.to_string(), "ANY".to_string()]
        };
        let rows: Vec<Vec<String>> = letters.chars().map(row).collect();
        let (hierarchy, codes) = Hierarchy::from_levels(&LevelTable::from_rows(&rows)).unwrap();
        let leaves = codes.iter().map(|&code| hierarchy.leaf(code)).collect();
        let column = Column {
            name: "letters".into(),
            role: Role::Quasi,
            codes: Codes::from_iter(letters.len() + 1, codes.into_iter()),
            domain: Domain::of_texts(letters.chars().map(String::from)),
            hierarchy: Some(hierarchy),
            weight: 1.0,
            missing: Missing::Value,
            missing_text: String::new(),
            native_type: None,
        };
        (Taxonomy::new(&column), leaves)
    }

    /// Example 6.8: the segments of the three generalizations, and the effect of the second.
    #[test]
    fn the_index_of_the_textbook() {
        let (letters, below) = (["cd", "bcd", "abcde"], ["cd", "cd", "cd"]);
        let (trees, leaves): (Vec<Taxonomy>, Vec<Vec<Node>>) =
            letters.iter().zip(below).map(|(letters, below)| tree(letters, below)).unzip();
        let node =
            |column: usize, letter: char| leaves[column][letters[column].find(letter).unwrap()];
        let f = |column: usize| trees[column].parent(node(column, 'c'));
        // The figure with the counts is lost but for these: 4 for the first, 2 for d.e., 3 and 4
        // for d.b.
        let counts = [
            ("cba", 4),
            ("cbc", 3),
            ("cbd", 3),
            ("cca", 3),
            ("ccb", 3),
            ("dcb", 3),
            ("dce", 2),
            ("ddb", 4),
            ("dde", 2),
        ];
        let paths: Vec<Vec<Node>> = counts
            .iter()
            .map(|(path, _)| path.chars().enumerate().map(|(i, l)| node(i, l)).collect())
            .collect();
        let sorted = |(group, path)| (group as u32, path);
        let mut tea = Tea::new(&trees, paths.iter().map(Vec::as_slice).enumerate().map(sorted));

        let named = |tea: &Tea<'_>, column: usize| -> Vec<Vec<Node>> {
            let segments = tea.segments(column, f(column));
            segments
                .iter()
                .map(|segment| segment.iter().map(|&place| tea.value(place)).collect())
                .collect()
        };
        assert_eq!(named(&tea, 0), [[node(0, 'c'), node(0, 'd')]]);
        assert_eq!(named(&tea, 1), [vec![node(1, 'c')], vec![node(1, 'c'), node(1, 'd')]]);
        assert_eq!(named(&tea, 2), [[node(2, 'c'), node(2, 'd')]]);

        let mut rows: Vec<u64> = counts.iter().map(|(_, count)| *count).collect();
        let mut foreseen = Vec::new();
        for segment in tea.segments(1, f(1)) {
            tea.merges(&segment, &mut |groups| foreseen.push(groups.to_vec()));
        }
        assert_eq!(foreseen, [[5, 7], [6, 8]]);
        tea.apply(1, f(1), &mut |groups| {
            let sum = groups.iter().map(|&group| rows[group as usize]).sum();
            rows[groups[0] as usize] = sum;
        });
        let (c1, d1, f2) = (node(0, 'c'), node(0, 'd'), f(1));
        let of = |path: [Node; 3]| {
            let combinations = tea.combinations();
            combinations
                .into_iter()
                .find(|(found, _)| *found == path)
                .map(|(_, group)| rows[group as usize])
        };
        assert_eq!(tea.combinations().len(), 7);
        assert_eq!(of([d1, f2, node(2, 'b')]), Some(7));
        assert_eq!(of([d1, f2, node(2, 'e')]), Some(4));
        assert_eq!(of([c1, f2, node(2, 'a')]), Some(3));
        assert_eq!(of([c1, f2, node(2, 'b')]), Some(3));
        assert_eq!(of([c1, node(1, 'b'), node(2, 'a')]), Some(4));
        // The new nodes are in the segments of the next generalization.
        let next: Vec<Vec<Node>> = tea
            .segments(1, trees[1].parent(f2))
            .iter()
            .map(|segment| segment.iter().map(|&place| tea.value(place)).collect())
            .collect();
        assert_eq!(next, [[f2], [f2]]);
        assert!(tea.segments(1, f2).is_empty());
    }
}
