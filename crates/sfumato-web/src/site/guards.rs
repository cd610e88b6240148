//! Guarding nodes: what a person asks to keep from being learnt about them, as a node of the tree
//! of the sensitive column (personalized privacy). One person at a time writes down a choice, and
//! nobody is told another's; a copy of the data then has all of them as a column, which a job reads
//! in the role `guard`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use serde_json::{Value, json};
use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::{Error, FastMap, Result};
use sfumato_io::{ReadOptions, read, select_all};

use super::answer::{self, Answer};
use super::jobs::Asked;
use super::preview::{Deadline, aside, input_of, must_have};
use super::sample;
use super::{Site, body, hierarchy};

/// The column of guarding nodes in what is written.
const GUARD: &str = "guard";
/// The largest file of data to which choices are joined.
const LARGEST: u64 = 1 << 30;

/// Choices are written down one after the other.
static TURN: Mutex<()> = Mutex::new(());

/// What a person chose.
struct Choice {
    key: String,
    who: String,
    column: String,
    how: String,
    node: String,
}

/// `POST /api/v1/guards`
pub(crate) async fn choose(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let asked = Asked::of(&request, &site.folder)?;
    must_have(&asked, "input", "path")?;
    let text = |key: &str| body::text(&request, key).map(String::from);
    let choice = Choice {
        key: text("key")?,
        who: text("who")?.trim().to_string(),
        column: text("column")?,
        how: text("how")?,
        node: text("node")?,
    };
    let found = aside(&site, move |site| write_down(site, &asked, &choice)).await?;
    answer::json(&found)
}

/// `POST /api/v1/guards/join`
pub(crate) async fn join(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let asked = Asked::of(&request, &site.folder)?;
    must_have(&asked, "input", "path")?;
    let key = body::text(&request, "key")?.to_string();
    let found = aside(&site, move |site| joined(site, &asked, &key)).await?;
    answer::json(&found)
}

/// The name of a file beside the data: of the choices, or of the copy that has them.
fn beside(site: &Site, asked: &Asked, what: &str) -> Result<(String, PathBuf)> {
    let data = asked.text("input", "path").unwrap_or_default();
    let (folder, name) = data.rsplit_once('/').unwrap_or(("", data));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let slash = if folder.is_empty() { "" } else { "/" };
    let name = format!("{folder}{slash}{what}-{stem}.csv");
    let path = site.folder.below(&name)?;
    Ok((name, path))
}

fn write_down(site: &Site, asked: &Asked, choice: &Choice) -> Result<Value> {
    let levels = hierarchy::built(site, asked, &choice.column, &choice.how)?.levels;
    let is_below = |leaf: &usize| levels.row(*leaf).any(|label| label == choice.node);
    let guarded = (0..levels.n_leaves()).filter(is_below).count();
    if guarded == 0 && !choice.node.is_empty() {
        return Err(Error::params("this is no node of the tree").hint("take a label of the tree"));
    }
    let data = key_column(site, asked, &choice.key)?;
    let key = column(&data, &choice.key)?;
    if choice.who.is_empty() || !key.values.iter().any(|value| value.trim() == choice.who) {
        return Err(Error::params("nobody in the data is called that")
            .hint(format!("write what stands in the column '{}'", choice.key)));
    }
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (name, path) = beside(site, asked, "guards")?;
    let mut chosen = chosen(&path, &choice.key)?;
    chosen.retain(|(who, _)| *who != choice.who);
    chosen.push((choice.who.clone(), choice.node.clone()));
    // In the order of names: when somebody chose is nobody's business.
    chosen.sort();
    let rows = chosen.iter().map(|(who, node)| vec![who.as_str(), node.as_str()]);
    write_csv(&path, [vec![choice.key.as_str(), GUARD]].into_iter().chain(rows))?;
    Ok(json!({ "path": name, "guarded": guarded, "of": levels.n_leaves() }))
}

/// What was chosen so far: who, and which node.
fn chosen(path: &Path, key: &str) -> Result<Vec<(String, String)>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let name = path.display().to_string();
    let options = ReadOptions { delimiter: Some(b','), header: Some(true), ..Default::default() };
    let table = read(&name, &options, &mut select_all, &Deadline::new())?;
    let (who, node) = (column(&table, key)?, column(&table, GUARD)?);
    Ok((0..table.n_rows).map(|row| (cell(who, row), cell(node, row))).collect())
}

fn joined(site: &Site, asked: &Asked, key: &str) -> Result<Value> {
    let mut input = input_of(site, asked)?;
    let (choices, path) = beside(site, asked, "guards")?;
    if !path.exists() {
        return Err(Error::params("nobody has chosen a guarding node yet").in_file(choices));
    }
    let bytes = Path::new(&input.path).metadata().map(|about| about.len()).unwrap_or_default();
    if bytes > LARGEST {
        return Err(Error::resources("this file is too large to be copied here")
            .hint("join the file of choices to the data with another program"));
    }
    input.path =
        site.folder.below(asked.text("input", "path").unwrap_or_default())?.display().to_string();
    let table = sample::table(&input, &Deadline::new())?;
    if table.column(GUARD).is_some() {
        return Err(Error::params(format!("the data has a column '{GUARD}' already"))
            .hint("give it the role guard"));
    }
    let chosen: FastMap<String, String> = chosen(&path, key)?.into_iter().collect();
    let who = column(&table, key)?;
    let (name, to) = beside(site, asked, "with-guards")?;
    let mut header: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    header.push(GUARD);
    let mut guarded = 0;
    let texts: Vec<Vec<String>> = (0..table.n_rows)
        .map(|row| {
            let mut texts: Vec<String> = table.columns.iter().map(|c| cell(c, row)).collect();
            let node = chosen.get(cell(who, row).trim()).cloned().unwrap_or_default();
            guarded += u64::from(!node.is_empty());
            texts.push(node);
            texts
        })
        .collect();
    let rows = texts.iter().map(|row| row.iter().map(String::as_str).collect());
    write_csv(&to, [header].into_iter().chain(rows))?;
    Ok(json!({ "path": name, "rows": table.n_rows, "guarded": guarded, "chosen": chosen.len() }))
}

/// The column that says who somebody is, of the whole file.
fn key_column(site: &Site, asked: &Asked, key: &str) -> Result<RawTable> {
    let input = input_of(site, asked)?;
    let options = sfumato_engine::input::read_options(&input)?;
    let mut select =
        |header: &[String]| Ok(header.iter().map(|name| name == key).collect::<Vec<bool>>());
    read(&input.path, &options, &mut select, &Deadline::new())
}

fn column<'a>(table: &'a RawTable, name: &str) -> Result<&'a RawColumn> {
    let missing = || Error::params(format!("there is no column '{name}'"));
    table.column(name).ok_or_else(missing)
}

fn cell(column: &RawColumn, row: usize) -> String {
    let code = column.codes.get(row);
    if Some(code) == column.null { String::new() } else { column.values.get(code).to_string() }
}

/// Write rows as a file that appears whole or not at all. Only its owner reads it.
fn write_csv<'a>(path: &Path, rows: impl Iterator<Item = Vec<&'a str>>) -> Result<()> {
    let io = |error: std::io::Error| Error::io(path, "write", &error);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
    let mut out = std::io::BufWriter::new(file.as_file_mut());
    for row in rows {
        let cells: Vec<String> = row.into_iter().map(quoted).collect();
        writeln!(out, "{}", cells.join(",")).map_err(io)?;
    }
    out.flush().map_err(io)?;
    drop(out);
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}

/// A cell of CSV: quoted where its letters mean something.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("guards.csv");
        assert!(chosen(&path, "who").unwrap().is_empty());
        let odd = "a \"b\", c\nd";
        write_csv(
            &path,
            [vec!["who", "guard"], vec![odd, "respiratory, all"], vec!["x", ""]].into_iter(),
        )
        .unwrap();
        let found = chosen(&path, "who").unwrap();
        assert_eq!(found[0], (odd.to_string(), "respiratory, all".to_string()));
        assert_eq!(found[1], ("x".to_string(), String::new()));
        assert!(chosen(&path, "nobody").is_err());
    }
}
