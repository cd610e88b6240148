//! The greedy search down the trees: the best refinement first, until none is allowed.

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Role};
use sfumato_core::recoding::{Cut, Cuts, Finding};
use sfumato_core::traits::{Objective, Task};
use sfumato_core::{FastSet, Result};

use super::Recipe;
use super::anonymity::Anonymity;
use super::checks::Checks;
use super::columns::{ColumnState, Way};
use super::held::Held;
use super::marginal::{Marginal, Target};
use super::points::Points;
use super::refinement::{Parts, Refinement, Step};
use super::score::Score;
use super::store::{Split, Store};
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
    store: Box<dyn Store + 'a>,
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

/// Search, and publish what was found.
pub fn specialise(algorithm: &str, task: &Task<'_>, recipe: Recipe) -> Result<Cuts> {
    let mut progress = Progress::begin(task);
    let mut search = Search::new(algorithm, task, recipe.score, recipe.way)?;
    search.run(&mut progress)?;
    progress.reach(task.table.n_rows)?;
    publish(task, search.cuts(), search.findings())
}

impl<'a> Search<'a> {
    /// The state in which everything is fully generalized.
    pub fn new(
        algorithm: &str,
        task: &Task<'a>,
        score: Score,
        way: fn(&Column) -> Way,
    ) -> Result<Self> {
        let target = task.table.of_role(Role::Target).next().map(Target::new);
        let count = |column: &&Column| {
            Marginal::new(&column.codes, column.domain.len() + 1, target.as_ref())
        };
        let marginals: Vec<Marginal> = task.table.quasi().par_iter().map(count).collect();
        let store = Box::new(Held::new(Points::new(task)));
        Self::with_store(algorithm, task, Recipe { score, way }, marginals, store)
    }

    /// The same with points that are elsewhere: the table of the task has its columns and says how
    /// many rows there are, and its reference is the summary of all of them; `marginals` are the
    /// counts of each quasi column.
    pub fn with_store(
        algorithm: &str,
        task: &Task<'a>,
        Recipe { score, way }: Recipe,
        marginals: Vec<Marginal>,
        store: Box<dyn Store + 'a>,
    ) -> Result<Self> {
        let checks = Checks::new(algorithm, task)?;
        let quasi = task.table.quasi();
        let columns: Vec<ColumnState<'a>> = quasi
            .into_iter()
            .zip(marginals)
            .enumerate()
            .map(|(place, (column, marginal))| {
                ColumnState::new(column, place, way(column), marginal)
            })
            .collect();
        let tips = Tips::new(columns.len(), task.table.n_rows);
        let mut search = Search {
            tips,
            store,
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
        search.rescore(None)?;
        Ok(search)
    }

    /// Step until there is nothing more that may be done.
    pub fn run(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        if self.tips.is_empty() {
            return Ok(());
        }
        // What is published now may always be: every step was checked before it was performed.
        while !progress.enough() && self.step()?.is_some() {
            progress.reach(0)?;
        }
        Ok(())
    }

    /// What the search found out on its way.
    pub fn findings(&self) -> Vec<Finding> {
        vec![
            Finding { name: "specializations", value: self.steps as f64 },
            Finding { name: "refused", value: self.refused as f64 },
        ]
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

    /// Perform the best refinement that may be and say which it was; `None` if there is none.
    pub fn step(&mut self) -> Result<Option<Refinement>> {
        while let Some(place) = self.best() {
            let refinement = self.candidates[place].refinement;
            let column = &self.columns[refinement.column];
            let parts = column.parts(&refinement);
            let sub = self.sub_leaves(&refinement, &parts)?;
            if let (Score::Discernibility(reading), true) =
                (self.score, self.candidates[place].fresh != Some(self.steps))
            {
                self.candidates[place].score = reading.score(&self.tips, &sub);
                self.candidates[place].fresh = Some(self.steps);
                if self.best() != Some(place) {
                    continue;
                }
            }
            let split = Split { column: refinement.column, parts: &parts };
            let points = (self.store.as_ref(), &self.tips);
            let allowed = self.checks.allow(points, &self.n_blocks(), split, &sub)?;
            self.candidates.swap_remove(place);
            if allowed {
                self.perform(&refinement, &parts, &sub)?;
                return Ok(Some(refinement));
            }
            self.refused += 1;
        }
        Ok(None)
    }

    /// What leaves would fall into.
    pub fn sub_leaves(&self, refinement: &Refinement, parts: &Parts) -> Result<SubLeaves> {
        let split = Split { column: refinement.column, parts };
        Ok(self.store.sub_leaves(&self.tips, &[split])?.pop().unwrap_or_default())
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

    fn perform(&mut self, refinement: &Refinement, parts: &Parts, sub: &SubLeaves) -> Result<()> {
        let column = refinement.column;
        let blocks = self.columns[column].perform(refinement);
        let finder = self.tips.finder(sub);
        let leaf_of_sub = self.tips.split(column, sub, &blocks);
        self.store.move_points(Split { column, parts }, &finder, &leaf_of_sub)?;
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
        self.rescore(Some(column))?;
        self.close()
    }

    /// For each quasi column the number of the published value of each code; codes that don't occur
    /// may have any.
    pub fn blocks_of_codes(&self) -> Vec<Vec<u32>> {
        self.columns.iter().map(ColumnState::blocks_of_codes).collect()
    }

    /// Tell the store which leaves have no value that can still be taken apart.
    fn close(&mut self) -> Result<()> {
        if !self.store.drops_closed() {
            return Ok(());
        }
        let mut is_open: Vec<Vec<bool>> =
            self.columns.iter().map(|column| vec![false; column.n_blocks()]).collect();
        for Candidate { refinement, .. } in &self.candidates {
            is_open[refinement.column][refinement.block as usize] = true;
        }
        let mut is_closed = vec![true; self.tips.len()];
        for (column, is_open) in is_open.iter().enumerate() {
            for (is_closed, &block) in is_closed.iter_mut().zip(self.tips.blocks(column)) {
                *is_closed &= !is_open[block as usize];
            }
        }
        self.store.close(&self.tips, &is_closed)
    }

    /// Compute again what changed because a column was refined, or everything.
    fn rescore(&mut self, column: Option<usize>) -> Result<()> {
        let n_blocks = self.n_blocks();
        let Some(anonymity) = &mut self.anonymity else { return Ok(()) };
        anonymity.count(&self.tips, &n_blocks, column);
        let (anonymity, tips, columns) = (&*anonymity, &self.tips, &self.columns);
        for candidates in self.candidates.chunks_mut(self.store.at_once().max(1)) {
            let stale_of = |candidate: &Candidate| -> Option<(Vec<usize>, Parts)> {
                let refinement = candidate.refinement;
                let is_stale = |qid: &usize| {
                    anonymity.has(*qid, refinement.column)
                        && (candidate.left[*qid].is_none()
                            || column.is_none_or(|column| anonymity.has(*qid, column)))
                };
                let stale: Vec<usize> = (0..anonymity.n_qids()).filter(is_stale).collect();
                let parts = || columns[refinement.column].parts(&refinement);
                (!stale.is_empty()).then(|| (stale, parts()))
            };
            let stale: Vec<Option<(Vec<usize>, Parts)>> =
                candidates.par_iter().map(stale_of).collect();
            let asked = candidates.iter().zip(&stale).filter_map(|(candidate, stale)| {
                let (_, parts) = stale.as_ref()?;
                Some(Split { column: candidate.refinement.column, parts })
            });
            let asked: Vec<Split<'_>> = asked.collect();
            let mut counted = self.store.sub_leaves(tips, &asked)?.into_iter();
            let sub: Vec<Option<SubLeaves>> =
                stale.iter().map(|stale| stale.as_ref().and_then(|_| counted.next())).collect();
            candidates.par_iter_mut().zip(stale).zip(sub).for_each(|((candidate, stale), sub)| {
                let refinement = candidate.refinement;
                if let (Some((stale, parts)), Some(sub)) = (stale, sub) {
                    let place = (refinement.column, refinement.block);
                    let left = anonymity.after(tips, &n_blocks, place, &parts, &sub, &stale);
                    for (&qid, left) in stale.iter().zip(left) {
                        candidate.left[qid] = Some(left);
                    }
                }
                candidate.score = refinement.gain / (loss(anonymity, candidate) + 1.0);
            });
        }
        Ok(())
    }
}

/// The anonymity that a refinement takes from the quasi-identifiers of its column, on average.
fn loss(anonymity: &Anonymity, candidate: &Candidate) -> f64 {
    let own = |qid: &usize| anonymity.has(*qid, candidate.refinement.column);
    let qids: Vec<usize> = (0..anonymity.n_qids()).filter(own).collect();
    let loss = |&qid: &usize| {
        f64::from(anonymity.of(qid)) - f64::from(candidate.left[qid].unwrap_or(anonymity.of(qid)))
    };
    match qids.len() {
        0 => 0.0,
        n => qids.iter().map(loss).sum::<f64>() / n as f64,
    }
}
