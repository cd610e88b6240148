//! Grows the top of the partition tree until partitions fit into memory: breadth first while the
//! frequency groups of all open nodes fit. Otherwise the tuples are divided, and each open node
//! continues with its own.

use rayon::prelude::*;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::spill::{Divide, Tuples};

use super::above::{Above, Partition, Words};
use super::decide::{Decision, Step};
use super::divide::Divider;
use super::facts::Facts;
use super::node::Node;
use super::rules::Rules;
use super::scan::{Group, Pass};
use super::split_tree::SplitTree;
use super::work::Work;
use super::{Limits, Outline};

/// The state of a leaf.
enum Leaf {
    /// It may have to be split.
    Open(Node),
    /// It fits in memory.
    Small(Above),
    /// Its records are suppressed.
    Suppressed(Above),
    /// It is one class, however large.
    Class(Above, Vec<Words>),
}

/// Tuples of a node: the input, or a partition of it.
enum Held<'a> {
    Input(&'a dyn Tuples),
    Own(Box<dyn Tuples>),
}

impl Held<'_> {
    fn tuples(&self) -> &dyn Tuples {
        match self {
            Held::Input(tuples) => *tuples,
            Held::Own(tuples) => tuples.as_ref(),
        }
    }
}

/// Divide tuples as Mondrian would, until every partition fits into memory. Partitions are in the
/// order of the tree's leaves.
pub fn tree(
    outline: &Outline<'_>,
    limits: &Limits,
    root: &dyn Tuples,
    divide: &dyn Divide,
) -> Result<(Vec<Partition>, Work)> {
    let limits = match outline.params.optional_integer("groups") {
        Some(groups) => {
            let asked = groups.unsigned_abs().saturating_mul(group_bytes(outline)?);
            Limits { group_bytes: limits.group_bytes.min(asked), ..*limits }
        }
        None => *limits,
    };
    tree_below(outline, &limits, root, divide, Above::root(outline))
}

/// The bytes that the frequency group of all records takes at most.
pub fn group_bytes(outline: &Outline<'_>) -> Result<u64> {
    let rules = Rules::new(outline)?;
    let rows = outline.whole.rows;
    let most_words = vec![rows; rules.quasi.len()];
    let rows = usize::try_from(rows)
        .map_err(|_| Error::resources("there are too many records to count"))?;
    Ok(Group::bytes(&rules, &Node { rows, above: Above::root(outline), most_words }))
}

/// Divide a part of the tuples, which inherits state from above.
pub(super) fn tree_below(
    outline: &Outline<'_>,
    limits: &Limits,
    root: &dyn Tuples,
    divide: &dyn Divide,
    above: Above,
) -> Result<(Vec<Partition>, Work)> {
    let rules = Rules::new(outline)?;
    let mut growth = Growth {
        rules: &rules,
        limits,
        divider: Divider { divide, max_parts: limits.max_parts, observer: outline.observer },
        work: Work { input_rows: root.n_rows(), ..Work::default() },
    };
    let rows = usize::try_from(root.n_rows()).ok().filter(|rows| *rows < u32::MAX as usize);
    let rows =
        rows.ok_or_else(|| Error::unsupported("rothko-tree takes at most 4,294,967,294 records"))?;
    let node = Node { rows, above, most_words: vec![rows as u64; rules.quasi.len()] };
    let mut partitions = Vec::new();
    let mut waiting = vec![(growth.leaf(node, true), Held::Input(root))];
    while let Some((leaf, held)) = waiting.pop() {
        let (above, published, whole_class) = match leaf {
            Leaf::Open(node) => {
                let mut parts = growth.divide(node, held)?;
                parts.reverse();
                waiting.append(&mut parts);
                continue;
            }
            Leaf::Small(above) => (above, true, None),
            Leaf::Suppressed(above) => (above, false, None),
            Leaf::Class(above, cells) => (above, true, Some(cells)),
        };
        let tuples = match held {
            Held::Own(tuples) => tuples,
            Held::Input(tuples) => growth.divider.copy(tuples, &mut growth.work)?,
        };
        partitions.push(Partition { tuples, above, published, whole_class });
    }
    Ok((partitions, growth.work))
}

/// The state of a run.
struct Growth<'a> {
    rules: &'a Rules<'a>,
    limits: &'a Limits,
    divider: Divider<'a>,
    work: Work,
}

impl Growth<'_> {
    fn leaf(&self, node: Node, holds: bool) -> Leaf {
        match (holds, node.rows as u64 <= self.limits.partition_rows) {
            (false, _) => Leaf::Suppressed(node.above),
            (true, true) => Leaf::Small(node.above),
            (true, false) => Leaf::Open(node),
        }
    }

    /// Grow the tree of a node as far as one set of tuples suffices, then divide them among its
    /// leaves.
    fn divide<'h>(&mut self, node: Node, held: Held<'h>) -> Result<Vec<(Leaf, Held<'h>)>> {
        let mut tree = SplitTree::new();
        // One entry per node of the tree; inner nodes have none.
        let mut leaves = vec![Some(Leaf::Open(node))];
        let mut open = vec![0];
        while !open.is_empty() {
            let nodes: Vec<(usize, &Node)> = open
                .iter()
                .filter_map(|id| match leaves[*id].as_ref() {
                    Some(Leaf::Open(node)) => Some((*id, node)),
                    _ => None,
                })
                .collect();
            let bytes = nodes
                .iter()
                .map(|(_, node)| Group::bytes(self.rules, node))
                .fold(0, u64::saturating_add);
            let n_leaves = leaves.iter().flatten().count();
            // The group of one node is needed whatever it takes.
            if !tree.is_empty()
                && (bytes > self.limits.group_bytes || n_leaves >= self.limits.max_parts.max(2))
            {
                break;
            }
            let books = self.rules.outline.books;
            let _memory = books.book("frequency groups", bytes);
            let steps = self.decide(&tree, &nodes, held.tuples())?;
            let ids = std::mem::take(&mut open);
            for (id, (step, group)) in ids.into_iter().zip(steps) {
                self.work.nodes += 1;
                let Some(Leaf::Open(node)) = leaves[id].take() else { continue };
                match step {
                    Step::Split(split) => {
                        let children = tree.split(id, split.fork(self.rules));
                        for (child, (node, holds)) in
                            children.into_iter().zip(split.nodes(&node, &group))
                        {
                            leaves.push(Some(self.leaf(node, holds)));
                            if matches!(leaves[child], Some(Leaf::Open(_))) {
                                open.push(child);
                            }
                        }
                    }
                    Step::Leaf(cells) => leaves[id] = Some(Leaf::Class(node.above, cells)),
                    Step::Ask(_) => return Err(Error::internal("a question was not answered")),
                }
            }
        }
        let mut leaf =
            |id: usize| leaves[id].take().ok_or_else(|| Error::internal("a leaf was lost"));
        if tree.is_empty() {
            return Ok(vec![(leaf(0)?, held)]);
        }
        let parts = self.divider.leaves(tree, held.tuples(), &mut self.work)?;
        parts.into_iter().map(|(id, tuples)| Ok((leaf(id)?, Held::Own(tuples)))).collect()
    }

    /// Decide all open nodes in one pass, and in more if questions were asked.
    fn decide(
        &mut self,
        tree: &SplitTree,
        nodes: &[(usize, &Node)],
        tuples: &dyn Tuples,
    ) -> Result<Vec<(Step, Group)>> {
        let pass = Pass { rules: self.rules, tree, tuples };
        let groups = pass.groups(nodes, &mut self.work)?;
        let mut facts: Vec<Facts> = nodes.iter().map(|_| Facts::default()).collect();
        let mut steps: Vec<Option<Step>> = nodes.iter().map(|_| None).collect();
        loop {
            self.ask()?;
            let undecided: Vec<usize> = (0..nodes.len()).filter(|i| steps[*i].is_none()).collect();
            let decided: Vec<Result<Step>> = undecided
                .par_iter()
                .map(|&i| Decision::make(self.rules, nodes[i].1, &groups[i], &facts[i]))
                .collect();
            let (mut asked, mut who) = (Vec::new(), Vec::new());
            for (i, step) in undecided.into_iter().zip(decided) {
                match step? {
                    Step::Ask(questions) => {
                        asked.push((nodes[i].0, nodes[i].1.rows, questions));
                        who.push(i);
                    }
                    step => steps[i] = Some(step),
                }
            }
            if asked.is_empty() {
                break;
            }
            let mut asking: Vec<&mut Facts> = facts
                .iter_mut()
                .enumerate()
                .filter(|(i, _)| who.contains(i))
                .map(|(_, facts)| facts)
                .collect();
            pass.answer(asked, self.limits.group_bytes, &mut asking, &mut self.work)?;
        }
        let steps = steps
            .into_iter()
            .map(|step| step.ok_or_else(|| Error::internal("a node was not decided")));
        steps.zip(groups).map(|(step, group)| Ok((step?, group))).collect()
    }

    fn ask(&self) -> Result<()> {
        match self.rules.outline.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }
}
