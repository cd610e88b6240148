//! The lattice of full-domain recodings (P. Samarati, "Protecting respondents' identities in
//! microdata release", IEEE TKDE 13(6), 2001): each column at one level of its hierarchy for all
//! records, every combination of levels looked at.
//!
//! It is for looking, not for publishing: each node is grouped from the records. Of a large lattice
//! a part is looked at, which is said.

use rayon::prelude::*;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::group::{ClassTable, failing_classes, one_by_one};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::recoding::{Boxes, Recoding, SUPPRESSED, Value};
use sfumato_core::traits::{Metric, Requirements, View};
use sfumato_core::{Error, ErrorKind, FastMap, Result};
use sfumato_report::explore::{Lattice, LatticeColumn, LatticeNode};

use super::check::{Asked, PublishedClasses, check};
use super::higher_is_better;
use sfumato_table::data::class_index::ClassIndex;

/// More nodes than this are no picture.
pub const MOST_NODES: u64 = 400;

/// How many levels a column has: those of its hierarchy, or exact and everything.
fn n_levels(column: &Column) -> usize {
    match &column.hierarchy {
        Some(tree) => tree.n_levels(),
        None if column.domain.is_empty() => 1,
        None => 2,
    }
}

/// The columns with the levels that are looked at: all of them if that gives few enough nodes. Else
/// levels in the middle of the longest columns are left out first, and then whole columns are
/// looked at only where they say nothing.
fn columns_of(table: &Table) -> Vec<LatticeColumn> {
    let mut columns: Vec<LatticeColumn> = table
        .quasi()
        .iter()
        .map(|column| LatticeColumn::whole(column.name.clone(), n_levels(column)))
        .collect();
    let nodes = |columns: &[LatticeColumn]| {
        columns.iter().fold(1u64, |nodes, column| nodes.saturating_mul(column.shown.len() as u64))
    };
    while nodes(&columns) > MOST_NODES {
        // Of equally long ones the last.
        let longest = (0..columns.len()).max_by_key(|column| columns[*column].shown.len());
        let Some(shown) = longest.map(|column| &mut columns[column].shown) else { break };
        match shown.len() {
            0 | 1 => break,
            // Where it is exact, hardly any node of a wide table would satisfy anything.
            2 => {
                shown.remove(0);
            }
            n => {
                shown.remove(n / 2);
            }
        }
    }
    columns
}

/// Look at every node.
pub fn lattice(
    table: &Table,
    asked: &Asked<'_>,
    k: u64,
    metric: &dyn Metric,
    observer: &dyn Observer,
) -> Result<Lattice> {
    let columns = columns_of(table);
    let nodes = all_levels(&columns);
    observer.begin("lattice", nodes.len() as u64, Unit::Steps);
    let nodes: Result<Vec<LatticeNode>> = nodes
        .into_par_iter()
        .map(|levels| {
            if observer.cancelled() {
                return Err(Error::new(ErrorKind::Cancelled, "the run was stopped"));
            }
            let node = node(table, asked, k, metric, levels);
            observer.advance(1);
            node
        })
        .collect();
    observer.end();
    let mut nodes = nodes?;
    mark_minimal(&mut nodes);
    mark_best(&mut nodes, higher_is_better(metric));
    Ok(Lattice {
        k,
        rows: table.n_rows as u64,
        max_suppressed: asked.max_suppressed,
        metric: metric.info().name.into(),
        columns,
        nodes,
    })
}

/// Every combination of the levels that are looked at, the last column turning fastest.
fn all_levels(columns: &[LatticeColumn]) -> Vec<Vec<usize>> {
    columns.iter().fold(vec![Vec::new()], |nodes, column| {
        let extend = |node: Vec<usize>| {
            let levels = column.shown.iter();
            levels.map(move |level| node.iter().copied().chain([*level]).collect())
        };
        nodes.into_iter().flat_map(extend).collect()
    })
}

/// One node: every record at the node's levels, and what fails suppressed.
fn node(
    table: &Table,
    asked: &Asked<'_>,
    k: u64,
    metric: &dyn Metric,
    levels: Vec<usize>,
) -> Result<LatticeNode> {
    let whole = full_domain(table, &levels)?;
    let published = PublishedClasses::new(table, asked.requirements, &whole);
    let gone = failing(asked.requirements, &published.classes);
    let is_gone = |class: u32| {
        published.of_class[class as usize].is_some_and(|published| gone[published as usize])
    };
    let class_of_row: Vec<u32> = whole
        .class_of_row()
        .iter()
        .map(|&class| if is_gone(class) { SUPPRESSED } else { class })
        .collect();
    let recoding = with_classes(&whole, class_of_row)?;
    let view = View::new(table, &recoding, Some(k));
    let satisfies = view.suppressed <= asked.max_suppressed;
    if satisfies {
        check(table, asked, &recoding).map_err(|what| {
            Error::internal(format!("the lattice's node {levels:?} is wrong: {what}"))
        })?;
    }
    Ok(LatticeNode {
        satisfies,
        suppressed: view.suppressed,
        classes: gone.iter().filter(|gone| !**gone).count() as u64,
        loss: metric.measure(&view).map(|measured| measured.overall),
        levels,
        minimal: false,
        best: false,
    })
}

/// The recoding in which each column is published at one level.
fn full_domain(table: &Table, levels: &[usize]) -> Result<Boxes> {
    const BLOCK: usize = 1 << 16;
    let quasi = table.quasi();
    let values: Vec<Vec<Value>> =
        quasi.iter().zip(levels).map(|(column, level)| values_at(column, *level)).collect();
    // Codes with the same value are one: the number of the first of them.
    let numbers: Vec<Vec<u32>> = values
        .iter()
        .map(|values| {
            let mut first: FastMap<Value, u32> = FastMap::default();
            values
                .iter()
                .zip(0..)
                .map(|(value, code)| *first.entry(*value).or_insert(code))
                .collect()
        })
        .collect();
    let mut index = ClassIndex::new(quasi.len());
    let mut class_of_row = Vec::with_capacity(table.n_rows);
    for start in (0..table.n_rows).step_by(BLOCK) {
        let rows = start..(start + BLOCK).min(table.n_rows);
        let block: Vec<Vec<u32>> = quasi
            .iter()
            .zip(&numbers)
            .map(|(column, numbers)| {
                rows.clone().map(|row| numbers[column.codes.get(row) as usize]).collect()
            })
            .collect();
        let slices: Vec<&[u32]> = block.iter().map(Vec::as_slice).collect();
        index.add(&slices, rows.len(), Some(&mut class_of_row));
    }
    let n_classes = index.len();
    let keys = index.into_class_table(None).keys;
    let region =
        |class: usize| values.iter().zip(&keys).map(|(v, keys)| v[keys[class] as usize]).collect();
    Boxes::new(quasi.len(), (0..n_classes).map(region), class_of_row)
}

/// What each code of a column is published as at a level, missing last.
fn values_at(column: &Column, level: usize) -> Vec<Value> {
    let n = column.domain.len() as u32;
    let has_missing = column.codes.counts(n as usize + 1)[n as usize] > 0;
    if level > 0 && level + 1 == n_levels(column) {
        // The top is one value for everything, missing included.
        return vec![Value::covering(column, 0, n, has_missing); n as usize + 1];
    }
    let of_code = |code: u32| match &column.hierarchy {
        Some(tree) => Value::Node(tree.ancestor(code, level)),
        None => Value::Range { lo: code, hi: code + 1 },
    };
    (0..n).map(of_code).chain([Value::covering(column, n, n, true)]).collect()
}

/// The regions with other records in them.
fn with_classes(boxes: &Boxes, class_of_row: Vec<u32>) -> Result<Boxes> {
    let region =
        |class: u32| (0..boxes.n_columns()).map(|quasi| boxes.value(class, quasi)).collect();
    Boxes::new(boxes.n_columns(), (0..boxes.n_classes() as u32).map(region), class_of_row)
}

/// The classes that must be suppressed so that the rest may be published: every class of a group
/// that fails, again and again until none fails, because what is left is compared with itself. Not
/// always the fewest where a model looks at the whole release.
fn failing(requirements: &Requirements, classes: &ClassTable) -> Vec<bool> {
    let mut gone = vec![false; classes.summaries.len()];
    loop {
        let kept: Vec<usize> = (0..gone.len()).filter(|class| !gone[*class]).collect();
        let keys = classes
            .keys
            .iter()
            .map(|keys| kept.iter().map(|class| keys[*class]).collect())
            .collect();
        let summaries = kept.iter().map(|class| classes.summaries[*class].clone()).collect();
        let rest = ClassTable::new(keys, summaries);
        let fails = failing_once(requirements, &rest);
        if fails.is_empty() {
            return gone;
        }
        fails.iter().for_each(|place| gone[kept[*place]] = true);
    }
}

/// The classes that fail, or are part of a group that does.
fn failing_once(requirements: &Requirements, classes: &ClassTable) -> Vec<usize> {
    let fails: Vec<Vec<bool>> = requirements
        .iter()
        .map(|requirement| failing_classes(requirement, classes, &one_by_one))
        .collect();
    (0..classes.summaries.len()).filter(|class| fails.iter().any(|fails| fails[*class])).collect()
}

/// Mark minimal nodes, which satisfy the requirements while nothing below does. All nodes below are
/// examined, since not every model is monotone.
fn mark_minimal(nodes: &mut [LatticeNode]) {
    let is_below = |low: &LatticeNode, high: &LatticeNode| {
        low.levels != high.levels && low.levels.iter().zip(&high.levels).all(|(a, b)| a <= b)
    };
    let minimal: Vec<bool> = nodes
        .iter()
        .map(|node| {
            node.satisfies && !nodes.iter().any(|other| other.satisfies && is_below(other, node))
        })
        .collect();
    nodes.iter_mut().zip(minimal).for_each(|(node, minimal)| node.minimal = minimal);
}

/// Best: loses least of those that satisfy; of equals the lowest.
fn mark_best(nodes: &mut [LatticeNode], higher_is_better: bool) {
    let badness =
        |node: &LatticeNode| Some(if higher_is_better { -node.loss? } else { node.loss? });
    let best = nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.satisfies)
        .filter_map(|(place, node)| Some((badness(node)?, node.height(), place)))
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    if let Some((_, _, place)) = best {
        nodes[place].best = true;
    }
}
