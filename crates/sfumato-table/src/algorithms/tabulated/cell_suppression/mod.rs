//! Tables of sums in which what would tell a contribution is left out, with as little as possible
//! besides, so that nobody can compute it from the totals.

mod network;
mod search;
mod sensitive;

use rand_chacha::ChaCha20Rng;
use sfumato_core::dataset::{Table, ValueKind};
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use self::network::Grid;
use self::search::{Cost, Searched, search};
use self::sensitive::{Rule, Sensitive, sensitive};
use super::cells::{Cells, label, other, table};
use super::dp_histogram::{TOTAL, check_names};
use super::{Tabulated, Tabulating, TabulatingAlgorithm};

/// The algorithm `cell-suppression`, an entry of the registry.
pub struct CellSuppression;

static INFO: Info = Info {
    name: "cell-suppression",
    summary: "publish sums by two columns, without cells that would tell a contribution",
    papers: &[
        Paper {
            authors: "Lawrence H. Cox",
            title: "Suppression methodology and statistical disclosure control",
            venue: "Journal of the American Statistical Association",
            year: 1980,
        },
        Paper {
            authors: "Matteo Fischetti, Juan José Salazar",
            title: "Models and algorithms for the 2-dimensional cell suppression problem in \
                    statistical disclosure control",
            venue: "Mathematical Programming",
            year: 1999,
        },
    ],
    params: &[
        ParamSpec::required("of", ParamKind::Text, "the sensitive column that is added up"),
        ParamSpec::with_default(
            "rule",
            ParamKind::Choice(&["p-percent", "dominance"]),
            "p-percent",
            "which cells are sensitive",
        ),
        ParamSpec::with_default(
            "p",
            ParamKind::Integer { min: 1, max: 100 },
            "10",
            "how near to the largest contribution the second contributor may come, in percent",
        ),
        ParamSpec::with_default(
            "n",
            ParamKind::Integer { min: 1, max: 10 },
            "1",
            "how many contributors may not dominate",
        ),
        ParamSpec::with_default(
            "k",
            ParamKind::Integer { min: 1, max: 99 },
            "75",
            "what share of a cell they may have at most, in percent",
        ),
        ParamSpec::with_default(
            "fewest",
            ParamKind::Choice(&["cells", "values"]),
            "cells",
            "what is left out as little of as possible",
        ),
    ],
    doc: include_str!("cell_suppression.md"),
    ..Info::DEFAULT
};

/// What is published of a cell that is left out.
const LEFT_OUT: &str = "x";

/// The sums of a table, and which of them are sensitive.
struct Sums<'a> {
    cells: Cells<'a>,
    grid: Grid,
    sensitive: Vec<Sensitive>,
    kind: ValueKind,
    name: String,
}

impl<'a> Sums<'a> {
    fn of(params: &Params, table: &'a Table) -> Result<Self> {
        let cells = Cells::of(table)?;
        let name = params.text("of").unwrap_or_default().to_string();
        let [rows, columns] = cells.sizes[..] else {
            return Err(Error::unsupported(format!(
                "cell-suppression takes two quasi columns, and here are {}",
                cells.sizes.len()
            ))
            .hint("give the other columns the role identifier, which leaves them out"));
        };
        let found = table.sensitive().into_iter().find(|column| column.name == name);
        let column = found.ok_or_else(|| {
            Error::params(format!("cell-suppression: there is no sensitive column '{name}'"))
                .hint("give the column that is added up the role sensitive")
        })?;
        let labels: Vec<String> =
            (0..column.domain.len() as u32).map(|code| label(column, code)).collect();
        let kind = ValueKind::infer(labels.iter().map(String::as_str));
        let keys: Vec<i64> = labels.iter().filter_map(|label| kind.parse(label)).collect();
        let is_exact = matches!(kind, ValueKind::Integer | ValueKind::Decimal { .. });
        let missing = column.domain.missing();
        if !is_exact || keys.iter().any(|key| *key < 0) || column.codes.iter().any(|c| c == missing)
        {
            return Err(Error::unsupported(format!(
                "column '{name}' isn't one of numbers that are at least 0 and never missing: what \
                 totals tell can't be bounded"
            )));
        }
        let total: i128 = column.codes.iter().map(|code| i128::from(keys[code as usize])).sum();
        if total > i128::from(i64::MAX / 8) {
            return Err(Error::unsupported(format!("the sum of column '{name}' is too large")));
        }
        let subject = |row: usize| table.subject.as_ref().map_or(row as u32, |of| of.get(row));
        let given: Vec<(usize, u32, i64)> = (0..table.n_rows)
            .map(|row| (cells.cell(row), subject(row), keys[column.codes.get(row) as usize]))
            .collect();
        let rule = match params.text("rule") == Some("dominance") {
            true => Rule::Dominance { n: params.integer("n"), k: params.integer("k") },
            false => Rule::PPercent { p: params.integer("p") },
        };
        let (grid, sensitive) = sensitive((rows, columns), &given, rule);
        Ok(Sums { cells, grid, sensitive, kind, name })
    }

    /// The table in which some cells are left out.
    fn published(&self, hidden: &[bool]) -> Table {
        let [first, second] = self.cells.columns[..] else { return table(Vec::new()) };
        let (mut one, mut two, mut sums) = (Vec::new(), Vec::new(), Vec::new());
        let text = |column, at: usize, n: usize| match at == n {
            true => TOTAL.to_string(),
            false => label(column, at as u32),
        };
        for row in 0..=self.grid.rows {
            for column in 0..=self.grid.columns {
                let cell = self.grid.cell(row, column);
                one.push(text(first, row, self.grid.rows));
                two.push(text(second, column, self.grid.columns));
                sums.push(match hidden[cell] {
                    true => LEFT_OUT.to_string(),
                    false => self.kind.format(self.grid.values[cell]),
                });
            }
        }
        table(vec![
            (first.name.clone(), one),
            (second.name.clone(), two),
            (self.name.clone(), sums),
        ])
    }
}

impl TabulatingAlgorithm for CellSuppression {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn tabulate(
        &self,
        params: &Params,
        task: &Tabulating<'_>,
        _: &mut ChaCha20Rng,
    ) -> Result<Tabulated> {
        let sums = Sums::of(params, task.table)?;
        check_names(&sums.cells, &sums.name)?;
        let cost = match params.text("fewest") == Some("values") {
            true => Cost::Values,
            false => Cost::Cells,
        };
        let Some(Searched { hidden, is_best }) = search(&sums.grid, &sums.sensitive, cost) else {
            return Err(Error::infeasible(
                "the totals tell a sensitive cell whatever else is left out",
            )
            .hint("merge values of a column, or ask for less"));
        };
        let left_out = hidden.iter().filter(|hidden| **hidden).count();
        let details = serde_json::json!({
            "cells": hidden.len(),
            "sensitive": sums.sensitive.len(),
            "left_out": left_out,
            "fewest_proved": is_best,
        });
        let table = sums.published(&hidden);
        Ok(Tabulated { table, drawn: Vec::new(), noisy: Vec::new(), details })
    }

    /// The file against the sums, and every sensitive cell against what the published ones leave
    /// open. Which cells were left out is read from the file.
    fn fault(&self, params: &Params, task: &Tabulating<'_>, made: &Tabulated) -> Option<String> {
        let Ok(sums) = Sums::of(params, task.table) else {
            return Some("the sums can't be computed again".into());
        };
        let Some(column) = made.table.columns.last() else {
            return Some("nothing is there".into());
        };
        let hidden: Vec<bool> =
            column.codes.iter().map(|code| label(column, code) == LEFT_OUT).collect();
        if hidden.len() != sums.grid.values.len() {
            return Some("the table has other cells than it should".into());
        }
        if let Some(fault) = other(&sums.published(&hidden), &made.table) {
            return Some(fault);
        }
        let open = |of: &&Sensitive| !sums.grid.protects(&hidden, of);
        let told = sums.sensitive.iter().find(open);
        told.map(|_| "the published cells tell a sensitive one too exactly".into())
    }
}
