//! The greedy search.

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Role};
use sfumato_core::recoding::{Cut, Cuts, Finding};
use sfumato_core::traits::{Objective, Task};
use sfumato_core::{FastSet, Result};

use super::anonymity::Anonymity;
use super::checks::Checks;
use super::columns::{ColumnState, Way};
use super::marginal::Target;
use super::points::Points;
use super::refinement::{Parts, Refinement, Step};
use super::score::Score;
use super::tips::{SubLeaves, Tips};
use crate::algorithms::global::shared::publish::publish;
use crate::algorithms::shared::progress::Progress;

/// A refinement that hasn't been refused, with its score.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What would be done.
    pub refinement: Refinement,
    /// The score, or an upper bound of it.
    pub score: f64,
    /// The number of steps after which the score was computed.
    fresh: Option<usize>,
    /// The anonymity that it would leave for each quasi-identifier, for scores that use it.
    left: Vec<Option<u32>>,
}

/// The state of the search.
pub struct Search<'a> {
    columns: Vec<ColumnState<'a>>,
    points: Points<'a>,
    tips: Tips,
    checks: Checks<'a>,
    anonymity: Option<Anonymity>,
    objective: &'a Objective<'a>,
    stand_in: Option<Objective<'a>>,
    score: Score,
    candidates: Vec<Candidate>,
    steps: usize,
    refused: usize,
}

/// Search, and publish the result.
pub fn specialise(
    algorithm: &str,
    task: &Task<'_>,
    score: Score,
    way: impl Fn(&Column) -> Way + Sync,
) -> Result<Cuts> {
    let mut progress = Progress::begin(task);
    let mut search = Search::new(algorithm, task, score, way)?;
    if !search.tips.is_empty() {
        while search.step().is_some() {
            progress.reach(0)?;
        }
    }
    progress.reach(task.table.n_rows)?;
    let findings = vec![
        Finding { name: "specializations", value: search.steps as f64 },
        Finding { name: "refused", value: search.refused as f64 },
    ];
    publish(task, search.cuts(), findings)
}

impl<'a> Search<'a> {
    /// The state in which everything is fully generalized.
    pub fn new(
        algorithm: &str,
        task: &Task<'a>,
        score: Score,
        way: impl Fn(&Column) -> Way + Sync,
    ) -> Result<Self> {
        let checks = Checks::new(algorithm, task)?;
        let target = task.table.of_role(Role::Target).next().map(Target::new);
        let quasi = task.table.quasi();
        let columns: Vec<ColumnState<'a>> = quasi
            .par_iter()
            .enumerate()
            .map(|(place, &column)| ColumnState::new(column, place, way(column), target.as_ref()))
            .collect();
        let points = Points::new(task);
        let tips = Tips::new(&points, columns.len(), task.table.n_rows);
        let mut search = Search {
            tips,
            points,
            checks,
            anonymity: (score == Score::GainPerLoss).then(|| Anonymity::new(task, columns.len())),
            objective: task.objective,
            // An objective that doesn't look at cells says nothing about values.
            stand_in: task.objective.ignores_cells().then(|| Objective::ncp(task.table)),
            columns,
            score,
            candidates: Vec::new(),
            steps: 0,
            refused: 0,
        };
        (0..search.columns.len()).for_each(|column| search.offer(column, 0));
        search.rescore(None);
        Ok(search)
    }

    /// The refinements that haven't been refused.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }
    /// The leaves.
    pub fn tips(&self) -> &Tips {
        &self.tips
    }
    /// The columns.
    pub fn columns(&self) -> &[ColumnState<'a>] {
        &self.columns
    }
    /// The cuts that would be published now.
    pub fn cuts(&self) -> Vec<Cut> {
        self.columns.iter().map(ColumnState::cut).collect()
    }

    fn n_blocks(&self) -> Vec<usize> {
        self.columns.iter().map(ColumnState::n_blocks).collect()
    }

    /// Add the refinements of a published value. Those with a part that is too small by itself are
    /// refused at once.
    fn offer(&mut self, column: usize, block: u32) {
        let objective = self.stand_in.as_ref().unwrap_or(self.objective);
        let state = &self.columns[column];
        let min = self.checks.min_rows(column);
        let n_qids = self.anonymity.as_ref().map_or(0, Anonymity::n_qids);
        for refinement in state.refinements(block, &|value| objective.cell(column, value)) {
            if refinement.least.is_some_and(|least| least < min) {
                self.refused += 1;
                continue;
            }
            let score = if self.score.falls() { f64::INFINITY } else { refinement.gain };
            self.candidates.push(Candidate {
                refinement,
                score,
                fresh: None,
                left: vec![None; n_qids],
            });
        }
    }

    /// Perform the best valid refinement and return it. `None` if there is none.
    pub fn step(&mut self) -> Option<Refinement> {
        while let Some(place) = self.best() {
            let refinement = self.candidates[place].refinement;
            let column = &self.columns[refinement.column];
            let parts = column.parts(&refinement);
            let sub = self.sub_leaves(&refinement, &parts);
            if let (Score::Discernibility(reading), true) =
                (self.score, self.candidates[place].fresh != Some(self.steps))
            {
                self.candidates[place].score = reading.score(&self.tips, &sub);
                self.candidates[place].fresh = Some(self.steps);
                if self.best() != Some(place) {
                    continue;
                }
            }
            let allowed = self.checks.allow(
                &self.points,
                &self.tips,
                &self.n_blocks(),
                refinement.column,
                &parts,
                &sub,
            );
            self.candidates.swap_remove(place);
            if allowed {
                self.perform(&refinement, &parts, &sub);
                return Some(refinement);
            }
            self.refused += 1;
        }
        None
    }

    /// The sub-leaves of a refinement.
    pub fn sub_leaves(&self, refinement: &Refinement, parts: &Parts) -> SubLeaves {
        self.tips.sub_leaves(&self.points, refinement.column, &parts.of_code, parts.rows.len())
    }

    /// The place of the candidate with the highest score; of equal ones that of the first column
    /// and value.
    fn best(&self) -> Option<usize> {
        let key = |place: &usize| {
            let Candidate { refinement, score, .. } = &self.candidates[*place];
            (*score, refinement.column, refinement.order)
        };
        let better = |a: &usize, b: &usize| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2))
        };
        (0..self.candidates.len()).max_by(better)
    }

    fn perform(&mut self, refinement: &Refinement, parts: &Parts, sub: &SubLeaves) {
        let column = refinement.column;
        let blocks = self.columns[column].perform(refinement);
        self.tips.perform(&self.points, column, &parts.of_code, sub, &blocks);
        self.steps += 1;
        // Other refinements of the same value, which are disclosures, must be looked at again.
        let block = refinement.block;
        let is_sibling =
            |c: &Candidate| c.refinement.column == column && c.refinement.block == block;
        let siblings: FastSet<u32> =
            self.candidates.iter().filter(|c| is_sibling(c)).map(|c| c.refinement.order).collect();
        self.candidates.retain(|c| !is_sibling(c));
        let (first_new, refused) = (self.candidates.len(), self.refused);
        blocks.iter().for_each(|&block| self.offer(column, block));
        if matches!(refinement.step, Step::Disclose(_)) {
            // What was refused before stays refused.
            let mut offered = self.candidates.split_off(first_new);
            offered.retain(|c| siblings.contains(&c.refinement.order));
            self.refused = refused + siblings.len() - offered.len();
            self.candidates.extend(offered);
        }
        self.rescore(Some(column));
    }

    /// Recompute the scores that changed because a column was refined, or all.
    fn rescore(&mut self, column: Option<usize>) {
        let n_blocks = self.n_blocks();
        let Some(anonymity) = &mut self.anonymity else { return };
        anonymity.count(&self.tips, &n_blocks, column);
        let (anonymity, tips, points, columns) =
            (&*anonymity, &self.tips, &self.points, &self.columns);
        self.candidates.par_iter_mut().for_each(|candidate| {
            let refinement = candidate.refinement;
            let own = |qid: &usize| anonymity.has(*qid, refinement.column);
            let qids: Vec<usize> = (0..anonymity.n_qids()).filter(own).collect();
            let stale = |qid: &usize| {
                candidate.left[*qid].is_none()
                    || column.is_none_or(|column| anonymity.has(*qid, column))
            };
            let stale: Vec<usize> = qids.iter().copied().filter(stale).collect();
            if !stale.is_empty() {
                let parts = columns[refinement.column].parts(&refinement);
                let sub =
                    tips.sub_leaves(points, refinement.column, &parts.of_code, parts.rows.len());
                let place = (refinement.column, refinement.block);
                let left = anonymity.after(tips, &n_blocks, place, &parts, &sub, &stale);
                stale.iter().zip(left).for_each(|(&qid, left)| candidate.left[qid] = Some(left));
            }
            let loss = |&qid: &usize| {
                f64::from(anonymity.of(qid))
                    - f64::from(candidate.left[qid].unwrap_or(anonymity.of(qid)))
            };
            let loss = match qids.len() {
                0 => 0.0,
                n => qids.iter().map(loss).sum::<f64>() / n as f64,
            };
            candidate.score = refinement.gain / (loss + 1.0);
        });
    }
}
