//! `POST /api/v1/preview`: what the columns of a table are, with reasons: the guesses of
//! `sfumato init`. The cells that are shown are the steward's own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use serde_json::{Value, json};
use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};
use sfumato_table::init::{self, Guess, Guesses};

use super::answer::{self, Answer};
use super::errors::Failure;
use super::jobs::Asked;
use super::sample::Head;
use super::{Site, body};

/// How long a look may take.
const LONGEST: Duration = Duration::from_secs(60);
/// How many common values of a column are shown, and how many rows.
const VALUES: usize = 6;
const ROWS: usize = 12;
/// How much of a text is shown.
const LETTERS: usize = 80;

/// Ends work that takes too long.
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// From now on, as long as a look may take.
    pub(crate) fn new() -> Self {
        Deadline(Instant::now() + LONGEST)
    }
}

impl Observer for Deadline {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        Instant::now() > self.0
    }
}

/// Do something that takes a while without keeping others waiting.
pub(crate) async fn aside<T: Send + 'static>(
    site: &Arc<Site>,
    work: impl FnOnce(&Site) -> Result<T> + Send + 'static,
) -> Result<T, Failure> {
    let _place = site.tasks.look().await?;
    let inner = Arc::clone(site);
    match tokio::task::spawn_blocking(move || work(&inner)).await {
        Ok(done) => done.map_err(|error| Failure::of_core(error, &site.folder)),
        Err(_) => Err(Failure::bug("looking at this file went wrong")),
    }
}

/// `POST /api/v1/preview`
pub(crate) async fn preview(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let asked = Asked::of(&body::json(request).await?, &site.folder)?;
    let found = aside(&site, move |site| look(site, &asked)).await?;
    answer::json(&found)
}

/// How a job reads its file, with the place of the file.
pub(crate) fn input_of(site: &Site, asked: &Asked) -> Result<sfumato_engine::job::InputSpec> {
    let mut job = sfumato_engine::Job::of_sections(asked.sections.clone());
    job.set_base(site.folder.root());
    let mut input = job.input()?;
    input.path = job.input_path();
    Ok(input)
}

fn look(site: &Site, asked: &Asked) -> Result<Value> {
    let path = asked.text("input", "path").unwrap_or_default();
    let mut input = input_of(site, asked)?;
    let head = Head::spread(std::path::Path::new(&input.path))?;
    input = head.instead(input);
    let told = |error: Error| match head.part {
        Some(_) => error.in_file(path),
        None => error,
    };
    let guesses = init::guess(&input, &Deadline::new()).map_err(told)?;
    let output = format!("released-{}", plain_name(path));
    let job: toml::Table = toml::from_str(&guesses.job(&output, path))
        .map_err(|_| Error::internal("a guessed job can't be read"))?;
    let columns: Vec<Value> =
        guesses.columns.iter().map(|(name, guess)| column(name, guess, &guesses)).collect();
    Ok(json!({
        "rows": guesses.raw.n_rows,
        "part": head.part.map(|(bytes, of)| json!({ "bytes": bytes, "of": of })),
        "columns": columns,
        "remarks": guesses.said.iter().map(|(key, why)| json!({ "key": key, "why":
            why.trim_start_matches("# ") })).collect::<Vec<_>>(),
        "head": first_rows(&guesses.raw),
        "job": job,
    }))
}

fn plain_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or("data.csv");
    match sfumato_io::name_inside(path) {
        Some(inside) => format!("{inside}.csv"),
        None => name.to_string(),
    }
}

fn column(name: &str, guess: &Guess, guesses: &Guesses) -> Value {
    let raw = guesses.raw.column(name);
    json!({
        "name": name,
        "type": guess.kind,
        "distinct": guess.distinct,
        "missing": guess.missing,
        "role": guess.spec.role.name(),
        "reason": guess.reason,
        "check": guess.check,
        "common": raw.map(common).unwrap_or_default(),
    })
}

/// The most common values, and how often they occur.
fn common(column: &RawColumn) -> Vec<Value> {
    let counts = column.codes.counts(column.values.len());
    let mut order: Vec<u32> = (0..counts.len() as u32).collect();
    order.sort_by_key(|code| (std::cmp::Reverse(counts[*code as usize]), *code));
    let shown = |code: &u32| {
        let count = counts[*code as usize];
        json!({ "text": shortened(column.values.get(*code)), "count": count })
    };
    order.iter().filter(|code| Some(**code) != column.null).take(VALUES).map(shown).collect()
}

/// The first rows of a table, as texts.
pub(crate) fn first_rows(table: &RawTable) -> Vec<Vec<Option<String>>> {
    let cell = |column: &RawColumn, row: usize| {
        let code = column.codes.get(row);
        (Some(code) != column.null).then(|| shortened(column.values.get(code)))
    };
    let row = |row| table.columns.iter().map(|column| cell(column, row)).collect();
    (0..table.n_rows.min(ROWS)).map(row).collect()
}

pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

/// What a request says must be there.
pub(crate) fn must_have<'a>(
    asked: &'a Asked,
    section: &str,
    key: &str,
) -> Result<&'a str, Failure> {
    asked.text(section, key).ok_or_else(|| {
        Failure::wrong(&format!("the job says no {section}.{key}"), "name a file of the folder")
    })
}
