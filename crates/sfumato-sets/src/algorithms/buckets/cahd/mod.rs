//! The algorithm `cahd` (Ghinita, Tao and Kalnis): around each record with a sensitive item it
//! makes a group of p records, of the most similar among its neighbours in the band order.

mod candidates;
mod histogram;
mod nearest;
mod remaining;
#[cfg(test)]
mod tests;

use sfumato_core::column::Code;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::observer::Unit;
use sfumato_core::recoding::Finding;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::Sets;
use sfumato_core::{Result, with_sets};

use super::band;
use super::facts::Facts;
use crate::data::Groups;
use crate::traits::{BucketAlgorithm, BucketFindings, BucketTask};
use candidates::Candidates;
use histogram::Histogram;
use nearest::{Nearest, Similarity};
use remaining::Remaining;

/// The algorithm `cahd`, an entry of the registry.
pub struct Cahd;

static INFO: Info = Info {
    name: "cahd",
    summary: "puts each record with a sensitive item into a group with the p - 1 most alike of its \
        neighbours in the band order",
    papers: &[
        Paper {
            authors: "G. Ghinita, Y. Tao, P. Kalnis",
            title: "On the anonymization of sparse high-dimensional data",
            venue: "ICDE",
            year: 2008,
        },
        Paper {
            authors: "E. Cuthill, J. McKee",
            title: "Reducing the bandwidth of sparse symmetric matrices",
            venue: "ACM National Conference",
            year: 1969,
        },
        Paper {
            authors: "A. George, J. W. H. Liu",
            title: "An implementation of a pseudoperipheral node finder",
            venue: "ACM Transactions on Mathematical Software 5(3)",
            year: 1979,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "alpha",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "3",
            "how far a group is looked for: alpha x p candidates on each side",
        ),
        ParamSpec::with_default(
            "order",
            ParamKind::Choice(&["band", "input"]),
            "band",
            "the order in which neighbours are looked for: the band order, or records as they come",
        ),
        ParamSpec::with_default(
            "similarity",
            ParamKind::Choice(&["common", "jaccard"]),
            "jaccard",
            "which candidates are taken: those with most items in common, or with the largest \
                share of all items of both in common",
        ),
    ],
    doc: include_str!("cahd.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Bystanders)],
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl BucketAlgorithm for Cahd {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn group(&self, params: &Params, task: &BucketTask<'_>) -> Result<(Groups, BucketFindings)> {
        let facts = Facts::of(task)?;
        let n = facts.n_records() as u32;
        let given: Vec<u32> = (0..n).collect();
        let before = (
            band::record_bandwidth(task.quasi, &given),
            band::shared_by_neighbours(task.quasi, &given),
        );
        let order = match params.text("order") {
            Some("input") => given,
            _ => {
                task.observer.begin("ordering", u64::from(n), Unit::Rows);
                let order = band::order(task.quasi);
                task.observer.end();
                order
            }
        };
        task.check_cancelled()?;
        let similarity = match params.text("similarity") {
            Some("common") => Similarity::Common,
            _ => Similarity::Jaccard,
        };
        let alpha = params.integer("alpha") as u64;
        task.observer.begin("grouping", u64::from(n), Unit::Rows);
        let formed =
            with_sets!(task.quasi, rows => form(task, rows, &facts, &order, alpha, similarity));
        task.observer.end();
        let formed = formed?;
        let mut labels = vec![0; order.len()];
        order
            .iter()
            .zip(&formed.labels)
            .for_each(|(record, label)| labels[*record as usize] = *label);
        let groups = Groups::from_labels(&labels);
        let finding = |name, value: u64| Finding { name, value: value as f64 };
        let shared = band::shared_by_neighbours(task.quasi, &order);
        let findings = vec![
            finding("groups", groups.len() as u64),
            finding("rolled_back", formed.rolled_back),
            finding("without_candidates", formed.without_candidates),
            finding("leftover_records", formed.leftover),
            finding("leftover_sensitive_records", formed.leftover_sensitive),
            finding("band_before", before.0),
            finding("band_after", band::record_bandwidth(task.quasi, &order)),
            Finding { name: "shared_by_neighbours_before", value: before.1 },
            Finding { name: "shared_by_neighbours_after", value: shared },
        ];
        Ok((groups, findings))
    }
}

/// The groups. Each position has a label; positions without a group share the last one.
struct Formed {
    labels: Vec<u32>,
    rolled_back: u64,
    without_candidates: u64,
    leftover: u64,
    leftover_sensitive: u64,
}

/// The label of positions in no group.
const NONE: u32 = u32::MAX;
/// The number of positions after which the algorithm checks whether the user asked to stop.
const LOOK: u32 = 1 << 12;

/// Form groups around the records with sensitive items, in the order.
fn form<C: Code>(
    task: &BucketTask<'_>,
    rows: Sets<'_, C>,
    facts: &Facts,
    order: &[u32],
    alpha: u64,
    similarity: Similarity,
) -> Result<Formed> {
    let n = order.len();
    let p = task.p.clamp(1, n.max(1) as u64) as usize;
    let mut remaining = Remaining::new(order, facts);
    let mut histogram = Histogram::new(facts.counts());
    let mut candidates =
        Candidates::new(facts, alpha.saturating_mul(p as u64).min(n as u64) as usize);
    let mut nearest = Nearest::new(rows, task.quasi.n_items(), order, similarity);
    let mut formed = Formed {
        labels: vec![NONE; n],
        rolled_back: 0,
        without_candidates: 0,
        leftover: 0,
        leftover_sensitive: 0,
    };
    let (mut n_groups, mut left) = (0, n as u64);
    for position in 0..n as u32 {
        if position % LOOK == 0 {
            task.check_cancelled()?;
            task.observer.advance(u64::from(LOOK.min(n as u32 - position)));
        }
        let Some(set) = remaining.set(position).filter(|set| *set != 0) else { continue };
        let members = candidates.find(&mut remaining, position, set);
        if members.len() + 1 < p {
            formed.without_candidates += 1;
            continue;
        }
        nearest.keep(position, members, p - 1);
        let sets =
            || members.iter().filter_map(|member| remaining.set(member.position)).chain([set]);
        sets().for_each(|set| facts.set(set).iter().for_each(|item| histogram.take(*item)));
        // The rest must be publishable as it is then: without the group, not with it.
        if u64::from(histogram.most()) * p as u64 > left - p as u64 {
            sets()
                .for_each(|set| facts.set(set).iter().for_each(|item| histogram.give_back(*item)));
            formed.rolled_back += 1;
            continue;
        }
        left -= p as u64;
        for member in members.iter().map(|member| member.position).chain([position]) {
            remaining.take(member);
            formed.labels[member as usize] = n_groups;
        }
        n_groups += 1;
    }
    for (position, label) in
        formed.labels.iter_mut().enumerate().filter(|(_, label)| **label == NONE)
    {
        *label = n_groups;
        formed.leftover += 1;
        formed.leftover_sensitive += u64::from(facts.of_record(order[position]) != 0);
    }
    Ok(formed)
}
