//! What a holder could specialise in its own columns, and how good each would be. Nothing here
//! knows another holder's values: the partition is enough.

use rayon::prelude::*;
use sfumato_core::dataset::Table;
use sfumato_core::recoding::{Cut, Value};
use sfumato_table::algorithms::global::cuts::specialise::columns::{ColumnState, Way};
use sfumato_table::algorithms::global::cuts::specialise::marginal::Marginal;
use sfumato_table::algorithms::global::cuts::specialise::refinement::Refinement;

use super::Partition;
use super::classes::Classes;
use super::judge::Shared;
use super::partition::SubLeaves;
use crate::job::Scoring;

/// A column of one's own.
struct Own<'a> {
    /// Its place among the joint quasi columns.
    place: usize,
    /// Its place among one's own.
    own: usize,
    state: ColumnState<'a>,
}

/// A specialisation that wasn't refused yet.
struct Candidate {
    column: usize,
    refinement: Refinement,
    /// The part of each code.
    of_code: Vec<u32>,
    n_parts: usize,
}

/// A valid specialisation with its score.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Its place among the candidates.
    pub candidate: usize,
    /// The score.
    pub score: f64,
    /// The place of its column among the joint quasi columns.
    pub column: usize,
    /// The number of the published value.
    pub value: u32,
    /// The first code that it is about: of equal scores in a column the first wins.
    order: u32,
}

/// One's own columns and what may be done with them.
pub struct Candidates<'a> {
    table: &'a Table,
    columns: Vec<Own<'a>>,
    list: Vec<Candidate>,
    scoring: Scoring,
    beneficial_only: bool,
}

impl<'a> Candidates<'a> {
    /// Everything at the top. `places` are the places of one's own quasi columns.
    pub fn new(
        table: &'a Table,
        places: &[usize],
        classes: &Classes,
        (scoring, beneficial_only): (Scoring, bool),
    ) -> Self {
        let column = |(own, column): (usize, &'a sfumato_core::dataset::Column)| {
            let marginal = marginal(column, classes);
            let state = ColumnState::new(column, own, Way::Tree, marginal);
            Own { place: places[own], own, state }
        };
        let columns = table.quasi().into_iter().enumerate().map(column).collect();
        let mut candidates =
            Candidates { table, columns, list: Vec::new(), scoring, beneficial_only };
        (0..candidates.columns.len()).for_each(|column| candidates.add(column, 0));
        candidates
    }

    /// Add what may be done with a value. An only child stands for the same records as its parent:
    /// it takes the place without anybody being told.
    fn add(&mut self, column: usize, block: u32) {
        let state = &mut self.columns[column].state;
        for refinement in state.refinements(block, &|_| 0.0) {
            let parts = state.parts(&refinement);
            let (of_code, n_parts) = (parts.of_code, parts.rows.len());
            if n_parts == 1 {
                state.perform(&refinement);
                return self.add(column, block);
            }
            self.list.push(Candidate { column, refinement, of_code, n_parts });
        }
    }

    /// What is published of each own column at first, by its place.
    pub fn tops(&self) -> Vec<(usize, String)> {
        self.columns.iter().map(|own| (own.place, self.label(own, 0))).collect()
    }

    fn label(&self, own: &Own<'_>, code: u32) -> String {
        let column = self.table.quasi()[own.own];
        own.state.cut().value(code).render(column)
    }

    /// The best that may be done in some columns. What breaks a requirement now breaks it for ever,
    /// and is forgotten.
    pub fn best(
        &mut self,
        partition: &Partition,
        shared: &Shared,
        takes: &(dyn Fn(usize) -> bool + Sync),
    ) -> Option<Offer> {
        let least: Vec<u64> = shared.qids().iter().map(|qid| partition.least(qid, None)).collect();
        let judged: Vec<Option<Option<Offer>>> = self
            .list
            .par_iter()
            .enumerate()
            .map(|(place, candidate)| match takes(self.columns[candidate.column].place) {
                true => self.offer(place, candidate, partition, shared, &least),
                false => Some(None),
            })
            .collect();
        let mut best: Option<Offer> = None;
        for offer in judged.iter().flatten().flatten() {
            let better = best.as_ref().is_none_or(|best| {
                let order = offer.score.total_cmp(&best.score);
                order.then((best.column, best.order).cmp(&(offer.column, offer.order))).is_gt()
            });
            if better {
                best = Some(offer.clone());
            }
        }
        // Places change when others are forgotten.
        let gone: Vec<bool> = judged.iter().map(Option::is_none).collect();
        if let Some(best) = &mut best {
            best.candidate -= gone[..best.candidate].iter().filter(|gone| **gone).count();
        }
        let mut gone = gone.iter();
        self.list.retain(|_| !gone.next().copied().unwrap_or(false));
        best
    }

    /// The offer of a candidate: none for ever, or none now, or its score.
    fn offer(
        &self,
        place: usize,
        candidate: &Candidate,
        partition: &Partition,
        shared: &Shared,
        least: &[u64],
    ) -> Option<Option<Offer>> {
        let own = &self.columns[candidate.column];
        let (column, value) = (own.place, candidate.refinement.block);
        if self.beneficial_only && !partition.is_beneficial(column, value) {
            return None;
        }
        let sub = self.sub_leaves(candidate, partition);
        let split = Some((column, value, &sub));
        let qids = shared.qids();
        let with: Vec<usize> = (0..qids.len()).filter(|&qid| qids[qid].contains(&column)).collect();
        let after: Vec<u64> = with.iter().map(|&qid| partition.least(&qids[qid], split)).collect();
        if !with.iter().zip(&after).all(|(&qid, &least)| shared.holds(qid, least)) {
            return None;
        }
        let gain = candidate.refinement.gain;
        let score = match self.scoring {
            Scoring::Gain => gain,
            Scoring::GainRatio => match split_info(&sub, candidate.n_parts) {
                info if info > 0.0 => gain / info,
                _ => 0.0,
            },
            Scoring::GainPerLoss => {
                let lost = |(&qid, &after): (&usize, &u64)| least[qid] as f64 - after as f64;
                let loss = match with.len() {
                    0 => 0.0,
                    n => with.iter().zip(&after).map(lost).sum::<f64>() / n as f64,
                };
                gain / (loss + 1.0)
            }
        };
        // A gain is never negative but for rounding.
        let score = score.max(0.0);
        let order = candidate.refinement.order;
        Some(Some(Offer { candidate: place, score, column, value, order }))
    }

    fn sub_leaves(&self, candidate: &Candidate, partition: &Partition) -> SubLeaves {
        let own = &self.columns[candidate.column];
        let codes = &self.table.quasi()[own.own].codes;
        let part_of = |record: u32| candidate.of_code[codes.get(record as usize) as usize];
        let (value, n) = (candidate.refinement.block, candidate.n_parts);
        partition.sub_leaves(own.place, value, n, &part_of)
    }

    /// The part of each record with the value that an offer is about, in ascending order.
    pub fn parts(&self, offer: &Offer, partition: &Partition) -> Vec<u32> {
        let candidate = &self.list[offer.candidate];
        let codes = &self.table.quasi()[self.columns[candidate.column].own].codes;
        let records = partition.records(offer.column, offer.value);
        let part = |&record: &u32| candidate.of_code[codes.get(record as usize) as usize];
        records.iter().map(part).collect()
    }

    /// Forget an offer that somebody rejected.
    pub fn forget(&mut self, offer: &Offer) {
        self.list.remove(offer.candidate);
    }

    /// What would be published for each part of an offer.
    pub fn labels(&self, offer: &Offer) -> Vec<String> {
        let candidate = &self.list[offer.candidate];
        let own = &self.columns[candidate.column];
        let column = self.table.quasi()[own.own];
        let node = own.state.node(candidate.refinement.block);
        let label = |part: u32| {
            let mut codes = (0..candidate.of_code.len() as u32)
                .filter(|code| candidate.of_code[*code as usize] == part);
            let lo = codes.next().unwrap_or(0);
            let hi = codes.next_back().unwrap_or(lo) + 1;
            if lo == column.domain.missing() {
                return Value::covering(column, 0, 0, true).render(column);
            }
            let child = column.hierarchy.as_ref().and_then(|tree| {
                let is_it = |child: &u32| tree.lo(*child) == lo && tree.hi(*child) == hi;
                let is_node = (node as usize) < tree.n_nodes();
                let mut child = is_node.then(|| tree.children(node).find(is_it))??;
                while tree.children(child).len() == 1 {
                    child = tree.children(child).start;
                }
                Some(child)
            });
            match child {
                Some(child) => Value::Node(child).render(column),
                None => Value::covering(column, lo, hi, false).render(column),
            }
        };
        (0..candidate.n_parts as u32).map(label).collect()
    }

    /// Perform an offer.
    pub fn perform(&mut self, offer: &Offer) {
        let Candidate { column, refinement, .. } = self.list.remove(offer.candidate);
        let blocks = self.columns[column].state.perform(&refinement);
        blocks.iter().for_each(|&block| self.add(column, block));
    }

    /// What is published of each own quasi column in the end.
    pub fn cuts(&self) -> Vec<Cut> {
        self.columns.iter().map(|own| own.state.cut()).collect()
    }
}

/// The counts of a column with the classes of its records.
fn marginal(column: &sfumato_core::dataset::Column, classes: &Classes) -> Marginal {
    let (n_codes, n_classes) = (column.domain.len() + 1, classes.labels.len());
    let mut pairs: Vec<(u32, u32)> =
        column.codes.iter().zip(classes.of_record.iter().copied()).collect();
    pairs.sort_unstable();
    let count = |run: &[(u32, u32)]| (run[0].0, run[0].1, run.len() as u32);
    let counted: Vec<(u32, u32, u32)> = pairs.chunk_by(|a, b| a == b).map(count).collect();
    Marginal::of_counts(column.codes.counts(n_codes), n_classes, &counted)
}

/// The information of which part a record is in, in bits.
fn split_info(sub: &SubLeaves, n_parts: usize) -> f64 {
    let mut rows = vec![0u64; n_parts];
    sub.rows.iter().for_each(|&(_, part, n)| rows[part as usize] += u64::from(n));
    let all: u64 = rows.iter().sum();
    let bits = |rows: u64| {
        let share = rows as f64 / all as f64;
        -share * share.log2()
    };
    rows.into_iter().filter(|rows| *rows > 0).map(bits).sum()
}
