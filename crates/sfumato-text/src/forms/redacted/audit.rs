//! Reads a release of documents, whoever made it, for an audit.

use sfumato_core::{Error, Result};
use sfumato_engine::audit::{AuditRequest, Figures};
use sfumato_engine::manifest::Manifest;
use sfumato_engine::paths::resolve;
use sfumato_io::sha256_hex;
use sfumato_report::numbers::count;

use crate::data::{Corpus, Entities, Frame, read_from};
use crate::job::Job;

/// A release that was opened.
pub struct Opened {
    /// The documents.
    pub corpus: Corpus,
    /// The entities, if they were named.
    pub entities: Option<Entities>,
    /// Whether each document is its original with parts replaced by marks; none where nobody can
    /// tell.
    pub is_true: Option<bool>,
    /// Where the text is.
    pub layout: String,
    /// Whether marks say where something was replaced.
    pub has_marks: bool,
    path: String,
}

/// Read a release. What it is about is said by flags, or by its manifest.
pub fn open(request: &AuditRequest<Job>) -> Result<Opened> {
    let mut job = request.job.clone();
    let manifest = request.manifest.as_ref();
    if job.text.layout.is_empty() {
        job.text.layout = match manifest {
            Some(manifest) => manifest.detail("layout")?.to_string(),
            None => {
                return Err(Error::params("where the text is isn't said")
                    .hint("say --text folder, or --text 'field=NAME'"));
            }
        };
    }
    if let (None, Some(format)) = (&job.input.format, manifest.map(|one| one.detail("format"))) {
        job.input.format = format.ok().filter(|format| *format != "text").map(Into::into);
    }
    let path = resolve(&job.base, &job.input.path);
    let corpus = read_from(&job, &path, true)?;
    if let Some(manifest) = manifest {
        check(manifest, &corpus, &path)?;
    }
    let original = request.original.as_ref();
    let named = [Some(&job), original].into_iter().flatten();
    let entities = named.into_iter().find_map(|job| Some((job, job.text.entities.as_ref()?)));
    let entities = match entities {
        None => None,
        Some((job, path)) => {
            let protected = job.text.protected.as_deref().map(|path| resolve(&job.base, path));
            Some(Entities::read(&resolve(&job.base, path), protected.as_deref())?)
        }
    };
    let is_true = match original {
        None => None,
        Some(original) => {
            let own = Job { text: job.text.clone(), ..original.clone() };
            let before = read_from(&own, &resolve(&own.base, &own.input.path), false)?;
            compared(&before, &corpus)
        }
    };
    let has_marks = corpus.documents.iter().any(|document| marks(&document.text) > 0);
    Ok(Opened { corpus, entities, is_true, layout: job.text.layout, has_marks, path })
}

/// Refuse files that aren't those of the manifest.
fn check(manifest: &Manifest, corpus: &Corpus, path: &str) -> Result<()> {
    let changed = || {
        Error::input("this isn't what the manifest of the release describes")
            .in_file(path)
            .hint("it was changed after it was written, or the manifest is another's")
    };
    let is_same = match &corpus.frame {
        Frame::File { .. } | Frame::Table { .. } => {
            matches!(&manifest.files[..], [file] if file.sha256 == corpus.sha256)
        }
        Frame::Folder => {
            manifest.files.len() == corpus.documents.len()
                && corpus.documents.iter().all(|document| {
                    let hash = sha256_hex(document.text.as_bytes());
                    let is_it = |file: &sfumato_engine::manifest::ManifestFile| {
                        file.path == document.name && file.sha256 == hash
                    };
                    manifest.files.iter().any(is_it)
                })
        }
    };
    if is_same { Ok(()) } else { Err(changed()) }
}

/// The texts between marks. A mark is a word of capitals in square brackets.
pub fn between_marks(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(open) = text[at..].find('[').map(|open| open + at) {
        let inner = &text[open + 1..];
        let length = inner.bytes().take_while(|b| b.is_ascii_uppercase() || *b == b'_').count();
        if length >= 2 && inner[length..].starts_with(']') {
            parts.push(&text[from..open]);
            from = open + length + 2;
            at = from;
        } else {
            at = open + 1;
        }
    }
    parts.push(&text[from..]);
    parts
}

/// How many marks a text has.
pub fn marks(text: &str) -> usize {
    between_marks(text).len() - 1
}

/// Whether each published document is its original with parts replaced by marks. None where a
/// document isn't, since other things than marks may take the place of a part.
fn compared(original: &Corpus, published: &Corpus) -> Option<bool> {
    if original.documents.len() != published.documents.len() {
        return Some(false);
    }
    let is_it = original.documents.iter().zip(&published.documents).all(|(before, after)| {
        let parts = between_marks(&after.text);
        let (first, last) = (parts[0], parts[parts.len() - 1]);
        if parts.len() == 1 {
            return before.text == after.text;
        }
        let Some(rest) = before.text.strip_prefix(first) else { return false };
        let Some(mut rest) = rest.strip_suffix(last) else { return false };
        parts[1..parts.len() - 1].iter().all(|part| match rest.find(part) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                true
            }
            None => false,
        })
    });
    is_it.then_some(true)
}

/// What an audit shows.
pub fn figures(opened: &Opened) -> Figures {
    let documents = &opened.corpus.documents;
    let n_marks: usize = documents.iter().map(|document| marks(&document.text)).sum();
    let rows = documents.len() as u64;
    let head = format!(
        "file       {} ({} documents, {} marks in place of something)\n",
        opened.path,
        count(rows),
        count(n_marks as u64)
    );
    let truth = match opened.is_true {
        Some(true) => "each document is its original with parts replaced by marks",
        Some(false) => "DIFFERS: there aren't as many documents as in the original",
        None => "not compared: without the original, or where other things than marks replace",
    };
    let mut json = serde_json::Map::new();
    json.insert("documents".into(), rows.into());
    json.insert("marks".into(), n_marks.into());
    if !opened.corpus.is_folder() {
        json.insert("sha256".into(), opened.corpus.sha256.clone().into());
    }
    let tail = format!("truth      {truth}\n");
    Figures { rows, is_true: opened.is_true, json, head, tail }
}
