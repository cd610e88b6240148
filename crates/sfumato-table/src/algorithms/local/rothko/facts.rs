//! What counts of values don't say: how many people are in the parts of a split, and which records
//! could be lent. A node asks, and the next pass over the tuples answers.

use sfumato_core::group::{Histogram, Summary};
use sfumato_core::{FastMap, FastSet};
use sfumato_io::spill::Batch;

use super::above::Words;
use super::rules::{Judge, Rules};
use super::split_tree::Fork;
use crate::algorithms::shared::mix::mix;

/// A question of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// The people in the parts of a split.
    People(Fork),
    /// Records of one part, and the region of those that stay.
    Pool(Pool),
}

/// Which records could be lent.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    /// The split, whose last part stays.
    pub fork: Fork,
    /// The words of the part that lends.
    pub lender: Words,
    /// The number of rows of that part.
    pub rows: usize,
    /// How many of them are wanted, evenly spread.
    pub wanted: usize,
}

/// Records that could be lent.
#[derive(Debug, Clone, Default)]
pub struct Lendable {
    /// The interval of those that stay in each quasi column.
    pub span: Vec<Words>,
    /// The place of each record in the node.
    pub places: Vec<u32>,
    /// The words of each record, by quasi column.
    pub words: Vec<Vec<u64>>,
    /// The codes of each record in the sensitive columns that models read.
    pub sensitive: Vec<Vec<u32>>,
}

/// The answers that were collected so far.
#[derive(Debug, Default)]
pub struct Facts {
    people: Vec<(Fork, Vec<Summary>)>,
    pools: Vec<(Pool, Lendable)>,
}

impl Facts {
    /// The groups of a split, if they were asked about.
    pub fn people(&self, fork: &Fork) -> Option<&[Summary]> {
        self.people.iter().find(|(known, _)| known == fork).map(|(_, groups)| groups.as_slice())
    }
    /// The records that could be lent, if they were asked about.
    pub fn pool(&self, pool: &Pool) -> Option<&Lendable> {
        self.pools.iter().find(|(known, _)| known == pool).map(|(_, found)| found)
    }
}

/// The state of a question during a pass over the tuples.
pub enum Answering {
    /// A question about people.
    People {
        /// The split.
        fork: Fork,
        /// The people of each of its parts.
        parts: Vec<Crowd>,
    },
    /// A question about records to lend.
    Pool {
        /// The request that is answered.
        pool: Pool,
        /// The number of records of the lender so far.
        seen: usize,
        /// The records found so far.
        found: Lendable,
    },
}

/// The people of one part.
#[derive(Debug, Default)]
pub struct Crowd {
    rows: u64,
    people: FastSet<u64>,
    n_people: u64,
    /// For each sensitive column that models read, which person has which value.
    pairs: Vec<FastSet<(u32, u64)>>,
    counts: Vec<FastMap<u32, u64>>,
}

/// Which people are counted in a pass, since their sets may not fit into memory at once.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// The number of the pass.
    pub pass: u64,
    /// The number of passes.
    pub passes: u64,
}

impl Answering {
    /// Start answering a question.
    pub fn new(question: Question, rules: &Rules<'_>) -> Self {
        let n = rules.sensitive.iter().flatten().count();
        match question {
            Question::People(fork) => {
                let crowd = || Crowd {
                    pairs: vec![FastSet::default(); n],
                    counts: vec![FastMap::default(); n],
                    ..Crowd::default()
                };
                Answering::People { parts: (0..fork.n_parts()).map(|_| crowd()).collect(), fork }
            }
            Question::Pool(pool) => {
                let nothing = Words { min: u64::MAX, max: 0 };
                let found = Lendable {
                    span: vec![nothing; rules.quasi.len()],
                    places: Vec::new(),
                    words: vec![Vec::new(); rules.quasi.len()],
                    sensitive: vec![Vec::new(); n],
                };
                Answering::Pool { pool, seen: 0, found }
            }
        }
    }

    /// Process the row at a place of the node.
    pub fn row(
        &mut self,
        rules: &Rules<'_>,
        batch: &Batch<'_>,
        row: usize,
        place: u64,
        share: Share,
    ) {
        match self {
            Answering::People { fork, parts } => {
                let part = &mut parts[fork.part_at(batch.columns[fork.column][row], place)];
                part.row(rules, batch, row, share);
            }
            Answering::Pool { pool, seen, found } if share.pass == 0 => {
                let word = batch.columns[pool.fork.column][row];
                if pool.fork.part(word) == pool.fork.parts.len() {
                    for (span, quasi) in found.span.iter_mut().zip(&rules.quasi) {
                        *span = span.with(batch.columns[quasi.place][row]);
                    }
                }
                if !pool.lender.contains(word) {
                    return;
                }
                let taken = found.places.len();
                if taken < pool.wanted && *seen == taken * pool.rows / pool.wanted {
                    found.places.push(place as u32);
                    for (words, quasi) in found.words.iter_mut().zip(&rules.quasi) {
                        words.push(batch.columns[quasi.place][row]);
                    }
                    for (codes, column) in
                        found.sensitive.iter_mut().zip(rules.sensitive.iter().flatten())
                    {
                        codes.push(batch.columns[column.place][row] as u32);
                    }
                }
                *seen += 1;
            }
            Answering::Pool { .. } => {}
        }
    }

    /// End a pass: keep numbers, and forget people.
    pub fn end_pass(&mut self) {
        let Answering::People { parts, .. } = self else { return };
        for part in parts {
            part.n_people += std::mem::take(&mut part.people).len() as u64;
            for (pairs, counts) in part.pairs.iter_mut().zip(&mut part.counts) {
                for (code, _) in std::mem::take(pairs) {
                    *counts.entry(code).or_default() += 1;
                }
            }
        }
    }

    /// Add the answer to the facts.
    pub fn tell(self, rules: &Rules<'_>, facts: &mut Facts) {
        match self {
            Answering::People { fork, parts } => {
                let groups = parts.into_iter().map(|part| part.summary(rules)).collect();
                facts.people.push((fork, groups));
            }
            Answering::Pool { pool, found, .. } => facts.pools.push((pool, found)),
        }
    }
}

impl Crowd {
    fn row(&mut self, rules: &Rules<'_>, batch: &Batch<'_>, row: usize, share: Share) {
        self.rows += u64::from(share.pass == 0);
        let Some(subject) = rules.subject else { return };
        let person = batch.columns[subject][row];
        if share.passes > 1 && mix(person) % share.passes != share.pass {
            return;
        }
        // Where their number says all, more than enough needn't be told apart.
        if rules.judge == Judge::People
            && self.n_people + self.people.len() as u64 >= rules.min_rows as u64
        {
            return;
        }
        self.people.insert(person);
        for (pairs, column) in self.pairs.iter_mut().zip(rules.sensitive.iter().flatten()) {
            pairs.insert((batch.columns[column.place][row] as u32, person));
        }
    }

    fn summary(self, rules: &Rules<'_>) -> Summary {
        let mut counts = self.counts.into_iter();
        let histograms = rules.sensitive.iter().map(|column| match column {
            Some(_) => Histogram::from_counts(counts.next().unwrap_or_default()),
            None => Histogram::default(),
        });
        let mut summary = Summary::of_histograms(self.rows, histograms.collect());
        summary.people = self.n_people;
        summary
    }
}
