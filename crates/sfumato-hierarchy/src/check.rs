//! Looks for what a table of levels may contain but rarely should.

use std::fmt;

use sfumato_core::FastMap;
use sfumato_core::dataset::{Hierarchy, LevelTable, NodeId};

use crate::shorten;

/// Something about a hierarchy that its author may want to know. Only [`Finding::Unusable`] makes
/// it unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The table isn't a hierarchy at all.
    Unusable(String),
    /// The last level has several labels. A root is added above it.
    TopNotSingle {
        /// How many labels the last level has.
        labels: usize,
    },
    /// A label occurs at several levels, so that a reader of the release can't tell which one is
    /// meant.
    RepeatedLabel {
        /// The label.
        label: String,
        /// The levels, ascending.
        levels: Vec<usize>,
    },
    /// A label occurs under several parents at one level, so that the release shows different nodes
    /// alike.
    SeveralParents {
        /// The label.
        label: String,
        /// The level of the label.
        level: usize,
        /// The number of parents.
        parents: usize,
    },
    /// Nodes of a level have a single child: generalizing to them gains nothing.
    SingleChild {
        /// The level of the nodes.
        level: usize,
        /// How many nodes have a single child.
        nodes: usize,
        /// How many nodes the level has.
        of: usize,
        /// The label of the first such node.
        first: String,
    },
    /// One node of a level has far more values below it than the others.
    Unbalanced {
        /// The level of the node.
        level: usize,
        /// The label of the largest node.
        label: String,
        /// How many values lie below the largest node.
        leaves: u32,
        /// How many values lie below the median node of the level.
        median: u32,
    },
}

/// A node is unbalanced if it has more than this many times the values of the median node.
const UNBALANCED: u64 = 10;

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = |label: &str| format!("'{}'", shorten(label, 40));
        match self {
            Finding::Unusable(message) => write!(f, "{message}"),
            Finding::TopNotSingle { labels } => {
                write!(f, "the last level has {labels} labels; a root '*' is added above it")
            }
            Finding::RepeatedLabel { label, levels } => {
                let levels: Vec<String> = levels.iter().map(usize::to_string).collect();
                write!(f, "the label {} stands at the levels {}", quote(label), levels.join(", "))
            }
            Finding::SeveralParents { label, level, parents } => {
                write!(
                    f,
                    "level {level}: the label {} stands under {parents} parents",
                    quote(label)
                )
            }
            Finding::SingleChild { level, nodes, of, first } => {
                write!(
                    f,
                    "level {level}: {nodes} of {of} nodes have a single child, the first is {}",
                    quote(first)
                )
            }
            Finding::Unbalanced { level, label, leaves, median } => write!(
                f,
                "level {level}: {leaves} values lie below {}, {median} below the median node",
                quote(label)
            ),
        }
    }
}

/// All findings: first those about the whole table, then by label and by level.
pub fn check(table: &LevelTable) -> Vec<Finding> {
    let tree = match Hierarchy::from_levels(table) {
        Ok((tree, _)) => tree,
        Err(error) => return vec![Finding::Unusable(error.to_string())],
    };
    let mut findings = Vec::new();
    if tree.n_levels() > table.levels.len() {
        let labels = tree.children(Hierarchy::ROOT).len();
        findings.push(Finding::TopNotSingle { labels });
    }
    labels(&tree, &mut findings);
    for level in 1..tree.n_levels() {
        shape(&tree, level, &mut findings);
    }
    findings
}

fn labels(tree: &Hierarchy, findings: &mut Vec<Finding>) {
    // By label, how many nodes there are at each level: two nodes of one level and label have two
    // parents.
    let mut nodes: FastMap<&str, Vec<(usize, usize)>> = FastMap::default();
    for node in (0..tree.n_nodes() as NodeId).rev() {
        let places = nodes.entry(tree.label(node)).or_default();
        let level = tree.level(node);
        match places.last_mut() {
            Some((same, count)) if *same == level => *count += 1,
            _ => places.push((level, 1)),
        }
    }
    let mut nodes: Vec<_> = nodes.into_iter().collect();
    nodes.sort_unstable();
    for (label, places) in nodes {
        if places.len() > 1 {
            let levels = places.iter().map(|(level, _)| *level).collect();
            findings.push(Finding::RepeatedLabel { label: label.to_string(), levels });
        }
        for (level, parents) in places {
            if parents > 1 {
                findings.push(Finding::SeveralParents { label: label.to_string(), level, parents });
            }
        }
    }
}

fn shape(tree: &Hierarchy, level: usize, findings: &mut Vec<Finding>) {
    let nodes: Vec<NodeId> =
        (0..tree.n_nodes() as NodeId).filter(|node| tree.level(*node) == level).collect();
    let single: Vec<NodeId> =
        nodes.iter().copied().filter(|node| tree.children(*node).len() == 1).collect();
    if let Some(first) = single.first() {
        let first = tree.label(*first).to_string();
        findings.push(Finding::SingleChild { level, nodes: single.len(), of: nodes.len(), first });
    }
    let mut sizes: Vec<u32> = nodes.iter().map(|node| tree.leaves(*node)).collect();
    sizes.sort_unstable();
    let median = sizes[(sizes.len() - 1) / 2];
    let largest =
        nodes.iter().copied().max_by_key(|node| (tree.leaves(*node), std::cmp::Reverse(*node)));
    if let Some(largest) = largest
        && u64::from(tree.leaves(largest)) > UNBALANCED * u64::from(median)
    {
        let (label, leaves) = (tree.label(largest).to_string(), tree.leaves(largest));
        findings.push(Finding::Unbalanced { level, label, leaves, median });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &[String]) -> Vec<String> {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split(';').collect()).collect();
        check(&LevelTable::from_rows(&rows)).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_plain_hierarchy_has_no_findings() {
        assert!(found(&["a;X;*", "b;X;*", "c;Y;*", "d;Y;*"].map(String::from)).is_empty());
    }

    #[test]
    fn names_what_is_odd() {
        let rows =
            ["a;X;P", "b;X;P", "c;X;Q", "d;Y;Q", "e;e;R", "g;Z;R", "h;Z;R"].map(String::from);
        assert_eq!(
            found(&rows),
            [
                "the last level has 3 labels; a root '*' is added above it",
                "level 1: the label 'X' stands under 2 parents",
                "the label 'e' stands at the levels 0, 1",
                "level 1: 3 of 5 nodes have a single child, the first is 'X'",
                "level 2: 1 of 3 nodes have a single child, the first is 'P'",
            ]
        );
    }

    #[test]
    fn a_node_that_holds_nearly_all_is_unbalanced() {
        let mut rows: Vec<String> = (0..30).map(|i| format!("v{i};big;*")).collect();
        rows.extend(["a;s;*", "b;s;*", "c;t;*", "d;t;*"].map(String::from));
        assert_eq!(found(&rows), ["level 1: 30 values lie below 'big', 2 below the median node"]);
    }

    #[test]
    fn an_unusable_table_says_why() {
        assert_eq!(check(&LevelTable::default())[0].to_string(), "the hierarchy has no values");
        let rows = ["a;*", "a;*"].map(String::from);
        assert_eq!(found(&rows), ["line 2: the hierarchy lists a value twice"]);
    }
}
