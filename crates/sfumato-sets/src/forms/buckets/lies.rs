//! Groups that don't protect, and counts that aren't those of the groups: the verifier of buckets
//! must see through each. Only tests tell them.

use sfumato_engine::lie::{Lie, Subject};

use crate::data::read::Loaded;
use crate::data::{FactCounts, Groups};

use super::BucketDecision;
use super::plan::sensitive_of;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, BucketDecision>> {
    vec![
        Lie {
            name: "every record is a group of its own",
            subject: Subject::Privacy,
            tell: |data, decision| {
                let alone: Vec<u32> = (0..decision.groups.of_record().len() as u32).collect();
                regroup(data, decision, &alone)
            },
        },
        Lie {
            name: "the last record is left out",
            subject: Subject::Row,
            tell: |data, decision| {
                let mut groups = decision.groups.of_record().to_vec();
                groups.pop().is_some() && regroup(data, decision, &groups)
            },
        },
        Lie {
            name: "a group has an item that none of its records has",
            subject: Subject::Cell,
            tell: |_, decision| {
                recount(decision, |rows, _| {
                    let items: Vec<u32> = rows.iter().map(|(_, item, _)| *item).collect();
                    let has = |group: u32, item: u32| {
                        rows.iter().any(|row| (row.0, row.1) == (group, item))
                    };
                    let other = rows.iter().enumerate().find_map(|(at, (group, ..))| {
                        let other = items.iter().find(|item| !has(*group, **item))?;
                        Some((at, *other))
                    });
                    other.map(|(at, item)| rows[at].1 = item).is_some()
                })
            },
        },
        Lie {
            name: "a record more has an item than in truth",
            subject: Subject::Count,
            tell: |_, decision| {
                recount(decision, |rows, sizes| {
                    let mut all = rows.iter_mut();
                    let has_room = all.find(|row| row.2 < sizes[row.0 as usize]);
                    has_room.map(|row| row.2 += 1).is_some()
                })
            },
        },
        Lie {
            name: "two groups have each other's counts",
            subject: Subject::Match,
            tell: |_, decision| {
                let counts = decision.counts.clone().unwrap_or_default();
                let n = decision.groups.len();
                let differ = |a: &usize, b: &usize| {
                    let sizes = decision.groups.sizes();
                    sizes[*a] == sizes[*b] && counts.of_group(*a) != counts.of_group(*b)
                };
                let mut pairs = (0..counts.n_groups().min(n))
                    .flat_map(|a| (0..a).map(move |b| (a as u32, b as u32)));
                let pair = pairs.find(|(a, b)| differ(&(*a as usize), &(*b as usize)));
                let Some((a, b)) = pair else { return false };
                recount(decision, |rows, _| {
                    for row in rows {
                        row.0 = match row.0 {
                            group if group == a => b,
                            group if group == b => a,
                            group => group,
                        };
                    }
                    true
                })
            },
        },
    ]
}

/// Put the records into other groups, whose counts are true.
fn regroup(data: &Loaded, decision: &mut BucketDecision, labels: &[u32]) -> bool {
    let Ok(sensitive) = sensitive_of(data) else { return false };
    decision.groups = Groups::from_labels(labels);
    let counts = FactCounts::of(&decision.groups, sensitive);
    decision.counts = decision.counts.take().map(|_| counts);
    true
}

/// Change the rows of group, item and count that are published, given the sizes of the groups.
/// False where no counts are published, or where nothing was changed.
fn recount(
    decision: &mut BucketDecision,
    change: impl FnOnce(&mut Vec<(u32, u32, u32)>, &[u32]) -> bool,
) -> bool {
    let Some(counts) = &decision.counts else { return false };
    let of_group = |group: usize| counts.of_group(group).iter().map(move |of| (group as u32, *of));
    let mut rows: Vec<(u32, u32, u32)> = (0..counts.n_groups())
        .flat_map(of_group)
        .map(|(group, (item, count))| (group, item, count))
        .collect();
    if !change(&mut rows, decision.groups.sizes()) {
        return false;
    }
    decision.counts = Some(FactCounts::from_rows(counts.n_groups(), rows));
    true
}
