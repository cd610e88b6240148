//! `perm-mondrian`: all records begin in one group, which splits into those with an item and those
//! without as long as both keep degree p.

mod rule;
mod table;

use sfumato_core::column::Code;
use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::observer::Unit;
use sfumato_core::recoding::Finding;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::Sets;
use sfumato_core::{Error, Result, with_sets};

use super::facts::Facts;
use crate::data::Groups;
use crate::traits::{BucketAlgorithm, BucketFindings, BucketTask};
use rule::{Rule, is_allowed};
use table::Table;

/// The algorithm `perm-mondrian`, an entry of the registry.
pub struct PermMondrian;

static INFO: Info = Info {
    name: "perm-mondrian",
    summary: "splits records into those with an item and those without, again and again, as long \
        as both sides have degree p",
    papers: &[
        Paper {
            authors: "G. Ghinita, Y. Tao, P. Kalnis",
            title: "On the anonymization of sparse high-dimensional data",
            venue: "ICDE",
            year: 2008,
        },
        Paper {
            authors: "K. LeFevre, D. J. DeWitt, R. Ramakrishnan",
            title: "Mondrian multidimensional k-anonymity",
            venue: "ICDE",
            year: 2006,
        },
    ],
    params: &[ParamSpec::with_default(
        "split",
        ParamKind::Choice(&["balanced", "even"]),
        "balanced",
        "the item a group is split on: the one that spreads each sensitive item most evenly, or \
            the one with the most even sizes",
    )],
    doc: include_str!("perm_mondrian.md"),
    capabilities: Capabilities {
        serves: &[Fact::Hiding(Hiding::Bystanders)],
        needs_all_records: false,
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl BucketAlgorithm for PermMondrian {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn group(&self, params: &Params, task: &BucketTask<'_>) -> Result<(Groups, BucketFindings)> {
        let facts = Facts::of(task)?;
        let rule = match params.text("split") {
            Some("even") => Rule::Even,
            _ => Rule::Balanced,
        };
        task.observer.begin("splitting", facts.n_records() as u64, Unit::Rows);
        let labels = with_sets!(task.quasi, rows => split(task, rows, &facts, rule));
        task.observer.end();
        let groups = Groups::from_labels(&labels?);
        let largest = groups.sizes().iter().copied().max().unwrap_or(0);
        let findings = vec![
            Finding { name: "groups", value: groups.len() as f64 },
            Finding { name: "largest_group", value: f64::from(largest) },
        ];
        Ok((groups, findings))
    }
}

/// The largest number of counts in one table; larger tables are refused.
const MOST_CELLS: usize = 1 << 28;

/// A group that may still be split: its label, and its records, which may include some that left.
struct Node {
    label: u32,
    records: Vec<u32>,
}

/// Split all records, and return the label of each record's group.
fn split<C: Code>(
    task: &BucketTask<'_>,
    rows: Sets<'_, C>,
    facts: &Facts,
    rule: Rule,
) -> Result<Vec<u32>> {
    let mut labels = vec![0u32; rows.len()];
    let lists = Lists::new(rows, task.quasi.n_items());
    let mut table = Table::new(task.quasi.n_items(), facts.counts().len());
    let mut next_label = 1;
    let mut nodes = vec![Node { label: 0, records: (0..rows.len() as u32).collect() }];
    // The smaller side of a split waits, the larger one goes on with what is left of the counts: so
    // each record is counted anew only when its group has been halved at least.
    while let Some(mut node) = nodes.pop() {
        table.count(rows, facts, &node.records);
        if table.cells() > MOST_CELLS {
            return Err(Error::resources(format!(
                "a table of {} counts is too large",
                table.cells()
            ))
            .hint("name fewer sensitive items, or take cahd"));
        }
        table.count_together(rows, facts, &node.records);
        while !table.is_harmless() {
            task.check_cancelled()?;
            let mut best = None;
            table.splits(|split| {
                if is_allowed(&split, task.p) {
                    let score = rule.score(&split);
                    if best.is_none_or(|(best, _, _)| score > best) {
                        best = Some((score, split.item, split.with));
                    }
                }
            });
            let Some((_, item, with)) = best else { break };
            if node.records.len() > 2 * table.size() as usize {
                node.records.retain(|record| labels[*record as usize] == node.label);
            }
            let smaller = match with <= table.size() - with {
                true => lists.with(rows, item, &node, &labels),
                false => without(rows, item, &node, &labels),
            };
            table.subtract(rows, facts, &smaller);
            smaller.iter().for_each(|record| labels[*record as usize] = next_label);
            nodes.push(Node { label: next_label, records: smaller });
            next_label += 1;
        }
        task.observer.advance(u64::from(table.size()));
    }
    Ok(labels)
}

fn has<C: Code>(row: &[C], item: u32) -> bool {
    row.iter().any(|code| code.widen() == item)
}

/// The records of a group that lack an item.
fn without<C: Code>(rows: Sets<'_, C>, item: u32, node: &Node, labels: &[u32]) -> Vec<u32> {
    let is_without = |record: &&u32| {
        labels[**record as usize] == node.label && !has(rows.get(**record as usize), item)
    };
    node.records.iter().filter(is_without).copied().collect()
}

/// The records of each item.
struct Lists {
    begins: Vec<u64>,
    records: Vec<u32>,
}

impl Lists {
    fn new<C: Code>(rows: Sets<'_, C>, n_items: usize) -> Self {
        let mut begins = vec![0u64; n_items + 1];
        rows.codes.iter().for_each(|code| begins[code.widen() as usize + 1] += 1);
        for item in 0..n_items {
            begins[item + 1] += begins[item];
        }
        let mut next = begins.clone();
        let mut records = vec![0u32; rows.codes.len()];
        for (record, row) in rows.iter().enumerate() {
            for code in row {
                let next = &mut next[code.widen() as usize];
                records[*next as usize] = record as u32;
                *next += 1;
            }
        }
        Lists { begins, records }
    }
    /// The records of a group with an item: from the item's list, or from the group's if that is
    /// shorter.
    fn with<C: Code>(&self, rows: Sets<'_, C>, item: u32, node: &Node, labels: &[u32]) -> Vec<u32> {
        let list = &self.records
            [self.begins[item as usize] as usize..self.begins[item as usize + 1] as usize];
        let is_here = |record: &&u32| labels[**record as usize] == node.label;
        match list.len() <= node.records.len() {
            true => list.iter().filter(is_here).copied().collect(),
            false => {
                let here = node.records.iter().filter(is_here);
                here.filter(|record| has(rows.get(**record as usize), item)).copied().collect()
            }
        }
    }
}
