//! Perturbed tables that aren't of the original: the verifier must see through each. Only tests
//! tell them. Of drawn values nothing is promised about privacy, so no lie about them is.

use sfumato_core::column::Codes;
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
            name: "cells are said to be missing",
            subject: Subject::Cell,
            tell: |_, table| {
                let mut columns =
                    table.columns.iter_mut().filter(|column| column.role == Role::Quasi);
                let Some(column) = columns.next().filter(|column| !column.codes.is_empty()) else {
                    return false;
                };
                let missing = column.domain.missing();
                let mut codes: Vec<u32> = column.codes.iter().collect();
                let all_gone = codes.iter().all(|code| *code == missing);
                codes.fill(missing);
                column.codes = Codes::U32(codes);
                !all_gone
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

/// Lies about groups beside these.
pub fn lies_of_groups() -> Vec<Lie<TableData, Table>> {
    let apart = Lie {
        name: "a record is published with the means of another group in one column",
        subject: Subject::Privacy,
        tell: |_: &TableData, table: &mut Table| {
            let mut columns = table.columns.iter_mut().filter(|column| column.role == Role::Quasi);
            let Some(column) = columns.next() else { return false };
            let mut codes: Vec<u32> = column.codes.iter().collect();
            let Some(other) = codes.iter().copied().find(|code| Some(code) != codes.first()) else {
                return false;
            };
            codes[0] = other;
            column.codes = Codes::U32(codes);
            true
        },
    };
    lies().into_iter().chain([apart]).collect()
}
