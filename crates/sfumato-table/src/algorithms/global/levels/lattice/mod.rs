//! The lattice of full-domain recodings: a node is one level per column, and the nodes above it are
//! at least as general in every column. This module examines nodes; the algorithms decide which.

mod examine;
mod frequencies;
mod known;
mod ladder;
mod packed;
mod sets;
#[cfg(test)]
mod tests;
mod walk;

pub use examine::{Examiner, NodeOutcome};
pub use frequencies::Node;
pub use known::Known;
pub use walk::{Upward, heights, nodes_of_height};

use std::cell::RefCell;

use sets::{Sets, sets};
use sfumato_core::recoding::{Cut, Cuts, Finding};
use sfumato_core::traits::Task;
use sfumato_core::{Error, Result};

use crate::algorithms::global::shared::publish::{needs_hierarchy, publish};

/// The lattice of a task.
pub struct Lattice<'a> {
    examiner: Examiner<'a>,
    state: RefCell<State>,
}

struct State {
    sets: Option<Box<dyn Sets>>,
    looks: u64,
    read: u64,
}

impl<'a> Lattice<'a> {
    /// The lattice of a task, for an algorithm.
    pub fn new(task: &'a Task<'a>, algorithm: &str) -> Result<Self> {
        if task.table.n_rows >= u32::MAX as usize {
            return Err(Error::unsupported(format!(
                "{algorithm} takes at most 4,294,967,294 records"
            )));
        }
        let quasi = task.table.quasi();
        if let Some(column) = quasi
            .iter()
            .find(|column| column.hierarchy.is_none() && !column.domain.kind.is_ordered())
        {
            return Err(needs_hierarchy(algorithm, &column.name));
        }
        let examiner = Examiner::new(task);
        // Where rows are looked at, nobody asks for frequency sets.
        let sets = match examiner.needs_rows {
            true => None,
            false => Some(sets(&examiner).ok_or_else(|| {
                Error::unsupported(format!(
                    "{algorithm}: a record of these quasi columns has more than 1,024 bits"
                ))
                .hint("take fewer quasi columns, or mondrian")
            })?),
        };
        Ok(Lattice { examiner, state: RefCell::new(State { sets, looks: 0, read: 0 }) })
    }

    /// The task.
    pub fn task(&self) -> &'a Task<'a> {
        self.examiner.task
    }
    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.examiner.ladders.len()
    }
    /// How many levels each column has.
    pub fn n_levels(&self) -> Vec<usize> {
        self.examiner.ladders.iter().map(|ladder| ladder.levels.len()).collect()
    }
    /// The number of nodes.
    pub fn n_nodes(&self) -> u128 {
        self.n_levels().iter().fold(1u128, |n, &levels| n.saturating_mul(levels as u128))
    }
    /// The node that publishes everything as it is.
    pub fn bottom(&self) -> Node {
        vec![0; self.n_columns()]
    }
    /// The node that publishes nothing.
    pub fn top(&self) -> Node {
        self.examiner.top()
    }
    /// The number of nodes that were examined.
    pub fn looks(&self) -> u64 {
        self.state.borrow().looks
    }
    /// The number of records of frequency sets that were read: the work so far.
    pub fn records_read(&self) -> u64 {
        self.state.borrow().read
    }
    /// The number of different values that occur in a column at a level.
    pub fn n_values(&self, column: usize, level: u8) -> usize {
        self.examiner.occurring[column][level as usize]
    }

    /// Examine a node.
    pub fn look(&self, node: &[u8]) -> NodeOutcome {
        let state = &mut *self.state.borrow_mut();
        state.looks += 1;
        let Some(sets) = &mut state.sets else {
            state.read += self.task().table.n_rows as u64;
            return self.examiner.examine_rows(node);
        };
        let (outcome, read) = sets.look(&self.examiner, node);
        state.read += read;
        outcome
    }

    /// The cost of all cells at a node without suppression, if prices are added; 0 if cells cost
    /// nothing.
    pub fn cells(&self, node: &[u8]) -> f64 {
        match self.task().objective.ignores_cells() {
            true => 0.0,
            false => self.examiner.cells(node),
        }
    }

    /// The cost of all cells of a column at a level without suppression.
    pub fn cells_of(&self, column: usize, level: u8) -> f64 {
        self.examiner.sums[column][level as usize]
    }

    /// The columns, beginning with the one that separates most records.
    pub fn telling_columns(&self) -> Vec<usize> {
        self.examiner.layout.order().to_vec()
    }

    /// Whether a node may publish at least as much as every node below it, so that a failing node
    /// rules out all below it.
    pub fn is_monotone(&self) -> bool {
        let task = self.task();
        task.requirements.is_absorbing()
            || (task.max_suppressed == 0
                && task.requirements.is_monotone()
                && (task.table.subject.is_none() || task.requirements.is_count_only()))
    }

    /// Refuse a task for an algorithm that relies on all nodes above a publishable one being
    /// publishable.
    pub fn require_monotone(&self, algorithm: &str) -> Result<()> {
        if self.is_monotone() {
            return Ok(());
        }
        Err(Error::unsupported(format!(
            "{algorithm} can't serve these models: a class that may be published can stop being so \
                when another joins it"
        ))
        .hint("use full-domain, which looks at every node then, or allow no suppression"))
    }

    /// Refuse a task with more than `most` nodes for an algorithm that lists nodes. `what`
    /// describes the `n` nodes in words.
    pub fn require_at_most(&self, n: u128, most: u128, what: &str, algorithm: &str) -> Result<()> {
        match n > most {
            false => Ok(()),
            true => Err(Error::unsupported(format!(
                "{algorithm} lists {what}, and {n} nodes are too many for it (at most {most})"
            ))
            .hint("use full-domain, which needn't list them, or hierarchies of fewer levels")),
        }
    }

    /// Whether a more general node never costs less, and a suppressed record never costs less than
    /// a published one, so that the cost of a node without suppression bounds all above it.
    pub fn objective_is_monotone(&self) -> bool {
        let objective = self.task().objective;
        let n_rows = self.task().table.n_rows as u64;
        if objective.ignores_cells() {
            // Class prices never fall when classes merge: a law of all metrics.
            return [1, n_rows.max(1)]
                .iter()
                .all(|&n| objective.class(n) <= n as f64 * objective.suppressed);
        }
        let rises = |ladder: &ladder::Ladder| {
            ladder.levels.windows(2).all(|pair| {
                let price =
                    |level: &ladder::Level, code: usize| level.price[level.of_code[code] as usize];
                (0..pair[0].of_code.len()).all(|code| {
                    price(&pair[0], code) >= 0.0 && price(&pair[0], code) <= price(&pair[1], code)
                })
            })
        };
        let most = |ladder: &ladder::Ladder| {
            ladder.levels.last().map_or(0.0, |top| top.price.iter().copied().fold(0.0, f64::max))
        };
        let dearest = objective.join().all(self.examiner.ladders.iter().map(most));
        self.examiner.ladders.iter().all(rises) && dearest <= objective.suppressed * (1.0 + 1e-9)
    }

    /// The cuts of a node.
    pub fn cuts(&self, node: &[u8]) -> Vec<Cut> {
        let level = |(ladder, &level): (&ladder::Ladder, &u8)| ladder.levels[level as usize].cut();
        self.examiner.ladders.iter().zip(node).map(level).collect()
    }

    /// Publish a node.
    pub fn publish(&self, node: &[u8], mut findings: Vec<Finding>) -> Result<Cuts> {
        findings.push(Finding { name: "lattice_nodes", value: self.n_nodes() as f64 });
        findings.push(Finding { name: "nodes_looked_at", value: self.looks() as f64 });
        publish(self.task(), self.cuts(node), findings)
    }
}
