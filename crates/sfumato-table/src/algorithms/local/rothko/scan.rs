//! Passes over tuples for all open nodes of a tree at once: one builds frequency groups, others
//! answer questions of nodes.

use rayon::prelude::*;
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::spill::{Batch, Tuples};

use super::facts::{Answering, Facts, Question, Share};
use super::frequencies::{Counting, Frequencies, bytes};
use super::node::Node;
use super::rules::{Judge, Rules};
use super::split_tree::{NOWHERE, SplitTree};
use super::work::Work;
use crate::algorithms::local::mondrian::gain::{SAMPLE, sampled};
use crate::algorithms::local::mondrian::grow::Order;

/// The largest number of passes in which people are counted.
const MOST_PASSES: u64 = 64;

/// The data by which a node is decided.
#[derive(Debug, Default)]
pub struct Group {
    /// One frequency set per quasi column.
    pub columns: Vec<Frequencies>,
    /// Some rows, evenly spread, by quasi column.
    pub sample: Vec<Vec<u64>>,
}

impl Group {
    /// The largest number of bytes that the group of a node will take.
    pub fn bytes(rules: &Rules<'_>, node: &Node) -> u64 {
        let widths = || rules.companions.iter().map(|companion| companion.n_codes);
        let columns = node.above.region.iter().zip(&node.most_words);
        let of_column = |(&region, &words)| {
            let of = |width| bytes(region, words, node.rows as u64, width);
            if rules.companions.is_empty() { of(1) } else { widths().map(of).sum() }
        };
        columns.map(of_column).fold(0, u64::saturating_add)
    }
}

/// Tuples with the tree that divides them.
pub struct Pass<'a> {
    /// What is the same for every node.
    pub rules: &'a Rules<'a>,
    /// The tree.
    pub tree: &'a SplitTree,
    /// The tuples of its root.
    pub tuples: &'a dyn Tuples,
}

impl Pass<'_> {
    /// Read all tuples. `visit` is called with each batch and the open node of each row.
    fn read(
        &self,
        mut wanted: Vec<usize>,
        open: &[usize],
        work: &mut Work,
        mut visit: impl FnMut(&Batch<'_>, &[u32]),
    ) -> Result<()> {
        wanted.extend(self.tree.columns());
        wanted.sort_unstable();
        wanted.dedup();
        let mut stops = vec![None; self.tree.len()];
        open.iter().enumerate().for_each(|(i, node)| stops[*node] = Some(i as u32));
        let mut router = self.tree.router(0, stops);
        let mut to = Vec::new();
        let observer = self.rules.outline.observer;
        observer.begin("partition", self.tuples.n_rows(), Unit::Rows);
        work.scans += 1;
        work.rows_read += self.tuples.n_rows();
        let read = self.tuples.scan(&wanted, &mut |batch| {
            to.clear();
            router.route(batch, &mut to);
            visit(batch, &to);
            advance(observer, batch)
        });
        observer.end();
        read
    }

    /// The frequency groups of open nodes.
    pub fn groups(&self, open: &[(usize, &Node)], work: &mut Work) -> Result<Vec<Group>> {
        let rules = self.rules;
        let nodes: Vec<usize> = open.iter().map(|(id, _)| *id).collect();
        let counting = |column: usize, node: &Node| -> Vec<Counting> {
            let (region, rows) = (node.above.region[column], node.rows as u64);
            let new = |width| Counting::new(region, rows, width);
            match rules.companions.as_slice() {
                [] => vec![new(1)],
                companions => companions.iter().map(|companion| new(companion.n_codes)).collect(),
            }
        };
        let mut countings: Vec<Vec<Vec<Counting>>> = (0..rules.quasi.len())
            .map(|column| open.iter().map(|(_, node)| counting(column, node)).collect())
            .collect();
        let mut samples: Vec<Sampler> =
            open.iter().map(|(_, node)| Sampler::new(node.rows, rules.quasi.len())).collect();
        let samples_rows = rules.settings.order == Order::Gain;
        self.read(rules.counted_columns(), &nodes, work, |batch, to| {
            if samples_rows {
                for (row, open) in to.iter().enumerate().filter(|(_, open)| **open != NOWHERE) {
                    samples[*open as usize].row(rules, batch, row);
                }
            }
            countings.par_iter_mut().zip(&rules.quasi).for_each(|(countings, quasi)| {
                let words = &batch.columns[quasi.place];
                match rules.companions.as_slice() {
                    [] => {
                        for (word, open) in
                            words.iter().zip(to).filter(|(_, open)| **open != NOWHERE)
                        {
                            countings[*open as usize][0].add(*word, 0);
                        }
                    }
                    companions => {
                        for (i, companion) in companions.iter().enumerate() {
                            let codes = &batch.columns[companion.place];
                            let rows = words.iter().zip(codes).zip(to);
                            for ((word, code), open) in rows.filter(|(_, open)| **open != NOWHERE) {
                                countings[*open as usize][i].add(*word, *code as u32);
                            }
                        }
                    }
                }
            });
        })?;
        let mut groups: Vec<Group> = samples
            .into_iter()
            .map(|sample| Group { columns: Vec::new(), sample: sample.words })
            .collect();
        for countings in countings {
            let sets: Vec<Frequencies> = countings
                .into_par_iter()
                .map(|counting| Frequencies::new(counting, rules.companions.len()))
                .collect();
            groups.iter_mut().zip(sets).for_each(|(group, set)| group.columns.push(set));
        }
        Ok(groups)
    }

    /// Answer the questions of open nodes. Their sets of people together stay near a number of
    /// bytes.
    pub fn answer(
        &self,
        asked: Vec<(usize, usize, Vec<Question>)>,
        most_bytes: u64,
        facts: &mut [&mut Facts],
        work: &mut Work,
    ) -> Result<()> {
        let rules = self.rules;
        let nodes: Vec<usize> = asked.iter().map(|(id, ..)| *id).collect();
        work.questions += asked.iter().map(|(.., questions)| questions.len() as u64).sum::<u64>();
        let n_pairs = 1 + rules.sensitive.iter().flatten().count() as u64;
        let rows: u64 =
            asked.iter().map(|(_, rows, questions)| (rows * questions.len()) as u64).sum();
        let passes = match (rules.judge, rules.subject) {
            (Judge::Summaries, Some(_)) => {
                (rows * n_pairs * 32).div_ceil(most_bytes.max(1)).clamp(1, MOST_PASSES)
            }
            _ => 1,
        };
        let mut answering: Vec<Vec<Answering>> = asked
            .into_iter()
            .map(|(.., questions)| {
                questions.into_iter().map(|q| Answering::new(q, rules)).collect()
            })
            .collect();
        let mut wanted = rules.counted_columns();
        wanted.extend(rules.sensitive.iter().flatten().map(|column| column.place));
        wanted.extend(rules.subject);
        for pass in 0..passes {
            let mut places = vec![0u64; nodes.len()];
            self.read(wanted.clone(), &nodes, work, |batch, to| {
                for (row, open) in to.iter().enumerate().filter(|(_, open)| **open != NOWHERE) {
                    let (open, share) = (*open as usize, Share { pass, passes });
                    for answering in &mut answering[open] {
                        answering.row(rules, batch, row, places[open], share);
                    }
                    places[open] += 1;
                }
            })?;
            answering.iter_mut().flatten().for_each(Answering::end_pass);
        }
        for (answering, facts) in answering.into_iter().zip(facts) {
            answering.into_iter().for_each(|answering| answering.tell(rules, facts));
        }
        Ok(())
    }
}

/// Report a batch to the observer. Returns an error if the user asked to stop.
pub fn advance(observer: &dyn Observer, batch: &Batch<'_>) -> Result<()> {
    observer.advance(batch.n_rows as u64);
    match observer.cancelled() {
        true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
        false => Ok(()),
    }
}

/// Collects the rows of a node's sample during a pass.
struct Sampler {
    rows: usize,
    seen: usize,
    words: Vec<Vec<u64>>,
    taken: usize,
}

impl Sampler {
    fn new(rows: usize, n_columns: usize) -> Self {
        Sampler { rows, seen: 0, words: vec![Vec::new(); n_columns], taken: 0 }
    }

    #[inline]
    fn row(&mut self, rules: &Rules<'_>, batch: &Batch<'_>, row: usize) {
        if self.taken < self.rows.min(SAMPLE) && self.seen == sampled(self.taken, self.rows) {
            for (words, quasi) in self.words.iter_mut().zip(&rules.quasi) {
                words.push(batch.columns[quasi.place][row]);
            }
            self.taken += 1;
        }
        self.seen += 1;
    }
}
