//! The item hierarchy of a job: a tree whose leaves are items. What a node means is the set of
//! items below it.
//!
//! A node with a single child means the same as that child, so that it isn't kept: its child takes
//! its place. Every other node must have a label of its own, because a recipient sees only labels.

use crate::data::{ItemRole, Items};
use sfumato_core::dataset::{Domain, Hierarchy, LevelTable};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::BuildInput;
use sfumato_core::transactions::{Builder as SetsBuilder, Transactions};
use sfumato_core::{Error, FastMap, Result, column::Code as _, with_sets};
use sfumato_hierarchy::Unknown;
use sfumato_io::read_text;

use sfumato_engine::paths::resolve;

/// The number of a node. The root is 0, and children have larger numbers than their parents.
pub type Node = u32;

/// The root of every tree.
pub const ROOT: Node = 0;

/// The word for a tree whose groups are made from how often items occur.
pub const AUTO: &str = "auto";
/// How many nodes of such a tree make one of the next level.
const FAN_OUT: usize = 5;

/// A tree over items.
#[derive(Debug, Clone)]
pub struct ItemTree {
    parent: Vec<Node>,
    /// The children of a node: none for a leaf, or at least two.
    children: Vec<Vec<Node>>,
    /// The number of leaves below a node, itself included.
    leaves: Vec<u32>,
    labels: Vec<String>,
    /// The leaf of each item. `None` for items that aren't generalized.
    of_item: Vec<Option<Node>>,
}

impl ItemTree {
    /// The tree that a job names, over the quasi items: a file, or how it is built from the items.
    pub fn read(how: &str, base: &std::path::Path, items: &Items, counts: &[u64]) -> Result<Self> {
        let quasi: Vec<usize> =
            (0..items.len()).filter(|item| items.roles[*item] == ItemRole::Quasi).collect();
        let domain = Domain::of_texts(quasi.iter().map(|item| &items.names[*item]));
        let counts: Vec<u64> = quasi.iter().map(|item| counts[*item]).collect();
        let (table, unknown) = match how {
            AUTO => (by_frequency(&domain, &counts), Unknown::Refuse),
            _ => {
                let call = call_of(how);
                let builder = sfumato_hierarchy::find(&call.name)?;
                let params = Params::check(builder.info(), &call.args)?;
                let read = |path: &str| read_text(&resolve(base, path));
                let input = BuildInput { domain: &domain, counts: &counts, read_text: &read };
                (builder.build(&params, &input)?, sfumato_hierarchy::unknown(&params))
            }
        };
        let attached = sfumato_hierarchy::attach(&table, &domain, &counts, "items", how, unknown)?;
        let mut of_item = vec![None; items.len()];
        quasi.iter().zip(&attached.code_of).for_each(|(item, code)| of_item[*item] = Some(*code));
        let tree = ItemTree::of(&attached.hierarchy, of_item);
        tree.check_labels(items).map_err(|error| error.in_file(how))?;
        Ok(tree)
    }

    /// The tree of a file, for whoever has no records of items beside it.
    pub fn alone(how: &str, base: &std::path::Path) -> Result<Self> {
        let call = call_of(how);
        if call.name != "file" && call.name != "tree" {
            return Err(Error::params(format!(
                "an item hierarchy that {} builds needs the original items",
                call.name
            ))
            .hint("name a file of the hierarchy, or the original"));
        }
        let builder = sfumato_hierarchy::find(&call.name)?;
        let params = Params::check(builder.info(), &call.args)?;
        let read = |path: &str| read_text(&resolve(base, path));
        let domain = Domain::of_texts(std::iter::empty::<&str>());
        let input = BuildInput { domain: &domain, counts: &[], read_text: &read };
        let (hierarchy, _) = Hierarchy::from_levels(&builder.build(&params, &input)?)?;
        let tree = ItemTree::of(&hierarchy, Vec::new());
        tree.check_labels(&Items::default()).map_err(|error| error.in_file(how))?;
        Ok(tree)
    }

    /// The nodes of a hierarchy that differ in what they mean, and the leaf of each item by its
    /// code.
    pub fn of(hierarchy: &Hierarchy, of_item: Vec<Option<u32>>) -> Self {
        let mut tree = ItemTree {
            parent: Vec::new(),
            children: Vec::new(),
            leaves: Vec::new(),
            labels: Vec::new(),
            of_item: Vec::new(),
        };
        let mut leaf_of_code = vec![ROOT; hierarchy.n_leaves()];
        // Nodes that are still to be added, with their parents.
        let mut open = vec![(0, ROOT)];
        while let Some((mut node, parent)) = open.pop() {
            while hierarchy.children(node).len() == 1 {
                node = hierarchy.children(node).start;
            }
            let id = tree.parent.len() as Node;
            tree.parent.push(parent);
            tree.children.push(Vec::new());
            tree.leaves.push(hierarchy.leaves(node));
            tree.labels.push(hierarchy.label(node).to_string());
            if id != ROOT {
                tree.children[parent as usize].push(id);
            }
            if hierarchy.children(node).is_empty() {
                leaf_of_code[hierarchy.lo(node) as usize] = id;
            }
            open.extend(hierarchy.children(node).rev().map(|child| (child, id)));
        }
        let leaf = |code: Option<u32>| code.map(|code| leaf_of_code[code as usize]);
        tree.of_item = of_item.into_iter().map(leaf).collect();
        tree
    }

    /// Refuse labels that a recipient couldn't tell apart.
    fn check_labels(&self, items: &Items) -> Result<()> {
        let mut seen: FastMap<&str, ()> = FastMap::default();
        let sensitive = items.names.iter().zip(&items.roles);
        let sensitive = sensitive.filter(|(_, role)| **role == ItemRole::Sensitive);
        let all = sensitive.map(|(name, _)| name).chain(&self.labels);
        for label in all {
            if seen.insert(label, ()).is_some() {
                return Err(Error::input(
                    "the item hierarchy has two nodes with the same label, which a recipient \
                     couldn't tell apart",
                )
                .hint("give each group of items a name of its own"));
            }
        }
        Ok(())
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.parent.len()
    }
    /// The number of leaves: those that no record has as well.
    pub fn n_leaves(&self) -> u32 {
        self.leaves[ROOT as usize]
    }
    /// The node above another; the root is above itself.
    pub fn parent(&self, node: Node) -> Node {
        self.parent[node as usize]
    }
    /// The nodes below another: none below a leaf.
    pub fn children(&self, node: Node) -> &[Node] {
        &self.children[node as usize]
    }
    /// The number of leaves that a node stands for.
    pub fn leaves(&self, node: Node) -> u32 {
        self.leaves[node as usize]
    }
    /// The labels of all nodes.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }
    /// The leaf of an item. `None` if the item isn't generalized.
    pub fn leaf(&self, item: u32) -> Option<Node> {
        self.of_item[item as usize]
    }
    /// Whether a node is another or above it.
    pub fn covers(&self, above: Node, below: Node) -> bool {
        // Children have larger numbers, so that the way up ends at or below the number sought.
        let mut node = below;
        while node > above {
            node = self.parent(node);
        }
        node == above
    }
    /// What publishing a node instead of an item loses: nothing for a leaf, else the share of all
    /// leaves that it stands for (normalized certainty penalty).
    pub fn ncp(&self, node: Node) -> f64 {
        match self.leaves(node) {
            1 => 0.0,
            n => f64::from(n) / f64::from(self.n_leaves()),
        }
    }

    /// The tree as a table, without some leaves: what a file of it says.
    pub fn to_levels(&self, without: &[Node]) -> LevelTable {
        let is_leaf = |node: &Node| self.children(*node).is_empty() && !without.contains(node);
        let path = |leaf: Node| {
            let above = |node: &Node| (*node != ROOT).then(|| self.parent(*node));
            std::iter::successors(Some(leaf), above).collect::<Vec<Node>>()
        };
        let paths: Vec<Vec<Node>> = (0..self.n_nodes() as Node).filter(is_leaf).map(path).collect();
        let depth = paths.iter().map(Vec::len).max().unwrap_or(0);
        // A leaf that is higher up than others is repeated below.
        let row = |path: &Vec<Node>| -> Vec<&str> {
            let label = |level: usize| {
                let node = path[(level + path.len()).saturating_sub(depth)];
                &self.labels[node as usize][..]
            };
            (0..depth).map(label).collect()
        };
        LevelTable::from_rows(&paths.iter().map(row).collect::<Vec<_>>())
    }

    /// Records of items as records of leaves.
    pub fn leaves_of(&self, sets: &Transactions) -> Result<Transactions> {
        let mut builder = SetsBuilder::new(self.n_nodes());
        let mut nodes: Vec<Node> = Vec::new();
        with_sets!(sets, sets => for set in sets.iter() {
            nodes.clear();
            for code in set {
                let leaf = self.leaf(code.widen());
                nodes.push(leaf.ok_or_else(|| Error::internal("an item isn't in its tree"))?);
            }
            nodes.sort_unstable();
            builder.push(&nodes);
        });
        Ok(builder.finish())
    }
}

/// Groups of items that occur about equally often, the rarest together: what is rare is then
/// generalized without what is frequent.
fn by_frequency(domain: &Domain, counts: &[u64]) -> LevelTable {
    let names: Vec<String> = domain.labels().map(|label| label.into_owned()).collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|item| counts[*item]);
    let mut rows: Vec<Vec<String>> = order.iter().map(|item| vec![names[*item].clone()]).collect();
    let mut size = FAN_OUT;
    for level in 1.. {
        let is_root = size >= rows.len();
        let group = |place: usize| match is_root {
            true => sfumato_core::dataset::ROOT_LABEL.to_string(),
            false => format!("group-{level}-{}", place / size + 1),
        };
        rows.iter_mut().enumerate().for_each(|(place, row)| row.push(group(place)));
        if is_root {
            break;
        }
        size = size.saturating_mul(FAN_OUT);
    }
    LevelTable::from_rows(&rows)
}

/// How a tree is made, as it is written in a job: a call of a builder, or else the path of a file.
fn call_of(how: &str) -> Call {
    let is_builder = |call: &Call| sfumato_hierarchy::find(&call.name).is_ok();
    match how.parse::<Call>() {
        Ok(call) if is_builder(&call) => call,
        _ => {
            let path = sfumato_core::registry::Argument::Word(how.to_string());
            Call { name: "file".into(), args: [("path".to_string(), path)].into() }
        }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use sfumato_core::dataset::LevelTable;

    use super::*;

    /// A tree from rows of labels, from an item to the root; items have the codes of their rows.
    pub fn tree(rows: &[&str]) -> ItemTree {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split(' ').collect()).collect();
        let (hierarchy, codes) = Hierarchy::from_levels(&LevelTable::from_rows(&rows)).unwrap();
        ItemTree::of(&hierarchy, codes.into_iter().map(Some).collect())
    }

    /// The tree of the book's examples: ALL above A with a1 and a2, and B with b1 and b2.
    pub fn book() -> ItemTree {
        tree(&["a1 A ALL", "a2 A ALL", "b1 B ALL", "b2 B ALL"])
    }
}

#[cfg(test)]
mod tests {
    use super::testing::*;
    use super::*;

    #[test]
    fn nodes_are_those_that_differ_in_meaning() {
        let tree = tree(&["a A X *", "b A X *", "c C X *", "d D Y *"]);
        // C means c, and so do D and Y mean d.
        let mut labels = tree.labels().to_vec();
        labels.sort_unstable();
        assert_eq!(labels, ["*", "A", "X", "a", "b", "c", "d"]);
        let node = |label: &str| tree.labels().iter().position(|l| l == label).unwrap() as Node;
        assert_eq!((tree.leaf(2), tree.parent(node("c"))), (Some(node("c")), node("X")));
        assert_eq!((tree.parent(node("d")), tree.parent(ROOT)), (ROOT, ROOT));
        assert_eq!((tree.leaves(node("X")), tree.n_leaves()), (3, 4));
        assert_eq!((tree.ncp(node("d")), tree.ncp(node("A")), tree.ncp(ROOT)), (0.0, 0.5, 1.0));
        assert!(tree.covers(node("X"), node("b")) && tree.covers(ROOT, ROOT));
        assert!(!tree.covers(node("A"), node("c")) && !tree.covers(node("b"), node("A")));
        assert!((1..tree.n_nodes() as Node).all(|node| tree.parent(node) < node));
    }

    #[test]
    fn what_is_saved_is_the_same_tree() {
        let tree = tree(&["a A X *", "b A X *", "c C X *", "d D Y *"]);
        let text = sfumato_hierarchy::to_csv(&tree.to_levels(&[]), ';');
        assert_eq!(text, "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\n");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("t.csv"), text).unwrap();
        let again = ItemTree::alone("t.csv", folder.path()).unwrap();
        assert_eq!((again.labels(), again.n_leaves()), (tree.labels(), 4));
        let c = tree.leaf(2).unwrap();
        assert_eq!(tree.to_levels(&[c]).n_leaves(), 3);
    }

    #[test]
    fn groups_are_made_of_items_that_are_equally_frequent() {
        let names: Vec<String> = (0..12).map(|item| format!("i{item}")).collect();
        let counts: Vec<u64> = (0..12).map(|item| 100 - item).collect();
        let items = Items::named(names);
        let tree = ItemTree::read(AUTO, std::path::Path::new("."), &items, &counts).unwrap();
        // The rarest are the last five, and the two most frequent are left for the last group.
        let above = |item: u32| &tree.labels()[tree.parent(tree.leaf(item).unwrap()) as usize][..];
        let expected = ["group-1-3", "group-1-2", "group-1-1", "group-1-1"];
        assert_eq!([0, 2, 7, 11].map(above), expected);
        assert_eq!((tree.n_leaves(), &tree.labels()[0][..]), (12, "*"));
        let few = Items::named(vec!["a".into(), "b".into()]);
        let tree = ItemTree::read(AUTO, std::path::Path::new("."), &few, &[1, 1]).unwrap();
        assert_eq!(tree.n_nodes(), 3);
    }

    #[test]
    fn a_file_or_a_builder_makes_the_tree() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join("t.csv"), text).unwrap();
        let items = Items::named(["1", "2", "3"].map(String::from).to_vec());
        let read = |how: &str| ItemTree::read(how, folder.path(), &items, &[1, 1, 1]);
        write("1;1,2;*\n2;1,2;*\n3;3;*\n4;4;*\n");
        assert_eq!(read("t.csv").unwrap().n_leaves(), 4);
        assert_eq!(read("order(groups=[2])").unwrap().labels()[1], "[1..2]");
        write("1;A;*\n2;A;*\n3;B;*\n");
        std::fs::rename(folder.path().join("t.csv"), folder.path().join("t2.csv")).unwrap();
        // Items that the file lacks, and labels that mean two things.
        write("1;A;*\n2;A;*\n");
        assert!(read("t.csv").is_err());
        assert!(read("file(path=t.csv, default=A)").is_ok());
        write("1;A;X;*\n2;A;X;*\n3;A;Y;*\n4;A;Y;*\n");
        assert!(read("t.csv").unwrap_err().message.contains("two nodes with the same label"));
        assert!(read("nowhere.csv").is_err());
        assert!(ItemTree::alone("order", folder.path()).is_err());
        assert_eq!(ItemTree::alone("file(path=t2.csv)", folder.path()).unwrap().n_leaves(), 3);
    }
}
