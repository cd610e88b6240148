//! Lies that the verifier of mixed records must see through.

use sfumato_engine::lie::{Lie, Subject};

use super::{Decision, Row};
use crate::data::MixedData;

/// The lies.
pub fn lies() -> Vec<Lie<MixedData, Decision>> {
    vec![
        Lie { name: "a row keeps its own items", subject: Subject::Privacy, tell: keep },
        Lie { name: "a row has an item of others", subject: Subject::Cell, tell: add },
        Lie { name: "a row is another's", subject: Subject::Match, tell: exchange },
        Lie { name: "a row is left out", subject: Subject::Row, tell: leave_out },
    ]
}

/// The items of a record as they are.
fn own(data: &MixedData, record: usize) -> Vec<u32> {
    let items = data.quasi.set(record).into_iter();
    match &data.tree {
        None => items.collect(),
        Some(tree) => {
            let mut leaves: Vec<u32> = items.filter_map(|item| tree.leaf(item)).collect();
            leaves.sort_unstable();
            leaves
        }
    }
}

/// All rows keep what they have.
fn keep(data: &MixedData, decision: &mut Decision) -> bool {
    let mut has_changed = false;
    for row in &mut decision.rows {
        let own = own(data, row.record);
        has_changed |= own != row.units;
        row.units = own;
    }
    has_changed
}

fn add(data: &MixedData, decision: &mut Decision) -> bool {
    let n = data.items.len() as u32;
    for row in &mut decision.rows {
        let has = data.quasi.set(row.record);
        let Some(other) = (0..n).find(|item| has.binary_search(item).is_err()) else { continue };
        let unit = match &data.tree {
            None => Some(other),
            Some(tree) => tree.leaf(other),
        };
        let Some(unit) = unit.filter(|unit| !row.units.contains(unit)) else { continue };
        row.units.push(unit);
        return true;
    }
    false
}

fn exchange(_: &MixedData, decision: &mut Decision) -> bool {
    let cells = |row: &Row| row.cells.clone();
    let Some(first) = decision.rows.first().map(cells) else { return false };
    let Some(other) = decision.rows.iter().position(|row| row.cells != first) else { return false };
    let taken = cells(&decision.rows[other]);
    decision.rows[0].cells = taken;
    decision.rows[other].cells = first;
    true
}

fn leave_out(_: &MixedData, decision: &mut Decision) -> bool {
    decision.rows.pop().is_some()
}
