//! Reads documents, wherever their text is.

use std::io::Read as _;
use std::path::Path;

use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;
use sfumato_io::{Source, sha256_hex, steps};

use super::corpus::{Corpus, Frame};
use super::json_lines::Fields;
use super::literal::Notation;
use super::{csv, folder, json_lines, mailbox, table};
use crate::job::{Job, Layout};

/// The largest file that is read as a whole, in bytes.
const MOST: u64 = 1 << 32;

/// Read the documents of a job.
pub fn read(job: &Job) -> Result<Corpus> {
    read_from(job, &resolve(&job.base, &job.input.path), false)
}

/// Read documents from a path or standard input. A release may have its manifest in its folder.
pub fn read_from(job: &Job, path: &str, is_release: bool) -> Result<Corpus> {
    let corpus = match job.layout()? {
        Layout::Folder => {
            let (documents, bytes, sha256) = folder::read(path, is_release)?;
            let others = Vec::new();
            Corpus { documents, frame: Frame::Folder, format: "text", others, bytes, sha256 }
        }
        Layout::Mailbox => {
            let (content, bytes, sha256) = read_text(path)?;
            let lines = mailbox::read(&content).map_err(|error| error.in_file(path))?;
            let json_lines::Lines { documents, literals, others } = lines;
            let frame = Frame::File { content, literals, notation: Notation::Plain };
            Corpus { documents, frame, format: "mbox", others, bytes, sha256 }
        }
        Layout::Field { name, subject, label } => {
            let (subject, label) = (subject.as_deref(), label.as_deref());
            let fields = Fields { text: &name, subject, label };
            let located = |error: Error| match error.place.file {
                Some(_) => error,
                None => error.in_file(path),
            };
            match is_table(job, path) {
                true => table::read(job, path, fields),
                false => read_file(job, path, fields),
            }
            .map_err(located)?
        }
    };
    match corpus.documents.is_empty() {
        true => Err(Error::input("there is no document").in_file(path)),
        false => Ok(corpus),
    }
}

/// Whether a path is a table of a format that isn't text.
fn is_table(job: &Job, path: &str) -> bool {
    let is_named = |name: &str| matches!(name, "parquet" | "pq" | "arrow" | "ipc" | "feather");
    let extension = Path::new(path).extension().and_then(|name| name.to_str());
    match (Source::of(path), job.input.format.as_deref()) {
        (Source::Memory(_), _) => true,
        (_, Some(format)) => is_named(format),
        _ => extension.is_some_and(is_named),
    }
}

/// A file of text, with its size and its hash.
fn read_text(path: &str) -> Result<(String, u64, String)> {
    let bytes = read_bytes(path)?;
    let (size, sha256) = (bytes.len() as u64, sha256_hex(&bytes));
    let content = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|b| **b == b'\n').count() as u64 + 1;
        Error::input("this isn't UTF-8").at_line(line).hint("convert the file to UTF-8")
    })?;
    Ok((content, size, sha256))
}

fn read_file(job: &Job, path: &str, fields: Fields<'_>) -> Result<Corpus> {
    let (content, size, sha256) = read_text(path)?;
    let (format, notation) = format(job, path, &content)?;
    let lines = match notation {
        Notation::Json | Notation::Plain => json_lines::read(&content, fields)?,
        Notation::Csv { delimiter } => csv::read(&content, delimiter, fields)?,
    };
    let json_lines::Lines { documents, literals, others } = lines;
    if let Some(subject) =
        fields.subject.filter(|_| documents.iter().any(|one| one.subject.is_none()))
    {
        return Err(Error::input(format!("a record hasn't the field '{subject}' of its person")));
    }
    let frame = Frame::File { content, literals, notation };
    Ok(Corpus { documents, frame, format, others, bytes: size, sha256 })
}

fn read_bytes(path: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let io = |source: std::io::Error| Error::io(Path::new(path), "read", &source);
    match Source::of(path) {
        Source::Path(file) => {
            if file.is_dir() {
                return Err(Error::input("this is a folder")
                    .in_file(path)
                    .hint("say --text folder if each of its files is a document"));
            }
            let file = steps::StepFile::open(file).map_err(io)?;
            file.take(MOST + 1).read_to_end(&mut bytes).map_err(io)?;
        }
        Source::StandardInput => {
            std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes).map_err(io)?;
        }
        Source::Memory(_) | Source::Server(_) => {
            return Err(Error::unsupported(
                "documents are read from files: neither from memory nor from a database",
            ));
        }
    }
    match bytes.len() as u64 > MOST {
        true => Err(Error::resources("documents of more than 4 GiB aren't read as one file")),
        false => Ok(bytes),
    }
}

/// The format of a file: what the job says, what its name says, or what its first byte says.
fn format(job: &Job, path: &str, content: &str) -> Result<(&'static str, Notation)> {
    let options = read_options(&job.input)?;
    let named = Path::new(path).extension().and_then(|name| name.to_str()).unwrap_or_default();
    let csv = |guess: fn(&str) -> u8| {
        let delimiter = options.delimiter.unwrap_or_else(|| guess(content));
        ("csv", Notation::Csv { delimiter })
    };
    let of = |name: &str| match name {
        "jsonl" | "ndjson" | "json" => Some(("jsonl", Notation::Json)),
        "csv" => Some(csv(csv::guess_delimiter)),
        "tsv" => Some(csv(|_| b'\t')),
        _ => None,
    };
    match job.input.format.as_deref() {
        Some(name) => of(name).ok_or_else(|| {
            Error::unsupported(format!("documents aren't read from {name}")).hint(
                "documents are read from JSON lines, CSV, Parquet, Arrow, mailboxes and folders",
            )
        }),
        None => Ok(of(named).unwrap_or_else(|| match content.trim_start().starts_with('{') {
            true => ("jsonl", Notation::Json),
            false => csv(csv::guess_delimiter),
        })),
    }
}
