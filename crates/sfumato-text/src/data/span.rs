//! A part of a document: where it is, what it is, and what takes its place.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};

use super::corpus::Corpus;

/// What a part of a document is, such as `PERSON`.
pub type Class = Cow<'static, str>;

/// A part of a document, by its bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// What it is.
    pub class: Class,
}

impl Span {
    /// A part of a class.
    pub fn new(start: usize, end: usize, class: impl Into<Class>) -> Span {
        Span { start, end, class: class.into() }
    }
    /// Whether it has a byte in common with another part.
    pub fn overlaps(&self, other: &Span) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// Why a part was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A detector found it.
    Detected,
    /// It is a term that would single out a protected entity.
    Term,
}

/// A part of a document that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// What it is.
    pub class: Class,
    /// What takes its place.
    pub text: String,
    /// Why it is replaced.
    pub reason: Reason,
}

/// A line of a file of spans. Offsets are in bytes of the text in UTF-8, and in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpanLine {
    /// The document: the name of its file, or the number of its record, from 0.
    pub document: serde_json::Value,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The first character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_char: Option<usize>,
    /// The character after the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_char: Option<usize>,
    /// What it is.
    pub class: String,
}

/// The lines of a file of spans, for each document its parts.
pub fn write_spans<'a>(
    corpus: &Corpus,
    spans: impl Iterator<Item = Vec<(usize, usize, &'a str)>>,
) -> String {
    let mut out = String::new();
    for (at, (document, spans)) in corpus.documents.iter().zip(spans).enumerate() {
        let chars = |to: usize| document.text[..to].chars().count();
        for (start, end, class) in spans {
            let line = SpanLine {
                document: name_in_lines(corpus, at),
                start,
                end,
                start_char: Some(chars(start)),
                end_char: Some(chars(end)),
                class: class.into(),
            };
            let line = serde_json::to_string(&line);
            out += &line.expect("a span has only numbers and texts");
            out.push('\n');
        }
    }
    out
}

/// A document with its parts marked, to be corrected by hand: `⟦PERSON|Ann Lee⟧`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct MarkedLine {
    document: serde_json::Value,
    marked: String,
}

const OPEN: char = '⟦';
const BAR: char = '|';
const CLOSE: char = '⟧';

/// The documents as lines of JSON with their parts marked in the text. A text that has such marks
/// already can't be written.
pub fn write_marked(corpus: &Corpus, spans: &[Vec<Span>]) -> Result<String> {
    let mut out = String::new();
    for (at, (document, spans)) in corpus.documents.iter().zip(spans).enumerate() {
        if document.text.contains([OPEN, CLOSE]) {
            return Err(Error::input("a document has the brackets that mark parts in its text")
                .hint("write spans instead of marked texts"));
        }
        let (mut marked, mut from) = (String::new(), 0);
        for span in spans {
            marked.push_str(&document.text[from..span.start]);
            let inner = &document.text[span.start..span.end];
            marked += &format!("{OPEN}{}{BAR}{inner}{CLOSE}", span.class);
            from = span.end;
        }
        marked.push_str(&document.text[from..]);
        let document = name_in_lines(corpus, at);
        let line = serde_json::to_string(&MarkedLine { document, marked });
        out += &line.expect("a marked text has only texts");
        out.push('\n');
    }
    Ok(out)
}

fn name_in_lines(corpus: &Corpus, at: usize) -> serde_json::Value {
    match corpus.frame {
        super::Frame::Folder => corpus.documents[at].name.clone().into(),
        super::Frame::File { .. } | super::Frame::Table { .. } => at.into(),
    }
}

/// The text without its marks, and its parts.
fn unmarked(marked: &str) -> Option<(String, Vec<Span>)> {
    let (mut text, mut spans) = (String::new(), Vec::new());
    let mut rest = marked;
    while let Some(at) = rest.find(OPEN) {
        text.push_str(&rest[..at]);
        let (inner, after) = rest[at + OPEN.len_utf8()..].split_once(CLOSE)?;
        let (class, inner) = inner.split_once(BAR)?;
        if inner.is_empty() || class.is_empty() || inner.contains(OPEN) {
            return None;
        }
        spans.push(Span::new(text.len(), text.len() + inner.len(), class.to_string()));
        text.push_str(inner);
        rest = after;
    }
    text.push_str(rest);
    (!text.contains(CLOSE)).then_some((text, spans))
}

/// Read a file of spans or of marked texts: for each document of a collection its parts, in order.
pub fn read_spans(path: &str, corpus: &Corpus) -> Result<Vec<Vec<Span>>> {
    let text = sfumato_io::read_text(path)?;
    let mut spans = vec![Vec::new(); corpus.documents.len()];
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let located = |error: Error| error.in_file(path).at_line(number as u64 + 1);
        read_line(line, corpus, &mut spans).map_err(located)?;
    }
    for (at, spans) in spans.iter_mut().enumerate() {
        spans.sort();
        if spans.windows(2).any(|pair| pair[0].overlaps(&pair[1])) {
            let message = format!("parts of document {} overlap", at + 1);
            return Err(Error::input(message).in_file(path));
        }
    }
    Ok(spans)
}

fn read_line(line: &str, corpus: &Corpus, spans: &mut [Vec<Span>]) -> Result<()> {
    let place = |document: &serde_json::Value| {
        let found = match document {
            serde_json::Value::Number(at) => at.as_u64().map(|at| at as usize),
            serde_json::Value::String(name) => {
                corpus.documents.iter().position(|document| document.name == *name)
            }
            _ => None,
        };
        found
            .filter(|at| *at < corpus.documents.len())
            .ok_or_else(|| Error::input("there is no such document"))
    };
    if let Ok(MarkedLine { document, marked }) = serde_json::from_str(line) {
        let at = place(&document)?;
        let (text, found) = unmarked(&marked)
            .ok_or_else(|| Error::input("a mark isn't whole").hint("a mark is ⟦CLASS|text⟧"))?;
        if text != corpus.documents[at].text {
            return Err(Error::input("without its marks this isn't the text of the document"));
        }
        spans[at].extend(found);
        return Ok(());
    }
    let found: SpanLine = serde_json::from_str(line).map_err(|_| {
        Error::input("this isn't a span: an object with document, start, end and class")
    })?;
    let at = place(&found.document)?;
    let text = &corpus.documents[at].text;
    if found.start >= found.end || text.get(found.start..found.end).is_none() {
        return Err(Error::input("these bytes aren't a part of the document"));
    }
    spans[at].push(Span::new(found.start, found.end, found.class));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Corpus, Document, Frame};

    fn corpus() -> Corpus {
        let document = |text: &str| Document {
            name: text.len().to_string(),
            text: text.into(),
            ..Document::default()
        };
        Corpus {
            documents: vec![document("Ann met Bób."), document("nobody")],
            frame: Frame::Folder,
            format: "text",
            others: Vec::new(),
            bytes: 0,
            sha256: String::new(),
        }
    }

    #[test]
    fn spans_and_marked_texts_say_the_same() {
        let corpus = corpus();
        let spans = vec![vec![Span::new(0, 3, "PERSON"), Span::new(8, 12, "PERSON")], Vec::new()];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tags.jsonl").display().to_string();
        let marked = write_marked(&corpus, &spans).unwrap();
        assert!(marked.contains("⟦PERSON|Ann⟧ met ⟦PERSON|Bób⟧."));
        std::fs::write(&path, &marked).unwrap();
        assert_eq!(read_spans(&path, &corpus).unwrap(), spans);
        let own = spans
            .iter()
            .map(|own| own.iter().map(|one| (one.start, one.end, one.class.as_ref())).collect());
        let lines = write_spans(&corpus, own);
        assert!(lines.contains("\"start\":8,\"end\":12,\"start_char\":8,\"end_char\":11"));
        std::fs::write(&path, &lines).unwrap();
        assert_eq!(read_spans(&path, &corpus).unwrap(), spans);
        for wrong in [
            marked.replace("met", "saw"),
            marked.replace('⟧', ""),
            lines.replace("\"end\":12", "\"end\":10"),
            lines.replace("\"document\":\"13\"", "\"document\":\"x\""),
            lines.replace("\"start\":8", "\"start\":2"),
        ] {
            std::fs::write(&path, &wrong).unwrap();
            assert_eq!(read_spans(&path, &corpus).unwrap_err().kind.exit_code(), 2, "{wrong}");
        }
    }
}
