//! Perturbed tables that aren't of the original: the verifier must see through each. Only tests
//! tell them. Nothing is promised about privacy, so no lie is about that.

use sfumato_core::dataset::{Role, Table};
use sfumato_engine::lie::{Lie, Subject};

use crate::kind::TableData;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<TableData, Table>> {
    vec![
        Lie {
            name: "a column changed that wasn't to be perturbed",
            subject: Subject::Cell,
            tell: |_, table| {
                let mut order: Vec<u32> = (0..table.n_rows as u32).collect();
                order.rotate_left(table.n_rows.min(1));
                let columns = table.columns.iter_mut();
                let mut kept = columns
                    .filter(|column| matches!(column.role, Role::Sensitive | Role::Keep))
                    .filter(|column| column.codes.gather(&order) != column.codes);
                let changed = kept.next().map(|column| column.codes = column.codes.gather(&order));
                changed.is_some()
            },
        },
        Lie {
            name: "a record is left out",
            subject: Subject::Row,
            tell: |_, table| {
                let had_rows = table.n_rows > 0;
                table.n_rows = table.n_rows.saturating_sub(1);
                had_rows
            },
        },
    ]
}
