//! Hashed terms as a form of release: a row for each query of the log, with the hashes of its
//! terms.

use sfumato_core::facts::Fact;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Info, Params};
use sfumato_core::{FastSet, Result};
use sfumato_engine::attack::{AttackRequest, Stage, Staged};
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::verify::failed_verification;

use super::cells::{Cells, ReadCells};
use super::row_form::{Published, RowForm, RowTask, check_names, check_rows};
use super::rows::Decided;
use super::told::Told;
use crate::algorithms::hashing::{self, HashedLog};
use crate::attacks::{self, LogStage};
use crate::data::Log;
use crate::job::Job;

/// The form of hashed terms.
pub struct Hashed;

impl RowForm for Hashed {
    type Decision = HashedLog;

    fn name(&self) -> &'static str {
        "hashed"
    }
    fn release(&self) -> &'static str {
        "a log of hashed terms"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        hashing::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[]
    }
    fn header(&self) -> &'static [&'static str] {
        &["user", "terms"]
    }
    fn warnings(&self) -> &'static [&'static str] {
        &["nothing is promised: how often a hash occurs, and beside which others, gives its term \
           away to whoever has another log ('sfumato attack' shows how many)"]
    }
    fn find(&self, name: &str) -> Result<&'static Info> {
        hashing::find(name).map(|algorithm| algorithm.info())
    }
    fn decide(&self, name: &str, params: &Params, task: &RowTask<'_>) -> Result<HashedLog> {
        hashing::find(name)?.hash(params, task.log, task.secret)
    }

    fn publish(&self, log: &Log, decided: &Decided<HashedLog>) -> Result<Published> {
        let HashedLog { of_query, rows, .. } = &decided.of_form;
        let pseudonyms = decided.pseudonyms(log.n_users);
        let texts: Vec<String> = of_query.iter().map(|hashes| hashes.join(" ")).collect();
        let mut cells = Cells::new(self.header().len());
        let mut of = Vec::with_capacity(rows.len());
        for row in rows {
            let entry = log.entries[*row as usize];
            let user = pseudonyms[entry.user as usize].to_string();
            cells.push([&user[..], &texts[entry.query as usize]]);
            of.push((entry.user, entry.query));
        }
        Ok(Published { cells, of })
    }

    fn check(
        &self,
        log: &Log,
        decided: &Decided<HashedLog>,
        of: &[(u32, u32)],
        cells: &ReadCells,
    ) -> Result<()> {
        check_rows(log, of, false)?;
        let users = (0..cells.n_rows).map(|row| cells.cell(row, 0));
        check_names(of.iter().map(|(user, _)| *user).zip(users), "a person")?;
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        let mut is_done: FastSet<u32> = FastSet::default();
        for (row, (_, query)) in of.iter().enumerate() {
            let hashes: Vec<&str> = hashes_of(cells.cell(row, 1)).collect();
            let mut terms: Vec<&str> = log.terms(*query).collect();
            if hashes.len() != terms.len() {
                return Err(failed_verification("a query has other terms than hashes"));
            }
            if !is_done.insert(*query) {
                continue;
            }
            match decided.of_form.keeps_order {
                true => pairs.extend(terms.into_iter().zip(hashes)),
                // Sorted by hash, which is which follows from the key.
                false => {
                    terms.sort_by_cached_key(|term| decided.secret.tag("term", term, 8));
                    pairs.extend(terms.into_iter().zip(hashes));
                }
            }
        }
        check_names(pairs.into_iter(), "a term")
    }

    fn details(&self, _: &Decided<HashedLog>) -> toml::Table {
        toml::Table::new()
    }

    fn tell(&self, cells: &ReadCells, _: &toml::Table) -> Result<Told> {
        let (mut users, mut queries) = (FastSet::default(), FastSet::default());
        let mut hashes: FastSet<&str> = FastSet::default();
        for row in 0..cells.n_rows {
            users.insert(cells.cell(row, 0));
            queries.insert(cells.cell(row, 1));
            hashes.extend(hashes_of(cells.cell(row, 1)));
        }
        Ok(Told {
            release: self.release(),
            rows: cells.n_rows as u64,
            pseudonyms: users.len() as u64,
            queries: queries.len() as u64,
            notes: vec![("hashes", format!("{} different", hashes.len()))],
            ..Told::default()
        })
    }

    fn stage(
        &self,
        request: &AttackRequest<Job>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn Stage>> {
        let stage = LogStage::open(request, observer)?;
        Ok(Box::new(Staged { stage, attacks: attacks::ALL }))
    }

    fn lies(&self) -> Vec<Lie<Log, Decided<HashedLog>>> {
        vec![
            Lie {
                name: "two terms have the same hash",
                subject: Subject::Cell,
                tell: |_, decided| {
                    let mut lists = decided.of_form.of_query.iter_mut().filter(|l| !l.is_empty());
                    let (Some(one), Some(other)) = (lists.next(), lists.next()) else {
                        return false;
                    };
                    let same = one[0] == other[0];
                    other[0] = one[0].clone();
                    !same
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

/// The hashes of a cell.
pub fn hashes_of(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(' ').filter(|hash| !hash.is_empty())
}
