//! Tables inside other files and on servers: a sheet of a workbook, a table of a SQLite database or
//! of a PostgreSQL server. They are copied as CSV into an unnamed temporary file, so that all that
//! CSV can do goes for them too.
//!
//! `book.xlsx#Sheet2` and `clinic.sqlite#patients` name a sheet and a table; a database is also
//! asked by `clinic.sqlite#select ...`. Where there is only one, it needs no name. Files are opened
//! for reading only.

pub(crate) mod postgres;
mod sqlite;
mod workbook;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use sfumato_core::registry::edit_distance;
use sfumato_core::{Error, Result};
use sha2::{Digest as _, Sha256};

use crate::format;
use crate::input::open_file;
use crate::steps::StepFile;

/// How many names a hint lists.
const LISTED: usize = 20;

/// A table that was copied.
pub(crate) struct Converted {
    /// The copy, as CSV.
    pub(crate) file: StepFile,
    /// The format of the file that it is from.
    pub(crate) format: &'static str,
    /// The size of that file.
    pub(crate) bytes: u64,
    /// Its SHA-256 hash, if it was asked for.
    pub(crate) sha256: String,
}

/// The kinds of files with tables inside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Workbook,
    Database,
    Server,
    /// A database that can't be read.
    DuckDb,
}

impl Container {
    fn of_extension(path: &str) -> Option<Container> {
        let extension = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" => Some(Container::Workbook),
            "sqlite" | "sqlite3" | "db" | "db3" => Some(Container::Database),
            "duckdb" | "ddb" => Some(Container::DuckDb),
            _ => None,
        }
    }
}

/// The file of a path, and the name of what is inside it. `None` if the path names no such file.
fn split(path: &str) -> Option<(Container, &str, Option<&str>)> {
    if postgres::is_address(path) {
        let (address, part) = path.split_once('#').unwrap_or((path, ""));
        return Some((Container::Server, address, Some(part).filter(|part| !part.is_empty())));
    }
    if let Some((file, part)) = path.split_once('#')
        && let Some(container) = Container::of_extension(file)
    {
        return Some((container, file, Some(part).filter(|part| !part.is_empty())));
    }
    Container::of_extension(path).map(|container| (container, path, None))
}

/// Whether a path names a table inside another file.
pub(crate) fn is_inside(path: &str) -> bool {
    split(path).is_some()
}

/// The file that a path leads to, without the name of what is inside it.
pub fn file_of(path: &str) -> &str {
    split(path).map_or(path, |(_, file, _)| file)
}

/// A name for what is published of a table inside another file, without the ending of a format:
/// that of the table, or that of the file where a query was asked. `None` for other paths.
pub fn name_inside(path: &str) -> Option<String> {
    let (container, file, part) = split(path)?;
    let is_plain = |part: &&str| {
        part.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.'))
    };
    Some(match (part.filter(is_plain), container) {
        (Some(part), _) => part.to_string(),
        (None, Container::Server) => postgres::database_of(file).into_owned(),
        (None, _) => Path::new(file).file_stem().unwrap_or_default().display().to_string(),
    })
}

/// Copy the table that a path names. `None` if it is no table inside another file.
pub(crate) fn open(path: &str, hash: bool) -> Result<Option<Converted>> {
    let Some((container, file, part)) = split(path) else { return Ok(None) };
    let copy = tempfile::tempfile()
        .map_err(|error| Error::io(&std::env::temp_dir(), "create a temporary file", &error))?;
    let mut rows = Rows { out: BufWriter::new(copy) };
    let (format, (sha256, bytes)) = match container {
        Container::Workbook => {
            let found = digest(file, hash)?;
            workbook::copy(file, part, &mut rows)?;
            ("workbook", found)
        }
        Container::Database => {
            let found = digest(file, hash)?;
            if is_duckdb(file) {
                return Err(no_duckdb(file));
            }
            sqlite::copy(file, part, &mut rows)?;
            ("sqlite", found)
        }
        Container::Server => ("postgresql", postgres::copy(file, part, &mut rows)?),
        Container::DuckDb => {
            open_file(file)?;
            return Err(no_duckdb(file));
        }
    };
    let file = rows.out.into_inner().map_err(|error| write_error(error.error()))?;
    let file = StepFile::of(file, &std::env::temp_dir());
    Ok(Some(Converted { file, format, bytes, sha256 }))
}

/// Whether a file begins as those of DuckDB do.
fn is_duckdb(path: &str) -> bool {
    let mut start = [0; 12];
    let read =
        File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    read.is_ok() && start[8..] == *b"DUCK"
}

fn no_duckdb(path: &str) -> Error {
    Error::unsupported("databases of DuckDB aren't read: its library is larger than this program")
        .in_file(path)
        .hint(format!("export the table: duckdb {path} -c \"copy people to 'people.parquet'\""))
}

/// Whether what stands behind `#` is a query instead of a name.
fn is_query(part: &str) -> bool {
    let first = part.split_whitespace().next().unwrap_or_default();
    first.eq_ignore_ascii_case("select") || first.eq_ignore_ascii_case("with")
}

fn write_error(error: &std::io::Error) -> Error {
    Error::io(&std::env::temp_dir(), "write a temporary file", error)
}

/// The hash and the size of a file.
fn digest(path: &str, hash: bool) -> Result<(String, u64)> {
    let failed = |error: std::io::Error| Error::io(Path::new(path), "open", &error);
    let mut file = open_file(path)?;
    let bytes = file.file().metadata().map_err(failed)?.len();
    if !hash {
        return Ok((String::new(), bytes));
    }
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match std::io::Read::read(&mut file, &mut buffer).map_err(failed)? {
            0 => break,
            n => digest.update(&buffer[..n]),
        }
    }
    Ok((digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes))
}

/// Writes rows of texts as CSV.
struct Rows {
    out: BufWriter<File>,
}

impl Rows {
    fn push<'t>(&mut self, cells: impl Iterator<Item = std::borrow::Cow<'t, str>>) -> Result<()> {
        let mut line = String::new();
        let mut n = 0;
        for cell in cells {
            if n > 0 {
                line.push(',');
            }
            n += 1;
            match cell.contains([',', '"', '\n', '\r']) || cell.is_empty() && n == 1 {
                true => {
                    line.push('"');
                    line.push_str(&cell.replace('"', "\"\""));
                    line.push('"');
                }
                false => line.push_str(&cell),
            }
        }
        line.push('\n');
        self.out.write_all(line.as_bytes()).map_err(|error| write_error(&error))
    }
}

/// The one that is meant of several names: the one that was said, or the only one there is.
fn choose(path: &str, what: &str, names: &[String], said: Option<&str>) -> Result<String> {
    let list = || match names.len() {
        0 => "there are none".to_string(),
        n if n > LISTED => {
            format!("there are {} and {} more", names[..LISTED].join(", "), n - LISTED)
        }
        _ => format!("there are {}", names.join(", ")),
    };
    match (said, names) {
        (Some(said), _) => {
            let found = names.iter().find(|name| name.as_str() == said).cloned();
            found.ok_or_else(|| {
                let near = names.iter().min_by_key(|name| edit_distance(name, said));
                let near = near.filter(|name| edit_distance(name, said) <= 2);
                let meant = near.map(|name| format!("did you mean '{name}'? ")).unwrap_or_default();
                Error::params(format!("there is no {what} '{said}'"))
                    .in_file(path)
                    .hint(meant + &list())
            })
        }
        (None, [one]) => Ok(one.clone()),
        (None, []) => Err(Error::input(format!("there is no {what} in it")).in_file(path)),
        (None, _) => Err(Error::params(format!("there are {} {what}s in it", names.len()))
            .in_file(path)
            .hint(format!("name one: '{path}#{}'; {}", names[0], list()))),
    }
}

/// Whether a name has the ending of a table or of a file with tables inside.
pub(crate) fn is_table(name: &str) -> bool {
    format::of_extensions(name).0.is_some() || Container::of_extension(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_files_and_what_is_inside() {
        assert!(is_inside("a/book.XLSX") && is_inside("c.sqlite#people") && is_inside("x.ods#"));
        assert!(!is_inside("a.csv") && !is_inside("a.csv#b") && !is_inside("-"));
        assert_eq!(file_of("c.sqlite#people"), "c.sqlite");
        assert_eq!(file_of("odd#name.csv"), "odd#name.csv");
        assert_eq!(file_of("postgresql:///clinic#select '#'"), "postgresql:///clinic");
        for (path, name) in [
            ("a/c.sqlite#people", Some("people")),
            ("a/c.sqlite#select * from people", Some("c")),
            ("book.xlsx", Some("book")),
            ("postgresql://localhost/clinic#select 1", Some("clinic")),
            ("postgresql://localhost/clinic#staff.people", Some("staff.people")),
            ("a.csv", None),
        ] {
            assert_eq!(name_inside(path).as_deref(), name, "{path}");
        }
        let names = ["one".to_string(), "two".to_string()];
        assert_eq!(choose("f", "sheet", &names, Some("two")).unwrap(), "two");
        assert_eq!(choose("f", "sheet", &names[..1], None).unwrap(), "one");
        let error = choose("f.xlsx", "sheet", &names, None).unwrap_err();
        assert_eq!(error.to_string(), "f.xlsx: there are 2 sheets in it");
        let hint = "name one: 'f.xlsx#one'; there are one, two";
        assert_eq!(error.hint.as_deref(), Some(hint));
        assert!(choose("f", "sheet", &[], None).is_err());
        let hint = choose("f", "sheet", &names, Some("twa")).unwrap_err().hint;
        assert_eq!(hint.as_deref(), Some("did you mean 'two'? there are one, two"));
    }
}
