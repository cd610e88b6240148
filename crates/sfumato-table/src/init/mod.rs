//! Reads a file and writes a release.toml with a guess for each column, and its reason.
//!
//! What a person must look at is marked CHECK, and such a job isn't run before the marks are gone.

mod header;
mod missing;
mod role;

use std::fmt::Write as _;

use sfumato_core::column::RawTable;
use sfumato_core::dataset::Role;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::job::guesses::MARK;
use sfumato_io::{guess_encoding, read, select_all};

use crate::job::{ColumnSpec, InputSpec, Job};

/// A guess about a column.
#[derive(Debug, Clone)]
pub struct Guess {
    /// The guessed specification of the column.
    pub spec: ColumnSpec,
    /// The type of its values.
    pub kind: &'static str,
    /// How many distinct values it has, besides missing ones.
    pub distinct: usize,
    /// How many of its cells have no value.
    pub missing: u64,
    /// The reason for the guess.
    pub reason: String,
    /// Whether a person must check it: the name says nothing, or a mistake would reveal people.
    pub check: bool,
}

/// What is guessed about a file.
pub struct Guesses {
    /// How the file is read, with what was guessed of it.
    pub input: InputSpec,
    /// The columns in their order.
    pub columns: Vec<(String, Guess)>,
    /// The keys of the input that were guessed, each with its comment.
    pub said: Vec<(&'static str, String)>,
    /// The file as it was read.
    pub raw: RawTable,
}

impl Guesses {
    /// The guessed job, without comments.
    pub fn job(&self, output: &str, path_in_job: &str) -> String {
        let input = InputSpec { path: path_in_job.into(), ..self.input.clone() };
        guessed_job(&input, output, &self.columns).to_toml()
    }
}

/// Look at a file and guess.
pub fn guess(input: &InputSpec, observer: &dyn Observer) -> Result<Guesses> {
    let mut input = input.clone();
    let mut said: Vec<(&'static str, String)> = Vec::new();
    if input.encoding.is_none()
        && let Some(encoding) = guess_encoding(&input.path)?
    {
        input.encoding = Some(encoding.name());
        said.push((
            "encoding",
            format!(
                "{MARK} the file isn't UTF-8; read as {encoding} it makes sense, if letters with \
                 accents are right"
            ),
        ));
    }
    let raw = read(&input.path, &read_options(&input)?, &mut select_all, observer)?;
    if raw.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(&input.path));
    }
    if input.header.is_none() && raw.source.format == "csv" {
        header::refuse_doubtful(&raw, &input.missing).map_err(|e| e.in_file(&input.path))?;
    }
    if input.missing.is_empty()
        && let Some(guess) = missing::guess(&raw.columns)
    {
        input.missing = guess.words;
        let mark = if guess.check { MARK } else { "#" };
        said.push(("missing", format!("{mark} {}", guess.reason)));
    }
    let columns = raw
        .columns
        .iter()
        .map(|column| (column.name.clone(), role::guess_column(column, raw.n_rows, &input.missing)))
        .collect();
    Ok(Guesses { input, columns, said, raw })
}

/// A job guessed from a file, as text with comments.
pub fn init(
    input: &InputSpec,
    output: &str,
    path_in_job: &str,
    observer: &dyn Observer,
) -> Result<String> {
    let Guesses { input: guessed, columns, said, raw } = guess(input, observer)?;
    let mut text = render(
        &InputSpec { path: path_in_job.into(), ..guessed },
        output,
        raw.n_rows,
        &columns,
        &said,
    );
    if path_in_job != input.path {
        text = text.replacen(path_in_job, &input.path, 1);
    }
    Ok(text)
}

/// The job of guesses.
fn guessed_job(input: &InputSpec, output: &str, guesses: &[(String, Guess)]) -> Job {
    let mut job = Job { input: input.clone(), ..Job::default() };
    job.output.path = output.into();
    job.output.report = Some(beside(output, "html"));
    job.columns.0 =
        guesses.iter().map(|(name, guess)| (name.clone(), guess.spec.clone())).collect();
    job.privacy.models = vec!["k-anonymity(k=5)".into()];
    for (name, _) in guesses.iter().filter(|(_, guess)| guess.spec.role == Role::Sensitive) {
        let on = sfumato_core::registry::Argument::Word(name.clone());
        job.privacy.models.push(format!("l-diversity-distinct(l=2, on={on})"));
    }
    job
}

/// The name of a page beside a release: without the endings of its format and of what compresses
/// it.
fn beside(output: &str, ending: &str) -> String {
    let mut path = std::path::PathBuf::from(output);
    let known = ["gz", "zst", "csv", "tsv", "txt", "parquet", "arrow", "jsonl", "json", "ndjson"];
    while path.extension().and_then(|last| last.to_str()).is_some_and(|last| known.contains(&last))
    {
        path.set_extension("");
    }
    format!("{}.{ending}", path.display())
}

fn render(
    input: &InputSpec,
    output: &str,
    n_rows: usize,
    guesses: &[(String, Guess)],
    said: &[(&str, String)],
) -> String {
    let job = guessed_job(input, output, guesses);
    let to_check = guesses.iter().filter(|(_, guess)| guess.check).count()
        + said.iter().filter(|(_, comment)| comment.starts_with(MARK)).count();
    let lines = if to_check == 1 { "1 line is" } else { &format!("{to_check} lines are") };
    let mut text = String::new();
    let _ = writeln!(text, "# A guess by 'sfumato init' from {} ({n_rows} rows).", input.path);
    let _ = writeln!(
        text,
        "# {lines} marked CHECK. Look at each, correct it, and delete the word CHECK: until then \
            the job isn't run."
    );
    let _ = writeln!(
        text,
        "# Roles: identifier and subject are dropped (a subject counts people instead of rows), \
            quasi is generalized,"
    );
    let _ = writeln!(
        text,
        "# sensitive, target and keep are published as they are. Then: sfumato run release.toml\n"
    );
    // Each line of the job's own text gets its comment above, so that what is shown is what is
    // read.
    let mut section = String::new();
    let mut next = guesses.iter();
    for line in job.to_toml().lines() {
        let key = line.split(" = ").next().unwrap_or_default();
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_string();
        } else if section == "input"
            && let Some((_, comment)) = said.iter().find(|(about, _)| *about == key)
        {
            let _ = writeln!(text, "{comment}");
        } else if section == "columns"
            && !line.is_empty()
            && let Some((_, guess)) = next.next()
        {
            let mark = if guess.check { MARK } else { "#" };
            let _ = writeln!(text, "{mark} {}", guess.reason);
        }
        let _ = writeln!(text, "{line}");
    }
    text
}
