//! BCF-anonymizer: specialises every column from the root of its tree, as long as the release stays
//! safe beside those before it.

use sfumato_core::chain::{Earlier, Published, PublishedClass};
use sfumato_core::facts::Fact;
use sfumato_core::group::Guarantee;
use sfumato_core::recoding::{Cuts, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Scope, Task};
use sfumato_core::{Error, FastMap, Result, with_codes};

use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};

/// The algorithm `bcf-anonymizer`, an entry of the registry.
pub struct BcfAnonymizer;

static INFO: Info = Info {
    name: "bcf-anonymizer",
    summary: "specialises from the roots of all trees as long as the release stays safe beside \
        those before it",
    papers: &[Paper {
        authors: "B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei",
        title: "Anonymity for continuous data publishing",
        venue: "EDBT",
        year: 2008,
    }],
    doc: include_str!("bcf_anonymizer.md"),
    capabilities: Capabilities {
        serves: &[
            Fact::Classes,
            Fact::SensitiveValues,
            Fact::Hiding(sfumato_core::facts::Hiding::Matches),
            Fact::Earlier,
        ],
        needs_monotone: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for BcfAnonymizer {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let mut search = Search::new(task);
        search.begin()?;
        while let Some((column, node)) = search.best() {
            if task.observer.cancelled() {
                return Err(Error::new(sfumato_core::ErrorKind::Cancelled, "the run was stopped"));
            }
            let refined = search.refine(column, node);
            match search.first_failing(&refined)? {
                None => search.perform(column, node, refined),
                Some(_) => search.closed[column].push(node),
            }
            if task.observer.enough() {
                break;
            }
        }
        search.finish()
    }
}

/// Records by the nodes under which they are published.
struct Partition {
    class_of_row: Vec<u32>,
    /// The node of each column for each class.
    nodes: Vec<Vec<Node>>,
}

struct Search<'a> {
    task: &'a Task<'a>,
    trees: Vec<Taxonomy>,
    /// The codes of each quasi column.
    codes: Vec<Vec<u32>>,
    /// The nodes that are published, and those of them that can't be specialised.
    open: Vec<Vec<Node>>,
    closed: Vec<Vec<Node>>,
    now: Partition,
    /// The sensitive value of each row, with the texts.
    value_of_row: Vec<u32>,
    values: Vec<String>,
    steps: u64,
}

impl<'a> Search<'a> {
    fn new(task: &'a Task<'a>) -> Self {
        let quasi = task.table.quasi();
        let codes = quasi.iter().map(|column| column.codes.iter().collect()).collect();
        let (value_of_row, values) = sensitive_values(task);
        let n = quasi.len();
        Search {
            task,
            trees: quasi.iter().map(|column| Taxonomy::new(column)).collect(),
            codes,
            open: vec![vec![Taxonomy::ROOT]; n],
            closed: vec![Vec::new(); n],
            now: Partition {
                class_of_row: vec![0; task.table.n_rows],
                // Without records there is no class.
                nodes: vec![vec![Taxonomy::ROOT; n]; task.table.n_rows.min(1)],
            },
            value_of_row,
            values,
            steps: 0,
        }
    }

    /// Nothing is safe if the most general release isn't: say so at once.
    fn begin(&mut self) -> Result<()> {
        match self.first_failing(&self.now)? {
            None => Ok(()),
            Some(what) => Err(Error::infeasible(format!(
                "no generalization is safe: with every quasi value generalized to the root, {what}"
            ))
            .hint(
                "hold new records back until there are as many as the models ask for, ask for \
                 less, or start another chain without the old records",
            )),
        }
    }

    /// The specialization that separates the most pairs of records; of equals the first.
    fn best(&mut self) -> Option<(usize, Node)> {
        let mut best: Option<(u64, usize, Node)> = None;
        for column in 0..self.trees.len() {
            for node in self.open[column].clone() {
                if self.closed[column].contains(&node) {
                    continue;
                }
                if !self.grow(column, node) {
                    self.closed[column].push(node);
                    continue;
                }
                let score = self.separated(column, node);
                if best.is_none_or(|(most, ..)| score > most) {
                    best = Some((score, column, node));
                }
            }
        }
        best.map(|(_, column, node)| (column, node))
    }

    /// Give a range without children two halves with about as many records. Whether the node has
    /// children.
    fn grow(&mut self, column: usize, node: Node) -> bool {
        let tree = &mut self.trees[column];
        if !tree.children(node).is_empty() {
            return true;
        }
        let own = &self.task.table.quasi()[column];
        let (lo, hi) = (tree.lo(node), tree.hi(node));
        let is_range = own.hierarchy.is_none() && own.domain.kind.is_ordered();
        if !is_range || hi <= lo + 1 || hi > own.domain.missing() {
            return false;
        }
        let mut inside: Vec<u32> =
            self.codes[column].iter().copied().filter(|code| (lo..hi).contains(code)).collect();
        inside.sort_unstable();
        let middle = inside.get(inside.len() / 2).copied().unwrap_or(lo);
        let at = match inside.first() {
            Some(first) if middle > *first => middle,
            // The median is the least value: what is above it is the other half.
            _ => match inside.iter().find(|code| **code > middle) {
                Some(next) => *next,
                None => return false,
            },
        };
        tree.split(node, at);
        true
    }

    /// The child of a node above a code.
    fn child(&self, column: usize, node: Node, code: u32) -> Node {
        let tree = &self.trees[column];
        let children = tree.children(node);
        let at = children.partition_point(|child| tree.hi(*child) <= code);
        children.get(at).copied().unwrap_or(node)
    }

    /// How many pairs of records of a class a specialization separates.
    fn separated(&self, column: usize, node: Node) -> u64 {
        let mut of_class: FastMap<u32, u64> = FastMap::default();
        let mut of_part: FastMap<(u32, Node), u64> = FastMap::default();
        let rows = self.now.class_of_row.iter().zip(&self.codes[column]);
        for (&class, &code) in
            rows.filter(|(class, _)| self.now.nodes[**class as usize][column] == node)
        {
            *of_class.entry(class).or_default() += 1;
            *of_part.entry((class, self.child(column, node, code))).or_default() += 1;
        }
        let squares = |counts: &mut dyn Iterator<Item = u64>| counts.map(|n| n * n).sum::<u64>();
        squares(&mut of_class.into_values()) - squares(&mut of_part.into_values())
    }

    /// The records once a node is specialised.
    fn refine(&self, column: usize, node: Node) -> Partition {
        let mut number: FastMap<(u32, Node), u32> = FastMap::default();
        let mut nodes: Vec<Vec<Node>> = Vec::new();
        let class_of_row = (0..self.now.class_of_row.len())
            .map(|row| {
                let class = self.now.class_of_row[row];
                let own = &self.now.nodes[class as usize];
                let to = match own[column] == node {
                    true => self.child(column, node, self.codes[column][row]),
                    false => own[column],
                };
                *number.entry((class, to)).or_insert_with(|| {
                    let mut own = own.clone();
                    own[column] = to;
                    nodes.push(own);
                    nodes.len() as u32 - 1
                })
            })
            .collect();
        Partition { class_of_row, nodes }
    }

    /// What a partition fails, if anything.
    fn first_failing(&self, partition: &Partition) -> Result<Option<String>> {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); partition.nodes.len()];
        (0u32..).zip(&partition.class_of_row).for_each(|(row, at)| rows[*at as usize].push(row));
        let (tally, release) = (self.task.tally(), self.task.whole());
        let requirements = self.task.requirements;
        if rows.iter().any(|rows| !requirements.holds(&tally.of_rows(rows), &release)) {
            return Ok(Some("a class doesn't satisfy the models".into()));
        }
        let judges_first = requirements.iter().any(|asked| asked.judges_first());
        let asked = |earlier: &&dyn Earlier| earlier.count() > 0 || judges_first;
        let Some(earlier) = self.task.earlier.filter(asked) else { return Ok(None) };
        let chain = earlier.chain_with(&self.published(partition))?;
        for asked in requirements.iter().filter(|asked| asked.scope() == Scope::Earlier) {
            let found = asked.judge_chain(&chain)?;
            if let Some(Guarantee { measure, achieved, requirement, .. }) =
                found.iter().find(|found| !found.holds)
            {
                let (name, required) = (measure.name, measure.required);
                return Ok(Some(format!("{requirement} has {name} = {achieved}, not {required}")));
            }
        }
        Ok(None)
    }

    /// What a partition publishes.
    fn published(&self, partition: &Partition) -> Published {
        let quasi = self.task.table.quasi();
        let mut counts: Vec<FastMap<u32, u64>> = vec![FastMap::default(); partition.nodes.len()];
        for (class, value) in partition.class_of_row.iter().zip(&self.value_of_row) {
            *counts[*class as usize].entry(*value).or_default() += 1;
        }
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); quasi.len()];
        let mut number: Vec<FastMap<Node, u32>> = vec![FastMap::default(); quasi.len()];
        let class = |(nodes, counts): (&Vec<Node>, FastMap<u32, u64>)| {
            let cell = |(at, node): (usize, &Node)| {
                *number[at].entry(*node).or_insert_with(|| {
                    texts[at].push(self.trees[at].value(*node).render(quasi[at]));
                    texts[at].len() as u32 - 1
                })
            };
            let cells = nodes.iter().enumerate().map(cell).collect();
            let mut values: Vec<(u32, u64)> = counts.into_iter().collect();
            values.sort_unstable();
            PublishedClass { cells, values }
        };
        let classes = partition.nodes.iter().zip(counts).map(class).collect();
        Published {
            name: "the new release".into(),
            columns: quasi.iter().map(|column| column.name.clone()).collect(),
            texts,
            values: self.values.clone(),
            sensitive: self.task.table.sensitive().iter().map(|one| one.name.clone()).collect(),
            classes,
            ..Published::default()
        }
    }

    fn perform(&mut self, column: usize, node: Node, refined: Partition) {
        self.open[column].retain(|other| *other != node);
        self.open[column].extend(self.trees[column].children(node));
        self.now = refined;
        self.steps += 1;
    }

    fn finish(self) -> Result<Box<dyn Recoding>> {
        let pairs = self.trees.iter().zip(&self.open);
        let cuts: Vec<_> = pairs.map(|(tree, nodes)| tree.cut(nodes)).collect();
        let number = |at: usize, node: Node| {
            let value = self.trees[at].value(node);
            cuts[at].values().iter().position(|other| *other == value).map(|place| place as u32)
        };
        let of_class = (0..self.trees.len())
            .map(|at| self.now.nodes.iter().map(|nodes| number(at, nodes[at])).collect())
            .collect::<Option<Vec<Vec<u32>>>>()
            .ok_or_else(|| Error::internal("a class has a value that its cut lacks"))?;
        let findings = vec![Finding { name: "specializations", value: self.steps as f64 }];
        Ok(Box::new(Cuts::new(cuts, of_class, self.now.class_of_row)?.with_findings(findings)))
    }
}

/// The sensitive value of each row as it will be published, and the texts of these.
fn sensitive_values(task: &Task<'_>) -> (Vec<u32>, Vec<String>) {
    let columns = task.table.sensitive();
    let mut number: FastMap<Vec<u32>, u32> = FastMap::default();
    let mut texts = Vec::new();
    let mut rows: Vec<Vec<u32>> = vec![Vec::with_capacity(columns.len()); task.table.n_rows];
    for column in &columns {
        with_codes!(&column.codes, codes => rows.iter_mut().zip(codes)
            .for_each(|(row, code)| row.push(sfumato_core::column::Code::widen(*code))));
    }
    let value_of_row = rows
        .into_iter()
        .map(|codes| {
            *number.entry_ref(&codes).or_insert_with(|| {
                let text = |(column, code): (&&sfumato_core::dataset::Column, &u32)| match *code
                    >= column.domain.missing()
                {
                    true => column.missing_text.clone(),
                    false => column.domain.label(*code).into_owned(),
                };
                let all: Vec<String> = columns.iter().zip(&codes).map(text).collect();
                texts.push(crate::over_time::published::together(&all));
                texts.len() as u32 - 1
            })
        })
        .collect();
    (value_of_row, texts)
}
