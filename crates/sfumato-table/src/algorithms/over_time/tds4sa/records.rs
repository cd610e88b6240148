//! The records of the new release as the join sees them: those that are alike in everything are
//! counted once.

use sfumato_core::dataset::{Column, Role};
use sfumato_core::joined::{JoinAsked, Joined, Sheet};
use sfumato_core::registry::Params;
use sfumato_core::traits::Task;
use sfumato_core::{Error, FastMap, Result};

use super::trees::{self, Counts, Gain};
use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// Where a column of the last release comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// A quasi column, published as the nodes of its tree.
    Quasi(usize),
    /// Another column, by the place among the others.
    Other(usize),
}

/// The table, its trees, and the different records.
pub(super) struct Records<'a> {
    task: &'a Task<'a>,
    quasi: Vec<&'a Column>,
    others: Vec<&'a Column>,
    pub(super) trees: Vec<Taxonomy>,
    counts: Vec<Counts>,
    gain: Gain,
    baseline: String,
    /// Every text that the release may have, with no records.
    pub(super) sheet: Sheet,
    /// The different records: codes of the quasi columns and texts of the others, with numbers.
    pub(super) bases: Vec<(Vec<u32>, Vec<u32>, u64)>,
    /// For each column of the last release of the join, where it comes from.
    pub(super) sources: Vec<Source>,
    /// The number, in the join, of the text of each node of each quasi column, and of each text of
    /// the other columns.
    pub(super) text_of_node: Vec<Vec<u32>>,
    pub(super) text_of_other: Vec<Vec<u32>>,
    /// Specializations that a baseline rules out.
    ruled_out: Vec<Vec<bool>>,
}

impl<'a> Records<'a> {
    pub(super) fn new(task: &'a Task<'a>, params: &Params) -> Result<Self> {
        let table = task.table;
        let quasi = table.quasi();
        let others: Vec<&Column> =
            table.published().filter(|column| column.role != Role::Quasi).collect();
        let target = table.of_role(Role::Target).next();
        let gain = match (params.text("gain"), target) {
            (Some("class"), None) => {
                return Err(Error::params("tds4sa(gain=class) needs a target column")
                    .hint("give the column that shall be predicted the role target"));
            }
            (Some("class"), _) | (None, Some(_)) => Gain::Class,
            (Some("discernibility"), _) => Gain::Discernibility,
            _ => Gain::Distortion,
        };
        let mut all = Vec::with_capacity(quasi.len());
        let mut counts = Vec::with_capacity(quasi.len());
        for column in &quasi {
            let mut tree = Taxonomy::new(column);
            let own = trees::counts(column, target, tree.n_codes());
            trees::grow(&mut tree, column, &own);
            all.push(tree);
            counts.push(own);
        }
        let text = |column: &Column, code: u32| match code >= column.domain.missing() {
            true => column.missing_text.clone(),
            false => column.domain.label(code).into_owned(),
        };
        let of_tree = |(tree, column): (&Taxonomy, &&Column)| -> Vec<String> {
            (0..tree.len() as Node).map(|node| tree.value(node).render(column)).collect()
        };
        let of_other = |column: &&Column| -> Vec<String> {
            (0..=column.domain.missing()).map(|code| text(column, code)).collect()
        };
        let texts = all.iter().zip(&quasi).map(of_tree).chain(others.iter().map(of_other));
        let columns = quasi.iter().chain(&others).map(|column| column.name.clone());
        let sheet = Sheet { columns: columns.collect(), texts: texts.collect(), rows: Vec::new() };
        let n = quasi.len();
        Ok(Records {
            task,
            quasi,
            others,
            trees: all,
            counts,
            gain,
            baseline: params.text("baseline").unwrap_or("none").to_string(),
            sheet,
            bases: Vec::new(),
            sources: Vec::new(),
            text_of_node: Vec::new(),
            text_of_other: Vec::new(),
            ruled_out: vec![Vec::new(); n],
        })
    }

    /// The records with the numbers of the join.
    pub(super) fn joined(mut self, joined: &Joined) -> Result<Self> {
        let last = joined.releases.last().map_or(&[][..], |last| &last.attributes);
        let n = self.quasi.len();
        for attribute in last {
            let name = &joined.attributes[*attribute].name;
            let at = self.sheet.columns.iter().position(|column| column == name);
            let at = at.ok_or_else(|| Error::internal("the join has a column of nobody"))?;
            self.sources.push(if at < n { Source::Quasi(at) } else { Source::Other(at - n) });
        }
        let numbers = |at: usize| -> Result<Vec<u32>> {
            let Ok(attribute) = joined.attribute(&self.sheet.columns[at]) else {
                return Ok(Vec::new());
            };
            let number: FastMap<&str, u32> = joined.attributes[attribute]
                .texts
                .iter()
                .zip(0u32..)
                .map(|(text, number)| (text.as_str(), number))
                .collect();
            let of = |text: &String| number.get(text.as_str()).copied();
            let all: Option<Vec<u32>> = self.sheet.texts[at].iter().map(of).collect();
            all.ok_or_else(|| Error::internal("the join lacks a text of the release"))
        };
        self.text_of_node = (0..n).map(numbers).collect::<Result<_>>()?;
        self.text_of_other = (n..self.sheet.columns.len()).map(numbers).collect::<Result<_>>()?;
        let mut bases: FastMap<(Vec<u32>, Vec<u32>), u64> = FastMap::default();
        for row in 0..self.task.table.n_rows {
            let codes = self.quasi.iter().map(|column| column.codes.get(row)).collect();
            let texts = self.others.iter().zip(&self.text_of_other).map(|(column, texts)| {
                let code = column.codes.get(row).min(column.domain.missing());
                texts.get(code as usize).copied().unwrap_or(0)
            });
            *bases.entry((codes, texts.collect())).or_default() += 1;
        }
        self.bases = bases.into_iter().map(|((codes, texts), n)| (codes, texts, n)).collect();
        self.bases.sort_unstable();
        self.ruled_out = (0..n).map(|at| self.baseline_of(joined, at)).collect();
        Ok(self)
    }

    /// Which nodes of a column a baseline doesn't specialise.
    fn baseline_of(&self, joined: &Joined, at: usize) -> Vec<bool> {
        let tree = &self.trees[at];
        let common = joined.attribute(&self.quasi[at].name).ok();
        let common = common.filter(|attribute| joined.is_join(*attribute));
        let Some(attribute) = common else { return vec![false; tree.len()] };
        let nodes = 0..tree.len() as Node;
        match self.baseline.as_str() {
            "drop-join" => vec![true; tree.len()],
            "no-finer" => {
                let last = joined.releases.len() - 1;
                let mut before: Vec<u32> = Vec::new();
                for release in &joined.releases[..last] {
                    let place = release.attributes.iter().position(|own| *own == attribute);
                    let texts = |place: usize| release.rows.iter().map(move |(row, _)| row[place]);
                    before.extend(place.into_iter().flat_map(texts));
                }
                let texts = &self.text_of_node[at];
                let known: Vec<Node> =
                    nodes.clone().filter(|node| before.contains(&texts[*node as usize])).collect();
                let is_finer = |child: &Node| {
                    known.iter().any(|node| {
                        let (lo, hi) = (tree.lo(*node), tree.hi(*node));
                        let meets = tree.lo(*child) < hi && lo < tree.hi(*child);
                        meets && !(tree.lo(*child) <= lo && hi <= tree.hi(*child))
                    })
                };
                nodes.map(|node| tree.children(node).iter().any(is_finer)).collect()
            }
            _ => vec![false; tree.len()],
        }
    }

    /// Which quasi columns are specialised: those of X, or all where classes are asked about.
    pub(super) fn columns_of(&self, asked: &[&JoinAsked], has_classes: bool) -> Vec<bool> {
        let is_in_x = |column: &&Column| asked.iter().any(|asked| asked.x.contains(&column.name));
        self.quasi.iter().map(|column| has_classes || is_in_x(column)).collect()
    }

    /// The node of each code of each column, where columns that are specialised begin at the root
    /// and the others are published as they are.
    pub(super) fn roots(&self, open: &[bool]) -> Vec<Vec<Node>> {
        let of = |(tree, open): (&Taxonomy, &bool)| -> Vec<Node> {
            match open {
                true => vec![Taxonomy::ROOT; tree.n_codes()],
                false => {
                    tree.leaves().into_iter().map(|leaf| leaf.unwrap_or(Taxonomy::ROOT)).collect()
                }
            }
        };
        self.trees.iter().zip(open).map(of).collect()
    }

    /// What specializing a node gains. None if it can't be specialised.
    pub(super) fn gain(&self, column: usize, node: Node) -> Option<f64> {
        match self.ruled_out[column].get(node as usize) {
            Some(true) => None,
            _ => trees::gain(&self.trees[column], node, &self.counts[column], self.gain),
        }
    }

    /// The child of a node above a code.
    pub(super) fn child(&self, column: usize, node: Node, code: u32) -> Node {
        let tree = &self.trees[column];
        let children = tree.children(node);
        let at = children.partition_point(|child| tree.hi(*child) <= code);
        children.get(at).copied().unwrap_or(node)
    }

    /// The nodes once one of a column is specialised.
    pub(super) fn refined(
        &self,
        at: &[Vec<Node>],
        (column, node): (usize, Node),
    ) -> Vec<Vec<Node>> {
        let mut refined = at.to_vec();
        for (code, own) in (0u32..).zip(&mut refined[column]) {
            if *own == node {
                *own = self.child(column, node, code);
            }
        }
        refined
    }

    /// The classes of a recoding: that of each row, and the nodes of each.
    pub(super) fn classes(&self, at: &[Vec<Node>]) -> (Vec<u32>, Vec<Vec<Node>>) {
        let mut number: FastMap<Vec<Node>, u32> = FastMap::default();
        let mut nodes: Vec<Vec<Node>> = Vec::new();
        let class_of_row = (0..self.task.table.n_rows).map(|row| {
            let own: Vec<Node> = self
                .quasi
                .iter()
                .zip(at)
                .map(|(column, at)| at[column.codes.get(row) as usize])
                .collect();
            *number.entry_ref(&own).or_insert_with(|| {
                nodes.push(own.clone());
                nodes.len() as u32 - 1
            })
        });
        (class_of_row.collect(), nodes)
    }
}
