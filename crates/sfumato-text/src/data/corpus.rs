//! A collection of documents, and what it looks like with parts of them replaced.

use std::sync::Arc;

use sfumato_core::column::RawTable;
use sfumato_core::facts::Together;

use super::literal::{Literal, Notation};
use super::span::Replaced;

/// One document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Its name: that of its file, or the number of its line or row, from 1.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The person that it is about, if the data say so.
    pub subject: Option<String>,
    /// Of which sort it is, if the data say so.
    pub label: Option<String>,
}

/// What is around the texts.
#[derive(Debug, Clone)]
pub enum Frame {
    /// Nothing: each document is a file.
    Folder,
    /// One file, with a text in each record.
    File {
        /// The whole file.
        content: String,
        /// Where the text of each document is; none where it is missing.
        literals: Vec<Option<Literal>>,
        /// How texts are written.
        notation: Notation,
    },
    /// A table of a format that isn't text, with a text in each row.
    Table {
        /// All its columns.
        table: Arc<RawTable>,
        /// The column with the text.
        text_at: usize,
    },
}

/// A collection of documents.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// The documents, in the order of the file or of their names.
    pub documents: Vec<Document>,
    /// What is around them.
    pub frame: Frame,
    /// The format: `text`, `jsonl`, `csv`, `mbox`, `parquet`, `arrow`.
    pub format: &'static str,
    /// The other fields or columns, which are published as they are.
    pub others: Vec<String>,
    /// The size in bytes.
    pub bytes: u64,
    /// The SHA-256 hash of the file, or of the names and hashes of all files.
    pub sha256: String,
}

/// A file to be written: its name within a folder, or none if it is the only one.
pub type Published = (Option<String>, String);

impl Corpus {
    /// Whether each document is a file.
    pub fn is_folder(&self) -> bool {
        matches!(self.frame, Frame::Folder)
    }

    /// The files of the collection with parts of documents replaced. `replaced` has a list for each
    /// document, in order and without overlaps.
    pub fn published(&self, replaced: &[Vec<Replaced>]) -> Vec<Published> {
        match &self.frame {
            Frame::Folder => {
                let file = |(document, replaced): (&Document, &Vec<Replaced>)| {
                    (Some(document.name.clone()), replace(&document.text, replaced))
                };
                self.documents.iter().zip(replaced).map(file).collect()
            }
            Frame::File { content, literals, notation } => {
                let mut out = String::with_capacity(content.len());
                let mut at = 0;
                for (literal, replaced) in literals.iter().zip(replaced) {
                    let Some(literal) = literal else { continue };
                    out.push_str(&content[at..literal.raw.start]);
                    let parts = replaced.iter().map(|one| (one.start..one.end, one.text.as_str()));
                    literal.write(content, parts, *notation, &mut out);
                    at = literal.raw.end;
                }
                out.push_str(&content[at..]);
                vec![(None, out)]
            }
            // The rows of a table are written by the writers of tables.
            Frame::Table { .. } => Vec::new(),
        }
    }

    /// Which documents are about one person, as numbers of groups: those of one subject, or all
    /// together, or each alone.
    pub fn groups(&self, over: Together) -> Vec<Vec<u32>> {
        let all = 0..self.documents.len() as u32;
        match over {
            Together::None => all.map(|document| vec![document]).collect(),
            Together::All => vec![all.collect()],
            Together::Subject => {
                let mut groups = std::collections::BTreeMap::<_, Vec<u32>>::new();
                for document in all {
                    let subject = self.documents[document as usize].subject.as_deref();
                    groups.entry(subject).or_default().push(document);
                }
                groups.into_values().collect()
            }
        }
    }
}

/// A text with parts of it replaced.
pub fn replace(text: &str, replaced: &[Replaced]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for one in replaced {
        out.push_str(&text[at..one.start]);
        out.push_str(&one.text);
        at = one.end;
    }
    out.push_str(&text[at..]);
    out
}
