//! Tables that don't come of the mechanism: the verifier must see through each. Only tests tell
//! them.

use sfumato_core::column::Codes;
use sfumato_engine::lie::{Lie, Subject};

use super::Synthesized;
use crate::kind::TableData;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<TableData, Synthesized>> {
    vec![
        Lie {
            name: "nothing is added to any count",
            subject: Subject::Privacy,
            tell: |_, made| {
                for table in &mut made.measured.tables {
                    let noise = table.drawn.iter_mut().zip(&mut table.noisy);
                    noise.for_each(|(drawn, noisy)| {
                        *noisy -= *drawn;
                        *drawn = 0;
                    });
                }
                !made.measured.tables.is_empty()
            },
        },
        Lie {
            name: "the noise is that of ten times the budget",
            subject: Subject::Privacy,
            tell: |_, made| {
                for table in &mut made.measured.tables {
                    table.law.s = (table.law.s / 10).max(1);
                }
                !made.measured.tables.is_empty()
            },
        },
        Lie {
            name: "a record is one more than was made",
            subject: Subject::Row,
            tell: |_, made| {
                let n = made.table.n_rows;
                made.table.n_rows += 1;
                for column in &mut made.table.columns {
                    let last = (n > 0).then(|| column.codes.get(n - 1));
                    let codes = column.codes.iter().chain(last).collect();
                    column.codes = Codes::U32(codes);
                }
                n > 0
            },
        },
        Lie {
            name: "a column is that of the original",
            subject: Subject::Cell,
            tell: |data, made| {
                let originals = data.encoded.table.published();
                let mut both = made.table.columns.iter_mut().zip(originals);
                let Some((column, original)) = both.next() else { return false };
                let n = column.codes.len();
                let all: Vec<u32> = original.codes.iter().collect();
                let codes: Vec<u32> = all.iter().copied().cycle().take(n).collect();
                let changed = column.codes.iter().ne(codes.iter().copied());
                column.codes = Codes::U32(codes);
                changed
            },
        },
    ]
}
