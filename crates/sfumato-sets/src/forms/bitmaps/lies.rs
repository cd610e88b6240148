//! Bitmaps that aren't true or don't protect: the verifier of bitmaps must see through each. Only
//! tests tell them.

use sfumato_core::matches::Matches;
use sfumato_core::transactions::Transactions;
use sfumato_engine::lie::{Lie, Subject};

use crate::data::read::Loaded;
use crate::traits::BitmapDecision;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, BitmapDecision>> {
    vec![
        Lie {
            name: "every record matches one row alone",
            subject: Subject::Privacy,
            tell: |data, decision| alone(&data.baskets.quasi, decision),
        },
        Lie {
            name: "a row has no item, and is sure of it",
            subject: Subject::Cell,
            tell: |_, decision| {
                let bitmaps = &mut decision.bitmaps;
                let Some(row) = (0..bitmaps.len()).find(|row| bitmaps.base.size(*row) > 0) else {
                    return false;
                };
                bitmaps.base = without(&bitmaps.base, row);
                bitmaps.distance = without(&bitmaps.distance, row);
                bitmaps.threshold[row] = 0;
                true
            },
        },
        Lie {
            name: "rows stand for other records",
            subject: Subject::Row,
            tell: |_, decision| {
                let n = decision.bitmaps.len();
                decision.bitmaps.label_of.rotate_left(n.min(7));
                n > 7
            },
        },
        Lie {
            name: "records match the rows of others",
            subject: Subject::Match,
            tell: |_, decision| {
                let n = decision.matches.len();
                let mut order: Vec<u32> = (0..n as u32).collect();
                order.rotate_left(n.min(7));
                decision.matches = decision.matches.reordered(&order);
                n > 7
            },
        },
        Lie {
            name: "rows are wrong in fewer items than they are",
            subject: Subject::Count,
            tell: |_, decision| {
                let threshold = &mut decision.bitmaps.threshold;
                let were_wrong = threshold.iter().any(|items| *items > 0);
                threshold.fill(0);
                were_wrong
            },
        },
    ]
}

/// Sets of which one has become empty.
fn without(sets: &Transactions, empty: usize) -> Transactions {
    let set = |row: usize| if row == empty { Vec::new() } else { sets.set(row) };
    Transactions::from_sets(sets.n_items(), (0..sets.len()).map(set).collect::<Vec<_>>())
}

/// Every row says exactly what its record is.
fn alone(records: &Transactions, decision: &mut BitmapDecision) -> bool {
    let bitmaps = &mut decision.bitmaps;
    let n_items = records.n_items();
    let base = bitmaps.label_of.iter().map(|record| records.set(*record as usize));
    bitmaps.base = Transactions::from_sets(n_items, base.collect::<Vec<_>>());
    bitmaps.distance = Transactions::from_sets(n_items, vec![Vec::new(); bitmaps.threshold.len()]);
    bitmaps.threshold.fill(0);
    let mut row_of = vec![0; bitmaps.label_of.len()];
    for (row, record) in (0u32..).zip(&bitmaps.label_of) {
        row_of[*record as usize] = row;
    }
    match Matches::new(1, row_of) {
        Ok(matches) => {
            decision.matches = matches;
            true
        }
        Err(_) => false,
    }
}
