//! Tables that don't come of the mechanism: the verifier must see through each. Only tests tell
//! them.

use sfumato_core::column::Codes;
use sfumato_engine::lie::{Lie, Subject};

use super::Made;
use crate::kind::TableData;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<TableData, Made>> {
    vec![
        Lie {
            name: "the noise of a count isn't what was added",
            subject: Subject::Privacy,
            tell: |_, made| {
                let Some(noise) = made.made.drawn.first_mut() else { return false };
                *noise += 1;
                true
            },
        },
        Lie {
            name: "a cell has the value of another",
            subject: Subject::Cell,
            tell: |_, made| {
                let Some(column) = made.made.table.columns.last_mut() else { return false };
                let mut codes: Vec<u32> = column.codes.iter().collect();
                let Some(other) = codes.iter().copied().find(|code| *code != codes[0]) else {
                    return false;
                };
                codes[0] = other;
                column.codes = Codes::U32(codes);
                true
            },
        },
        Lie {
            name: "the last row is there twice",
            subject: Subject::Row,
            tell: |_, made| {
                let table = &mut made.made.table;
                let n = table.n_rows;
                table.n_rows += 1;
                for column in &mut table.columns {
                    let last = (n > 0).then(|| column.codes.get(n - 1));
                    column.codes = Codes::U32(column.codes.iter().chain(last).collect());
                }
                n > 0
            },
        },
    ]
}
