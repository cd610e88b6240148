//! Split personalities as a form of release: a row for each query of the log, as it was asked,
//! under one of its person's pseudonyms.

use sfumato_core::facts::Fact;
use sfumato_core::registry::{Info, Params};
use sfumato_core::{FastMap, FastSet, Result};
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::verify::failed_verification;

use super::cells::{Cells, ReadCells};
use super::row_form::{Published, RowForm, RowTask, check_rows};
use super::rows::Decided;
use super::told::Told;
use crate::algorithms::splitting::{self, Split};
use crate::data::Log;

/// The form of split personalities.
pub struct Personas;

impl RowForm for Personas {
    type Decision = Split;

    fn name(&self) -> &'static str {
        "personas"
    }
    fn release(&self) -> &'static str {
        "a log of split personalities"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        splitting::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[]
    }
    fn header(&self) -> &'static [&'static str] {
        &["persona", "query"]
    }
    fn warnings(&self) -> &'static [&'static str] {
        &["nothing is promised: queries are published as they were asked, and a single one may \
           say who asked it"]
    }
    fn find(&self, name: &str) -> Result<&'static Info> {
        splitting::find(name).map(|algorithm| algorithm.info())
    }
    fn decide(&self, name: &str, params: &Params, task: &RowTask<'_>) -> Result<Split> {
        splitting::find(name)?.split(params, task.log)
    }

    fn publish(&self, log: &Log, decided: &Decided<Split>) -> Result<Published> {
        let Split { of_entry, n, rows } = &decided.of_form;
        let pseudonyms = decided.pseudonyms(*n);
        let mut cells = Cells::new(self.header().len());
        let mut of = Vec::with_capacity(rows.len());
        for row in rows {
            let entry = log.entries[*row as usize];
            let persona = pseudonyms[of_entry[*row as usize] as usize].to_string();
            cells.push([&persona[..], log.texts.get(entry.query)]);
            of.push((entry.user, entry.query));
        }
        Ok(Published { cells, of })
    }

    fn check(
        &self,
        log: &Log,
        _: &Decided<Split>,
        of: &[(u32, u32)],
        cells: &ReadCells,
    ) -> Result<()> {
        check_rows(log, of, false)?;
        let mut owner: FastMap<&str, u32> = FastMap::default();
        for (row, (user, query)) in of.iter().enumerate() {
            if cells.cell(row, 1) != log.texts.get(*query) {
                return Err(failed_verification(&format!("row {} isn't its query", row + 1)));
            }
            if *owner.entry(cells.cell(row, 0)).or_insert(*user) != *user {
                return Err(failed_verification("two people have the same pseudonym"));
            }
        }
        Ok(())
    }

    fn details(&self, _: &Decided<Split>) -> toml::Table {
        toml::Table::new()
    }

    fn tell(&self, cells: &ReadCells, _: &toml::Table) -> Result<Told> {
        let different = |column: usize| {
            let texts: FastSet<&str> =
                (0..cells.n_rows).map(|row| cells.cell(row, column)).collect();
            texts.len() as u64
        };
        Ok(Told {
            release: self.release(),
            rows: cells.n_rows as u64,
            pseudonyms: different(0),
            queries: different(1),
            ..Told::default()
        })
    }

    fn lies(&self) -> Vec<Lie<Log, Decided<Split>>> {
        vec![
            Lie {
                name: "two people have the same pseudonym",
                subject: Subject::Cell,
                tell: |log, decided| {
                    let first = log.entries[0].user;
                    let other = log.entries.iter().position(|entry| entry.user != first);
                    let of_entry = &mut decided.of_form.of_entry;
                    other.map(|other| of_entry[other] = of_entry[0]).is_some()
                },
            },
            Lie {
                name: "an entry is left out",
                subject: Subject::Row,
                tell: |_, decided| decided.of_form.rows.pop().is_some(),
            },
        ]
    }
}
