//! Shares of queries as a form of release: a row for each person and query, with a tag of the query
//! and a share of its text.

use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::registry::{Info, Params};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::lie::{Lie, Subject};
use sfumato_engine::verify::failed_verification;

use super::cells::{Cells, ReadCells};
use super::row_form::{Published, RowForm, RowTask, check_names, check_rows};
use super::rows::Decided;
use super::told::Told;
use crate::algorithms::secret::{hex, of_hex};
use crate::algorithms::sharing::{self, Scheme, Shares, SharingTask, decode};
use crate::data::Log;

/// The form of shares.
pub struct Shared;

impl RowForm for Shared {
    type Decision = Shares;

    fn name(&self) -> &'static str {
        "shared"
    }
    fn release(&self) -> &'static str {
        "a log of shares"
    }
    fn algorithms(&self) -> Vec<&'static Info> {
        sharing::ALL.iter().map(|algorithm| algorithm.info()).collect()
    }
    fn states(&self) -> &'static [Fact] {
        &[Fact::Hiding(Hiding::Askers)]
    }
    fn header(&self) -> &'static [&'static str] {
        &["user", "query", "share", "value"]
    }
    fn warnings(&self) -> &'static [&'static str] {
        &["the entries of a person have one pseudonym: several queries that many asked may \
           together be one person's alone"]
    }
    fn find(&self, name: &str) -> Result<&'static Info> {
        sharing::find(name).map(|algorithm| algorithm.info())
    }
    fn decide(&self, name: &str, params: &Params, task: &RowTask<'_>) -> Result<Shares> {
        let k = task.k.ok_or_else(|| {
            Error::params("nothing says how many people must have asked what can be read")
                .hint("say -k 5, or --model 'k-anonymous-queries(k=5)'")
        })?;
        let task = SharingTask { log: task.log, k: sharing::of_k(k)?, secret: task.secret };
        sharing::find(name)?.share(params, &task)
    }

    fn publish(&self, log: &Log, decided: &Decided<Shares>) -> Result<Published> {
        let shares = &decided.of_form;
        let pseudonyms = decided.pseudonyms(log.n_users);
        let mut most = vec![0u8; log.texts.len()];
        for row in &shares.rows {
            let most = &mut most[row.query as usize];
            *most = (*most).max(row.share);
        }
        let mut of_query: Vec<Option<(String, Vec<String>)>> = vec![None; log.texts.len()];
        let mut cells = Cells::new(self.header().len());
        for row in &shares.rows {
            let at = row.query as usize;
            if of_query[at].is_none() {
                let text = log.texts.get(row.query);
                let values = shares.shares_of(text, usize::from(most[at]))?;
                of_query[at] = Some((shares.tag(text), values.iter().map(|v| hex(v)).collect()));
            }
            let lacks = || Error::internal("there is no share of this number");
            let (tag, values) = of_query[at].as_ref().ok_or_else(lacks)?;
            let value = values.get(usize::from(row.share).wrapping_sub(1)).ok_or_else(lacks)?;
            let (user, share) = (pseudonyms[row.user as usize].to_string(), row.share.to_string());
            cells.push([&user[..], tag, &share, value]);
        }
        let of = shares.rows.iter().map(|row| (row.user, row.query)).collect();
        Ok(Published { cells, of })
    }

    fn check(
        &self,
        log: &Log,
        decided: &Decided<Shares>,
        of: &[(u32, u32)],
        cells: &ReadCells,
    ) -> Result<()> {
        check_rows(log, of, true)?;
        let named = |column: usize| (0..cells.n_rows).map(move |row| cells.cell(row, column));
        check_names(of.iter().map(|(user, _)| *user).zip(named(0)), "a person")?;
        check_names(of.iter().map(|(_, query)| *query).zip(named(1)), "a query")?;
        // What can be read, from the file alone, is what was asked.
        let told = self.tell(cells, &self.details(decided))?;
        let readable: FastMap<&str, u64> =
            told.readable.iter().flatten().map(|(text, n)| (&text[..], *n)).collect();
        let mut found = 0;
        for (query, users) in (0..).zip(log.askers()) {
            if let Some(askers) = readable.get(log.texts.get(query)) {
                found += 1;
                if *askers != users.len() as u64 {
                    return Err(failed_verification("not everybody who asked a query has a share"));
                }
            }
        }
        match found == readable.len() {
            true => Ok(()),
            false => Err(failed_verification("something can be read that nobody asked")),
        }
    }

    fn details(&self, decided: &Decided<Shares>) -> toml::Table {
        let Shares { scheme, k, .. } = &decided.of_form;
        let mut details = toml::Table::new();
        details.insert("scheme".into(), scheme.word().into());
        details.insert("needed".into(), i64::from(*k).into());
        details
    }

    fn tell(&self, cells: &ReadCells, details: &toml::Table) -> Result<Told> {
        let unsaid = || Error::input("the manifest doesn't say how texts are shared");
        let scheme = details.get("scheme").and_then(|word| word.as_str());
        let scheme = scheme.and_then(Scheme::of_word).ok_or_else(unsaid)?;
        let k = details.get("needed").and_then(|needed| needed.as_integer());
        let k = k.and_then(|k| u8::try_from(k).ok()).filter(|k| *k > 0).ok_or_else(unsaid)?;
        let rows = of_tags(cells)?;
        let mut told = Told {
            release: self.release(),
            rows: cells.n_rows as u64,
            pseudonyms: different((0..cells.n_rows).map(|row| cells.cell(row, 0))),
            queries: rows.len() as u64,
            ..Told::default()
        };
        let mut readable = Vec::new();
        for OfTag { people, shares } in rows {
            let Some(secret) = scheme.recover(k, &shares)? else {
                told.unreadable_most = told.unreadable_most.max(people);
                continue;
            };
            let text = decode(&secret)
                .ok_or_else(|| Error::input("the shares of a query give no text"))?;
            told.readable_rows += people;
            readable.push((text, people));
        }
        readable.sort_unstable();
        if readable.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::input("two tags stand for the same query"));
        }
        told.notes = vec![
            ("readable", format!("{} of {} queries", readable.len(), told.queries)),
            ("needed", format!("{k} shares ({})", scheme.word())),
        ];
        told.readable = Some(readable);
        Ok(told)
    }

    fn is_true(&self, told: &Told, original: &Log) -> Result<bool> {
        let askers = original.askers();
        let of_text: FastMap<&str, u64> = original
            .texts
            .iter()
            .zip(&askers)
            .map(|(text, users)| (text, users.len() as u64))
            .collect();
        let readable = told.readable.iter().flatten();
        let are_true = readable.clone().all(|(text, n)| of_text.get(&text[..]) == Some(n));
        Ok(are_true && told.queries == original.texts.len() as u64)
    }

    fn lies(&self) -> Vec<Lie<Log, Decided<Shares>>> {
        vec![
            Lie {
                name: "one person is enough to read a query",
                subject: Subject::Privacy,
                tell: |_, decided| {
                    decided.of_form.scheme = Scheme::Threshold;
                    std::mem::replace(&mut decided.of_form.k, 1) > 1
                },
            },
            Lie {
                name: "somebody asked something else",
                subject: Subject::Cell,
                tell: |log, decided| {
                    let n = log.texts.len() as u32;
                    let first = decided.of_form.rows.first_mut();
                    first.is_some_and(|row| {
                        let other = (row.query + 1) % n;
                        std::mem::replace(&mut row.query, other) != other
                    })
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

/// The entries of one tag.
struct OfTag {
    /// How many pseudonyms have it.
    people: u64,
    /// The different shares, by their numbers.
    shares: Vec<(u8, Vec<u8>)>,
}

/// The number of different texts.
fn different<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    texts.collect::<sfumato_core::FastSet<&str>>().len() as u64
}

/// The entries of all tags, in the order of tags. An error where they don't fit together.
fn of_tags(cells: &ReadCells) -> Result<Vec<OfTag>> {
    let mut order: Vec<usize> = (0..cells.n_rows).collect();
    order.sort_by_key(|row| (cells.cell(*row, 1), cells.cell(*row, 0)));
    let mut all: Vec<OfTag> = Vec::new();
    let mut before: Option<(&str, &str)> = None;
    for row in order {
        let wrong = |what: &str| Error::input(what).at_line(row as u64 + 2);
        let (user, tag) = (cells.cell(row, 0), cells.cell(row, 1));
        if before == Some((tag, user)) {
            return Err(wrong("somebody has two shares of a query"));
        }
        let number: u8 = cells
            .cell(row, 2)
            .parse()
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| wrong("a share has a number from 1 to 255"))?;
        let value = of_hex(cells.cell(row, 3)).filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| wrong("a share is written in hexadecimal digits"))?;
        if before.is_none_or(|(other, _)| other != tag) {
            all.push(OfTag { people: 0, shares: Vec::new() });
        }
        before = Some((tag, user));
        let lost = || Error::internal("a tag has no entries");
        let OfTag { people, shares } = all.last_mut().ok_or_else(lost)?;
        *people += 1;
        match shares.iter().find(|(other, _)| *other == number) {
            None => shares.push((number, value)),
            Some((_, other)) if *other == value => {}
            Some(_) => return Err(wrong("two shares of a query have the same number")),
        }
    }
    for OfTag { shares, .. } in &mut all {
        shares.sort_unstable();
    }
    Ok(all)
}
