//! The anonymity of each quasi-identifier, A(QID), which is the size of its smallest group, and how
//! much a refinement would reduce it.

use rayon::prelude::*;
use sfumato_core::traits::Task;

use super::checks::{gather, subsets};
use super::keys::Items;
use super::refinement::Parts;
use super::tips::{SubLeaves, Tips};

/// The quasi-identifiers that the requirements are about, each with its groups' sizes.
pub struct Anonymity {
    qids: Vec<Qid>,
}

struct Qid {
    columns: Vec<usize>,
    /// For each of the columns and each of its published values the smallest group that has the
    /// value.
    least: Vec<Vec<u32>>,
}

impl Qid {
    /// The smallest group whose value in a column isn't this one, or of all groups without a value.
    fn least_without(&self, column: usize, block: Option<u32>) -> u32 {
        let place = self.columns.binary_search(&column).unwrap_or(0);
        let Some(least) = self.least.get(place) else { return u32::MAX };
        let others = least.iter().enumerate().filter(|(other, _)| block != Some(*other as u32));
        others.map(|(_, &least)| least).min().unwrap_or(u32::MAX)
    }
}

impl Anonymity {
    /// The quasi-identifiers of a task; a requirement about classes is about all columns.
    pub fn new(task: &Task<'_>, n_columns: usize) -> Self {
        let mut sets: Vec<Vec<usize>> = task
            .requirements
            .iter()
            .flat_map(|requirement| subsets(requirement.scope(), n_columns))
            .map(|(set, ())| set)
            .collect();
        sets.sort();
        sets.dedup();
        let qid = |columns: Vec<usize>| Qid { least: Vec::new(), columns };
        Anonymity { qids: sets.into_iter().map(qid).collect() }
    }

    /// The number of quasi-identifiers.
    pub fn n_qids(&self) -> usize {
        self.qids.len()
    }
    /// Whether a quasi-identifier has a column.
    pub fn has(&self, qid: usize, column: usize) -> bool {
        self.qids[qid].columns.binary_search(&column).is_ok()
    }
    /// The size of the smallest group of a quasi-identifier.
    pub fn of(&self, qid: usize) -> u32 {
        self.qids[qid].least_without(self.qids[qid].columns.first().copied().unwrap_or(0), None)
    }

    /// Recount the quasi-identifiers that contain a column, or all.
    pub fn count(&mut self, tips: &Tips, n_blocks: &[usize], column: Option<usize>) {
        let all: Vec<usize> = (0..n_blocks.len()).collect();
        let leaves: Vec<u32> = (0..tips.len() as u32).collect();
        let columns = gather(tips, &leaves, &vec![true; all.len()]);
        let items = Items { first: None, columns: &columns, n_values: n_blocks, rows: tips.rows() };
        let stale = |qid: &&mut Qid| column.is_none_or(|column| qid.columns.contains(&column));
        self.qids.par_iter_mut().filter(stale).for_each(|qid| {
            let mut groups = items.prefix(&qid.columns);
            groups.renumber();
            let mut sizes = vec![0u32; groups.n()];
            groups
                .keys()
                .iter()
                .zip(tips.rows())
                .for_each(|(&group, &rows)| sizes[group as usize] += rows);
            qid.least =
                qid.columns.iter().map(|&column| vec![u32::MAX; n_blocks[column]]).collect();
            for (least, &column) in qid.least.iter_mut().zip(&qid.columns) {
                for (&group, &block) in groups.keys().iter().zip(tips.blocks(column)) {
                    let least = &mut least[block as usize];
                    *least = (*least).min(sizes[group as usize]);
                }
            }
        });
    }

    /// The anonymity of some quasi-identifiers after a value of a column is split.
    pub fn after(
        &self,
        tips: &Tips,
        n_blocks: &[usize],
        (column, block): (usize, u32),
        parts: &Parts,
        sub: &SubLeaves,
        qids: &[usize],
    ) -> Vec<u32> {
        let mut needed = vec![false; n_blocks.len()];
        let others = |qid: usize| -> Vec<usize> {
            let columns = self.qids[qid].columns.iter().copied();
            columns.filter(|&other| other != column && n_blocks[other] > 1).collect()
        };
        let n_active =
            (0..n_blocks.len()).filter(|&other| other != column && n_blocks[other] > 1).count();
        let sets: Vec<Vec<usize>> = qids.iter().map(|&qid| others(qid)).collect();
        // All columns together need no grouping.
        let grouped = |set: &&Vec<usize>| set.len() < n_active;
        sets.iter()
            .filter(grouped)
            .for_each(|set| set.iter().for_each(|&column| needed[column] = true));
        let columns = gather(tips, &sub.leaf, &needed);
        let items = Items {
            first: Some((&sub.part, parts.rows.len())),
            columns: &columns,
            n_values: n_blocks,
            rows: &sub.rows,
        };
        qids.par_iter()
            .zip(&sets)
            .map(|(&qid, set)| {
                let changed = match (grouped(&set), set.split_last()) {
                    (false, _) => sub.rows.iter().copied().min(),
                    (true, None) => items.least(&items.prefix(&[]), None),
                    (true, Some((&last, rest))) => items.least(&items.prefix(rest), Some(last)),
                };
                changed.unwrap_or(u32::MAX).min(self.qids[qid].least_without(column, Some(block)))
            })
            .collect()
    }
}
