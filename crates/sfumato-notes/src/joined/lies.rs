//! Lies that the verifier of notes must see through.

use sfumato_engine::lie::{Lie, Subject};

use super::{Decision, Row};
use crate::data::Noted;

/// The lies.
pub fn lies() -> Vec<Lie<Noted, Decision>> {
    vec![
        Lie { name: "a text says more than its row", subject: Subject::Privacy, tell: stay },
        Lie { name: "a value of another note is written back", subject: Subject::Cell, tell: swap },
        Lie { name: "a row is another's", subject: Subject::Match, tell: exchange },
        Lie { name: "a row is left out", subject: Subject::Row, tell: leave_out },
    ]
}

fn stay(_: &Noted, decision: &mut Decision) -> bool {
    match decision.rows.iter_mut().find(|row| !row.replaced.is_empty()) {
        Some(row) => {
            row.replaced.remove(0);
            true
        }
        None => false,
    }
}

fn swap(_: &Noted, decision: &mut Decision) -> bool {
    match decision.rows.iter_mut().flat_map(|row| &mut row.replaced).next() {
        Some(one) => {
            one.text = format!("{}0", one.text);
            true
        }
        None => false,
    }
}

fn exchange(_: &Noted, decision: &mut Decision) -> bool {
    let cells = |row: &Row| row.cells.clone();
    let Some(first) = decision.rows.first().map(cells) else { return false };
    let Some(other) = decision.rows.iter().position(|row| row.cells != first) else { return false };
    let taken = cells(&decision.rows[other]);
    decision.rows[0].cells = taken;
    decision.rows[other].cells = first;
    true
}

fn leave_out(_: &Noted, decision: &mut Decision) -> bool {
    decision.rows.pop().is_some()
}
