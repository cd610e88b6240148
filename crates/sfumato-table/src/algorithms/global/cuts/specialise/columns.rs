//! The state of each column: which values are published, and how each could be refined.
//!
//! Three kinds of columns: a tree goes from a node to its children; an ordered column without a
//! tree grows one by splits; and a column that is suppressed value by value discloses one value at
//! a time.

use sfumato_core::dataset::Column;
use sfumato_core::recoding::{Cut, Value};

use super::marginal::{Marginal, info_gain};
use super::refinement::{Parts, Refinement, Step};
use super::tips::OUTSIDE;
use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// How a column is refined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Down its tree, which grows where the column is ordered and has none.
    Tree,
    /// By disclosing one value after the other.
    Disclosure,
}

/// The state of one column.
pub struct ColumnState<'a> {
    column: &'a Column,
    place: usize,
    way: Way,
    taxonomy: Taxonomy,
    /// The node of each published value; the root stands for what is suppressed.
    nodes: Vec<Node>,
    /// Which codes are disclosed, with the number of their value.
    disclosed: Vec<Option<u32>>,
    marginal: Marginal,
}

impl<'a> ColumnState<'a> {
    /// A column with nothing said about it.
    pub fn new(column: &'a Column, place: usize, way: Way, marginal: Marginal) -> Self {
        let missing_occurs = marginal.rows_of(column.domain.missing()) > 0;
        let taxonomy = Taxonomy::with_missing(column, missing_occurs);
        let disclosed = vec![None; taxonomy.n_codes()];
        ColumnState {
            column,
            place,
            way,
            taxonomy,
            nodes: vec![Taxonomy::ROOT],
            disclosed,
            marginal,
        }
    }

    /// The number of published values.
    pub fn n_blocks(&self) -> usize {
        self.nodes.len()
    }
    /// The node of a published value.
    pub fn node(&self, block: u32) -> Node {
        self.nodes[block as usize]
    }
    /// How often each code occurs.
    pub fn marginal(&self) -> &Marginal {
        &self.marginal
    }

    /// The possible refinements of a published value that records have. `price` is the price of a
    /// cell, if there is no target.
    pub fn refinements(&self, block: u32, price: &dyn Fn(Value) -> f64) -> Vec<Refinement> {
        let steps: Vec<(Step, u32)> = match self.way {
            Way::Disclosure if block > 0 => Vec::new(),
            Way::Disclosure => {
                // A missing value that is published like what is suppressed can't be told from it.
                let can =
                    |code: &u32| self.is_suppressed(*code) && self.value_of(*code) != Value::Any;
                let occurs = |code: &u32| self.marginal.rows_of(*code) > 0;
                let codes = (0..self.marginal.n_codes() as u32).filter(can).filter(occurs);
                codes.map(|code| (Step::Disclose(code), code)).collect()
            }
            Way::Tree => {
                let node = self.node(block);
                let (lo, hi) = (self.taxonomy.lo(node), self.taxonomy.hi(node));
                let grows = self.column.hierarchy.is_none() && self.column.domain.kind.is_ordered();
                match (self.marginal.rows(lo, hi), self.taxonomy.children(node).is_empty()) {
                    (0, _) => Vec::new(),
                    (_, false) => vec![(Step::Children, lo)],
                    (_, true) if grows => self
                        .marginal
                        .best_split(lo, hi)
                        .map(|at| (Step::Split(at), lo))
                        .into_iter()
                        .collect(),
                    (_, true) => Vec::new(),
                }
            }
        };
        let (whole, rows) = (self.whole(block), self.rows(block));
        let refinement = |(step, order)| {
            let told = self.told(block, step);
            let mut of_part: Vec<u64> =
                told.iter().map(|&(lo, hi, _)| self.marginal.rows(lo, hi)).collect();
            if self.way == Way::Disclosure {
                of_part.push(rows - of_part[0]);
            }
            of_part.retain(|&rows| rows > 0);
            let least = if of_part.len() > 1 { of_part.into_iter().min() } else { None };
            let gain = self.gain(block, &told, &whole, price);
            Refinement { column: self.place, block, step, order, gain, least }
        };
        steps.into_iter().map(refinement).collect()
    }

    /// How many rows have a published value.
    fn rows(&self, block: u32) -> u64 {
        match self.way {
            Way::Tree => {
                let node = self.node(block);
                self.marginal.rows(self.taxonomy.lo(node), self.taxonomy.hi(node))
            }
            Way::Disclosure => {
                let codes =
                    (0..self.marginal.n_codes() as u32).filter(|&code| self.is_suppressed(code));
                codes.map(|code| self.marginal.rows_of(code)).sum()
            }
        }
    }

    /// The intervals of codes that a step separates from the rest, with their published values.
    fn told(&self, block: u32, step: Step) -> Vec<(u32, u32, Value)> {
        let node = self.node(block);
        let (lo, hi) = (self.taxonomy.lo(node), self.taxonomy.hi(node));
        let range = |lo, hi| (lo, hi, Value::Range { lo, hi });
        match step {
            Step::Children => {
                let child =
                    |&c: &Node| (self.taxonomy.lo(c), self.taxonomy.hi(c), self.taxonomy.value(c));
                self.taxonomy.children(node).iter().map(child).collect()
            }
            Step::Split(at) => vec![range(lo, at), range(at, hi)],
            Step::Disclose(code) => vec![(code, code + 1, self.value_of(code))],
        }
    }

    /// The class counts of a published value, if there is a target.
    fn whole(&self, block: u32) -> Vec<u64> {
        match (self.marginal.has_classes(), self.way) {
            (false, _) => Vec::new(),
            (true, Way::Tree) => {
                let node = self.node(block);
                self.marginal.classes(self.taxonomy.lo(node), self.taxonomy.hi(node))
            }
            (true, Way::Disclosure) => {
                let mut counts = self.marginal.classes(0, 0);
                for code in
                    (0..self.marginal.n_codes() as u32).filter(|&code| self.is_suppressed(code))
                {
                    let of_code = self.marginal.classes(code, code + 1);
                    counts.iter_mut().zip(of_code).for_each(|(sum, n)| *sum += n);
                }
                counts
            }
        }
    }

    fn gain(
        &self,
        block: u32,
        told: &[(u32, u32, Value)],
        whole: &[u64],
        price: &dyn Fn(Value) -> f64,
    ) -> f64 {
        if self.marginal.has_classes() {
            let mut parts: Vec<Vec<u64>> =
                told.iter().map(|&(lo, hi, _)| self.marginal.classes(lo, hi)).collect();
            if self.way == Way::Disclosure {
                let rest = whole.iter().zip(&parts[0]).map(|(all, told)| all - told).collect();
                parts.push(rest);
            }
            return info_gain(whole, &parts);
        }
        let now = match self.way {
            Way::Tree => self.taxonomy.value(self.node(block)),
            Way::Disclosure => Value::Any,
        };
        told.iter()
            .map(|&(lo, hi, v)| self.marginal.rows(lo, hi) as f64 * (price(now) - price(v)))
            .sum()
    }

    /// The parts of a refinement. Those of a disclosure are the rest, which stays suppressed, and
    /// the value.
    pub fn parts(&self, refinement: &Refinement) -> Parts {
        let mut of_code = vec![OUTSIDE; self.marginal.n_codes()];
        let n = match refinement.step {
            Step::Children => {
                let children = self.taxonomy.children(self.node(refinement.block));
                for (part, &child) in children.iter().enumerate() {
                    of_code[self.taxonomy.lo(child) as usize..self.taxonomy.hi(child) as usize]
                        .fill(part as u32);
                }
                children.len()
            }
            Step::Split(at) => {
                let node = self.node(refinement.block);
                of_code[self.taxonomy.lo(node) as usize..at as usize].fill(0);
                of_code[at as usize..self.taxonomy.hi(node) as usize].fill(1);
                2
            }
            Step::Disclose(code) => {
                let codes = of_code.iter_mut().enumerate();
                codes
                    .filter(|(code, _)| self.is_suppressed(*code as u32))
                    .for_each(|(_, part)| *part = 0);
                of_code[code as usize] = 1;
                2
            }
        };
        let mut rows = vec![0u64; n];
        for (code, &part) in of_code.iter().enumerate().filter(|(_, part)| **part != OUTSIDE) {
            rows[part as usize] += self.marginal.rows_of(code as u32);
        }
        Parts { of_code, rows }
    }

    /// Publish the parts instead of the value. Returns the number of each part's value; the first
    /// keeps the number of the whole.
    pub fn perform(&mut self, refinement: &Refinement) -> Vec<u32> {
        let next = self.nodes.len() as u32;
        let block = refinement.block;
        match refinement.step {
            Step::Disclose(code) => {
                self.disclosed[code as usize] = Some(next);
                self.nodes.push(Taxonomy::ROOT);
                vec![block, next]
            }
            Step::Children => {
                let children = self.taxonomy.children(self.node(block)).to_vec();
                self.replace(block, &children)
            }
            Step::Split(at) => {
                let halves = self.taxonomy.split(self.node(block), at);
                self.replace(block, &halves)
            }
        }
    }

    fn replace(&mut self, block: u32, nodes: &[Node]) -> Vec<u32> {
        let next = self.nodes.len() as u32;
        self.nodes[block as usize] = nodes[0];
        self.nodes.extend(&nodes[1..]);
        std::iter::once(block).chain(next..self.nodes.len() as u32).collect()
    }

    fn is_suppressed(&self, code: u32) -> bool {
        self.disclosed[code as usize].is_none()
    }

    /// The published value of a disclosed code.
    fn value_of(&self, code: u32) -> Value {
        if code == self.column.domain.missing() {
            return Value::covering(self.column, 0, 0, true);
        }
        match &self.column.hierarchy {
            Some(tree) => Value::Node(tree.leaf(code)),
            None => Value::Range { lo: code, hi: code + 1 },
        }
    }

    /// The number of the published value of each code; codes that don't occur may have any.
    pub fn blocks_of_codes(&self) -> Vec<u32> {
        match self.way {
            Way::Disclosure => self.disclosed.iter().map(|block| block.unwrap_or(0)).collect(),
            Way::Tree => {
                let mut blocks = vec![0; self.marginal.n_codes()];
                for (block, &node) in self.nodes.iter().enumerate() {
                    blocks[self.taxonomy.lo(node) as usize..self.taxonomy.hi(node) as usize]
                        .fill(block as u32);
                }
                blocks
            }
        }
    }

    /// What is published in the end.
    pub fn cut(&self) -> Cut {
        match self.way {
            Way::Tree => self.taxonomy.cut(&self.nodes),
            Way::Disclosure => {
                let missing = self.column.domain.missing();
                let absent = |code: u32| code == missing && self.marginal.rows_of(code) == 0;
                let shown = |code: u32| !self.is_suppressed(code) || absent(code);
                let value = |code: u32| if shown(code) { self.value_of(code) } else { Value::Any };
                Cut::new((0..=missing).map(value))
            }
        }
    }
}
