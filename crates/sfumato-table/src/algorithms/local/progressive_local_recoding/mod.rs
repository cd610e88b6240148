//! Progressive local recoding: all records begin fully generalized. In each group one column is
//! specialised, the records of children that may be published move to them, and the others stay.

mod children;
mod specialise;

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::local;
use crate::algorithms::shared::progress::Progress;
use crate::algorithms::shared::space::Space;
use specialise::Group;

/// The algorithm `progressive-local-recoding`, an entry of the registry.
pub struct ProgressiveLocalRecoding;

static INFO: Info = Info {
    name: "progressive-local-recoding",
    summary: "specialises one column of a group at a time; records whose child could be published \
        leave for it, the others stay",
    papers: &[Paper {
        authors: "R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang",
        title: "(alpha, k)-anonymity: an enhanced k-anonymity model for privacy preserving data \
            publishing",
        venue: "KDD",
        year: 2006,
    }],
    params: &[],
    doc: include_str!("progressive_local_recoding.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        anytime: true,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for ProgressiveLocalRecoding {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        local::anonymize(self, task, |task, space, judge, progress| {
            clusters(space, judge, task.table.n_rows, progress)
        })
    }
}

/// Specialise every group of a round, then the resulting groups, until none can be specialised.
fn clusters(
    space: &Space<'_>,
    judge: &Judge<'_>,
    n_rows: usize,
    progress: &mut Progress<'_>,
) -> Result<Vec<Vec<u32>>> {
    let mut round = vec![Group::new(space, (0..n_rows as u32).collect())];
    let mut done: Vec<Vec<u32>> = Vec::new();
    let mut n_done = 0;
    while !round.is_empty() {
        // Groups that are to be specialised may be published as they are.
        if progress.enough() {
            done.extend(round.into_iter().map(|group| group.rows));
            break;
        }
        let parts: Vec<Option<Vec<Group>>> =
            round.par_iter().map(|group| specialise::specialise(space, judge, group)).collect();
        let mut next = Vec::new();
        for (group, parts) in round.into_iter().zip(parts) {
            match parts {
                Some(parts) => next.extend(parts),
                None => {
                    n_done += group.rows.len();
                    done.push(group.rows);
                }
            }
        }
        round = next;
        progress.reach(n_done)?;
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::shared::testing::{Numbers, in_order};

    fn clusters_of(numbers: &Numbers, k: u64) -> Vec<Vec<u32>> {
        numbers.with(k, 0, |task, space, judge, progress| {
            in_order(&clusters(space, judge, task.table.n_rows, progress).expect("nobody stops it"))
        })
    }

    #[test]
    fn records_of_rare_children_stay_at_the_parent() {
        // Bands of ten: four records in 0..10, one in each of 20..30, 30..40 and 40..50.
        let numbers = Numbers::banded(&[1, 2, 3, 4, 21, 31, 41], &[10]);
        assert_eq!(clusters_of(&numbers, 3), [vec![0, 1, 2, 3], vec![4, 5, 6]]);
    }

    #[test]
    fn the_parent_takes_some_back_if_too_few_stay() {
        // One record alone in its band needs two companions: the band of six can give them.
        let numbers = Numbers::banded(&[1, 2, 3, 4, 5, 6, 21], &[10]);
        let found = clusters_of(&numbers, 3);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>().iter().sum::<usize>(), 7);
        let stayed = found.iter().find(|rows| rows.contains(&6)).expect("every row is in a group");
        assert_eq!((found.len(), stayed.len()), (2, 3));
        // A band of four can't.
        assert_eq!(
            clusters_of(&Numbers::banded(&[1, 2, 3, 4, 21], &[10]), 3),
            [vec![0, 1, 2, 3, 4]]
        );
    }

    #[test]
    fn ordered_columns_are_cut_at_the_median() {
        let numbers = Numbers::new(&[&[1, 90, 2, 91, 0, 92]]);
        assert_eq!(clusters_of(&numbers, 3), [vec![0, 2, 4], vec![1, 3, 5]]);
    }
}
