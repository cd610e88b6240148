//! Logs of queries as they are read: who asked what.

pub mod layout;

use std::path::Path;

use sfumato_core::column::{Dictionary, Provenance, RawColumn};
use sfumato_core::dataset::Canonical;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, FastSet, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::job::InputSpec;
use sfumato_engine::paths::resolve;
use sfumato_io::{normal_query, terms_of};

use layout::Layout;

/// One row of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Who asked.
    pub user: u32,
    /// The query.
    pub query: u32,
    /// The address that was chosen, if one is known.
    pub url: Option<u32>,
}

/// A log of queries.
#[derive(Debug, Clone)]
pub struct Log {
    /// The rows, in the order of the file.
    pub entries: Vec<Entry>,
    /// The number of users.
    pub n_users: usize,
    /// The different queries, in their normal form.
    pub texts: Dictionary,
    /// The different addresses, as the names of their hosts.
    pub hosts: Dictionary,
    /// How many rows had no query.
    pub empty: u64,
    /// The file that was read.
    pub source: Provenance,
}

impl Log {
    /// The terms of a query, in their order.
    pub fn terms(&self, query: u32) -> impl Iterator<Item = &str> {
        terms_of(self.texts.get(query))
    }

    /// The people who asked each query, ascending, each once.
    pub fn askers(&self) -> Vec<Vec<u32>> {
        let mut askers: Vec<Vec<u32>> = vec![Vec::new(); self.texts.len()];
        self.entries.iter().for_each(|entry| askers[entry.query as usize].push(entry.user));
        for users in &mut askers {
            users.sort_unstable();
            users.dedup();
        }
        askers
    }
}

/// Read a log.
pub fn read(
    input: &InputSpec,
    base: &Path,
    layout: Layout,
    observer: &dyn Observer,
) -> Result<Log> {
    let path = resolve(base, &input.path);
    let in_file = |error: Error| error.in_file(&path);
    let mut select = |header: &[String]| select(header, &layout);
    let table = sfumato_io::read(&path, &read_options(input)?, &mut select, observer);
    let table = table.map_err(in_file)?;
    let column = |name: &String| {
        table.column(name).ok_or_else(|| Error::internal("a column of the log wasn't read"))
    };
    let (users, queries) = (column(&layout.user)?, column(&layout.query)?);
    let urls = layout.url.as_ref().map(column).transpose()?;
    let missing: FastSet<&str> = input.missing.iter().map(String::as_str).chain([""]).collect();
    let log = of_columns((users, queries, urls), &missing, table.source.clone());
    log.map_err(in_file)
}

/// The columns of a file that a layout speaks of. One that it doesn't speak of is an error.
fn select(header: &[String], layout: &Layout) -> Result<Vec<bool>> {
    if let Some(name) = layout.named().chain(&layout.dropped).find(|name| !header.contains(name)) {
        return Err(Error::params(format!("there is no column '{name}'"))
            .hint(format!("the columns are {}", header.join(", "))));
    }
    let is_read = |name: &String| layout.named().any(|named| named == name);
    match header.iter().find(|name| !is_read(name) && !layout.dropped.contains(name)) {
        Some(name) => Err(Error::input(format!("nothing is said about column '{name}'"))
            .hint("name it in the layout, or leave it out with drop=[...]")),
        None => Ok(header.iter().map(is_read).collect()),
    }
}

fn of_columns(
    (users, queries, urls): (&RawColumn, &RawColumn, Option<&RawColumn>),
    missing: &FastSet<&str>,
    source: Provenance,
) -> Result<Log> {
    // Spellings of one id are one person.
    let alike = Canonical::default().number(&users.values);
    let user_of = |code: u32| alike.as_ref().map_or(code, |alike| alike.of_text[code as usize]);
    let is_missing = |column: &RawColumn, code: u32| {
        column.null == Some(code) || missing.contains(column.values.get(code).trim())
    };
    let no_user: Vec<bool> =
        (0..users.values.len() as u32).map(|code| is_missing(users, code)).collect();
    let mut texts = Numbered::default();
    let of_query = |code: u32| match is_missing(queries, code) {
        true => None,
        false => Some(normal_query(queries.values.get(code))).filter(|text| !text.is_empty()),
    };
    let query_of: Vec<Option<u32>> = (0..queries.values.len() as u32)
        .map(|code| of_query(code).map(|text| texts.number(&text)))
        .collect();
    let mut hosts = Numbered::default();
    let host_of: Vec<Option<u32>> = urls.map_or(Vec::new(), |urls| {
        let host = |code: u32| (!is_missing(urls, code)).then(|| host_of(urls.values.get(code)));
        (0..urls.values.len() as u32).map(|code| host(code).map(|h| hosts.number(h))).collect()
    });
    let n_rows = users.codes.len();
    let mut entries = Vec::with_capacity(n_rows);
    for (row, (user, query)) in users.codes.iter().zip(queries.codes.iter()).enumerate() {
        if no_user[user as usize] {
            return Err(Error::input(format!("row {} doesn't say who asked", row + 1)));
        }
        if let Some(query) = query_of[query as usize] {
            let url = urls.and_then(|urls| host_of[urls.codes.get(row) as usize]);
            entries.push(Entry { user: user_of(user), query, url });
        }
    }
    if entries.is_empty() {
        return Err(Error::input("the log has no queries"));
    }
    let empty = (n_rows - entries.len()) as u64;
    // People without a query that is left are no part of the log.
    let mut renamed: FastMap<u32, u32> = FastMap::default();
    for entry in &mut entries {
        let next = renamed.len() as u32;
        entry.user = *renamed.entry(entry.user).or_insert(next);
    }
    let (texts, hosts) = (texts.texts, hosts.texts);
    Ok(Log { entries, n_users: renamed.len(), texts, hosts, empty, source })
}

/// The host of an address, without its scheme, or the text itself if it is none.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// Texts that are numbered as they come.
#[derive(Default)]
pub(crate) struct Numbered {
    /// The texts.
    pub texts: Dictionary,
    codes: FastMap<String, u32>,
}

impl Numbered {
    /// The number of a text.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(code) = self.codes.get(text) {
            return *code;
        }
        let code = self.texts.push(text);
        self.codes.insert(text.to_string(), code);
        code
    }
    /// The number of a text that was numbered before.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.codes.get(text).copied()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A log of users and what they asked.
    pub fn log<'a>(rows: impl IntoIterator<Item = (u32, &'a str)>) -> Log {
        let mut texts = Numbered::default();
        let entries: Vec<Entry> = rows
            .into_iter()
            .map(|(user, query)| Entry { user, query: texts.number(query), url: None })
            .collect();
        let n_users = entries.iter().map(|entry| entry.user as usize + 1).max().unwrap_or(0);
        let (texts, hosts) = (texts.texts, Dictionary::new());
        Log { entries, n_users, texts, hosts, empty: 0, source: Provenance::default() }
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::observer::Unobserved;

    use super::*;

    fn read_text(text: &str, layout: &str) -> Result<Log> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("log.tsv"), text).unwrap();
        let input = InputSpec { path: "log.tsv".into(), ..InputSpec::default() };
        read(&input, folder.path(), layout::parse(layout).unwrap(), &Unobserved)
    }

    const LOG: &str = "AnonID\tQuery\tTime\tUrl\n7\tDog  bites\t1\thttp://a.org/x\n\
                       9\tdog bites\t2\t\n7\tlilburn\t3\thttps://b.org?q=1\n8\t\t4\t\n";

    #[test]
    fn rows_become_entries() {
        let log = read_text(LOG, "log(user=AnonID, query=Query, time=Time, url=Url)").unwrap();
        let entry = |user, query, url| Entry { user, query, url };
        let expected = [entry(0, 0, Some(0)), entry(1, 0, None), entry(0, 1, Some(1))];
        assert_eq!((&log.entries[..], log.n_users, log.empty), (&expected[..], 2, 1));
        assert_eq!(log.texts.iter().collect::<Vec<_>>(), ["dog bites", "lilburn"]);
        assert_eq!(log.hosts.iter().collect::<Vec<_>>(), ["a.org", "b.org"]);
        assert_eq!(log.askers(), [vec![0, 1], vec![0]]);
        assert_eq!(log.terms(0).collect::<Vec<_>>(), ["dog", "bites"]);
    }

    #[test]
    fn what_is_not_said_or_not_there_is_refused() {
        let refused = |layout: &str| read_text(LOG, layout).unwrap_err().message;
        let said = refused("log(user=AnonID, query=Query, drop=[Time])");
        assert_eq!(said, "nothing is said about column 'Url'");
        let said = refused("log(user=Who, query=Query, drop=[Time, Url])");
        assert_eq!(said, "there is no column 'Who'");
        let nobody = "u\tq\n\tdog\n";
        let said = read_text(nobody, "log(user=u, query=q)").unwrap_err();
        assert!(said.message.contains("row 1 doesn't say who asked"), "{said}");
        let nothing = "u\tq\n1\t\n";
        assert!(read_text(nothing, "log(user=u, query=q)").is_err());
    }
}
