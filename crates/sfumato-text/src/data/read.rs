//! Reads documents, wherever their text is.

use std::io::Read as _;
use std::path::Path;

use sfumato_core::{Error, Result};
use sfumato_engine::input::read_options;
use sfumato_engine::paths::resolve;
use sfumato_io::{Source, sha256_hex};

use super::corpus::{Corpus, Frame};
use super::literal::Notation;
use super::{csv, folder, json_lines};
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
        Layout::Field { name, subject } => read_file(job, path, (&name, subject.as_deref()))
            .map_err(|error| match error.place.file {
                Some(_) => error,
                None => error.in_file(path),
            })?,
    };
    match corpus.documents.is_empty() {
        true => Err(Error::input("there is no document").in_file(path)),
        false => Ok(corpus),
    }
}

fn read_file(job: &Job, path: &str, (field, subject): (&str, Option<&str>)) -> Result<Corpus> {
    let bytes = read_bytes(path)?;
    let (size, sha256) = (bytes.len() as u64, sha256_hex(&bytes));
    let content = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|b| **b == b'\n').count() as u64 + 1;
        Error::input("this isn't UTF-8").at_line(line).hint("convert the file to UTF-8")
    })?;
    let (format, notation) = format(job, path, &content)?;
    let lines = match notation {
        Notation::Json => json_lines::read(&content, field, subject)?,
        Notation::Csv { delimiter } => csv::read(&content, delimiter, field, subject)?,
    };
    let json_lines::Lines { documents, literals, others } = lines;
    if let Some(subject) = subject.filter(|_| documents.iter().any(|one| one.subject.is_none())) {
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
            let file = std::fs::File::open(file).map_err(io)?;
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
            Error::unsupported(format!("documents aren't read from {name}"))
                .hint("documents are read from JSON lines, from CSV and from folders of files")
        }),
        None => Ok(of(named).unwrap_or_else(|| match content.trim_start().starts_with('{') {
            true => ("jsonl", Notation::Json),
            false => csv(csv::guess_delimiter),
        })),
    }
}
