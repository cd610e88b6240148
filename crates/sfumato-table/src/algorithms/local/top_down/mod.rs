//! Top-down local recoding (Xu et al. 2006): a group is split between two distant records again and
//! again, and groups that are too small are repaired at the end.

mod repair;
mod split;

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::recoding::Recoding;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};
use sfumato_core::traits::{Algorithm, Task};

use crate::algorithms::shared::clusters::Judge;
use crate::algorithms::shared::local;
use crate::algorithms::shared::points::Points;
use crate::algorithms::shared::progress::Progress;
use repair::Groups;
use sfumato_kernels::seeded::Seeded;

/// The algorithm `top-down`, an entry of the registry.
pub struct TopDown;

static INFO: Info = Info {
    name: "top-down",
    summary: "splits groups between two far records, and mends those that came out too small by \
        fetching records or merging",
    papers: &[Paper {
        authors: "J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. W.-C. Fu",
        title: "Utility-based anonymization using local recoding",
        venue: "KDD",
        year: 2006,
    }],
    params: &[],
    doc: include_str!("top_down.md"),
    capabilities: Capabilities {
        serves: Fact::OF_CLASSES,
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for TopDown {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, _: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        local::anonymize(self, task, |task, space, judge, progress| {
            let points = Points::new(task, space);
            points.check_size(INFO.name)?;
            clusters(&points, judge, task.seed, progress)
        })
    }
}

/// Split while one of two parts may be published, then repair.
fn clusters(
    points: &Points<'_>,
    judge: &Judge<'_>,
    seed: u64,
    progress: &mut Progress<'_>,
) -> Result<Vec<Vec<u32>>> {
    let mut random = Seeded::new(seed);
    let mut groups = Groups::new(points, judge);
    let mut waiting: Vec<Vec<u32>> = vec![(0..points.len() as u32).collect()];
    while let Some(group) = waiting.pop() {
        let rows = rows_of(points, &group);
        let parts = match rows.len() > judge.min_rows {
            true => split::split(points, &mut random, &group),
            false => None,
        };
        let Some(parts) = parts else {
            groups.push(rows);
            continue;
        };
        let holds = parts.each_ref().map(|part| judge.holds(&rows_of(points, part)));
        if holds == [false, false] {
            groups.push(rows);
            continue;
        }
        for (part, holds) in parts.into_iter().zip(holds) {
            match holds {
                true => waiting.push(part),
                false => groups.push(rows_of(points, &part)),
            }
        }
        progress.reach(0)?;
    }
    groups.repair(progress)?;
    Ok(groups.into_rows())
}

fn rows_of(points: &Points<'_>, group: &[u32]) -> Vec<u32> {
    group.iter().flat_map(|&point| points.rows(point as usize).iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::shared::testing::{Numbers, in_order};

    fn clusters_of(numbers: &Numbers, k: u64, seed: u64) -> Vec<Vec<u32>> {
        numbers.with(k, 0, |task, space, judge, progress| {
            in_order(
                &clusters(&Points::new(task, space), judge, seed, progress)
                    .expect("nobody stops it"),
            )
        })
    }

    #[test]
    fn two_heaps_are_two_groups() {
        for seed in 0..5 {
            let numbers = Numbers::new(&[&[1, 90, 2, 91, 0, 92]]);
            assert_eq!(clusters_of(&numbers, 3, seed), [vec![0, 2, 4], vec![1, 3, 5]]);
        }
    }

    #[test]
    fn a_group_that_is_too_small_fetches_from_a_neighbour_or_merges() {
        // Four records are far from five others: with k = 5 they fetch none, since five can't give;
        // with seven they fetch one.
        let few = Numbers::new(&[&[0, 1, 2, 3, 90, 91, 92, 93, 94]]);
        assert_eq!(clusters_of(&few, 5, 1), [(0..9).collect::<Vec<u32>>()]);
        let enough = Numbers::new(&[&[0, 1, 2, 3, 60, 91, 92, 93, 94, 95]]);
        for seed in 0..5 {
            let found = clusters_of(&enough, 5, seed);
            assert_eq!(found, [(0..5).collect::<Vec<u32>>(), (5..10).collect()]);
        }
    }

    #[test]
    fn every_group_has_k_records_and_none_is_lost() {
        let values: Vec<u32> = (0..100u32).map(|i| i * i * 37 % 101).collect();
        let others: Vec<u32> = (0..100u32).map(|i| i * 61 % 89).collect();
        for k in [2, 5, 9] {
            let found = clusters_of(&Numbers::new(&[&values, &others]), k, k);
            assert!(found.len() > 1 && found.iter().all(|rows| rows.len() as u64 >= k));
            let mut rows: Vec<u32> = found.concat();
            rows.sort_unstable();
            assert_eq!(rows, (0..100).collect::<Vec<u32>>());
        }
    }
}
