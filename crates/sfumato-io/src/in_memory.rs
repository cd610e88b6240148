//! Data in memory that readers and writers know by a name, as they know a file by its path: Arrow
//! batches that are lent as an input, and inboxes that a release is handed over to. So data needn't
//! be in a file to be anonymized, audited or asked.
//!
//! Names go where paths go, so that a job is text whatever it reads and writes.

use std::io::Cursor;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use sfumato_core::{Error, Result};

/// What names of data in memory begin with.
const PREFIX: &str = "memory:";

/// Everything that has a name now.
static NAMED: Mutex<Vec<(String, Held)>> = Mutex::new(Vec::new());
static NEXT: AtomicU64 = AtomicU64::new(1);

/// What a name stands for.
enum Held {
    /// Batches that are an input.
    Batches(Arc<Batches>),
    /// A place for a release, with the draft or the release that is in it.
    Inbox { draft: Option<Bytes>, release: Option<Delivered> },
}

/// Batches of one schema.
pub(crate) struct Batches {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

impl Batches {
    /// How much memory they take.
    pub(crate) fn size(&self) -> u64 {
        self.batches.iter().map(RecordBatch::get_array_memory_size).sum::<usize>() as u64
    }
}

/// What can be read under a name.
pub(crate) enum Readable {
    /// Batches that are an input.
    Batches(Arc<Batches>),
    /// The bytes of a draft.
    Bytes(Bytes),
}

fn named() -> MutexGuard<'static, Vec<(String, Held)>> {
    NAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add(held: Held) -> String {
    let name = format!("{PREFIX}{}", NEXT.fetch_add(1, Ordering::Relaxed));
    named().push((name.clone(), held));
    name
}

fn remove(name: &str) {
    named().retain(|(other, _)| other != name);
}

/// Do something with the inbox of a name, if there is one.
fn with_inbox<T>(
    name: &str,
    act: impl FnOnce(&mut Option<Bytes>, &mut Option<Delivered>) -> T,
) -> Option<T> {
    let mut named = named();
    let (_, held) = named.iter_mut().find(|(other, _)| other == name)?;
    match held {
        Held::Inbox { draft, release } => Some(act(draft, release)),
        Held::Batches(_) => None,
    }
}

/// Batches that can be read by name until this is dropped.
#[derive(Debug)]
pub struct Loan {
    name: String,
}

impl Loan {
    /// Lend batches, all of the same schema.
    pub fn new(batches: Vec<RecordBatch>) -> Result<Self> {
        let Some(schema) = batches.first().map(RecordBatch::schema) else {
            return Err(Error::input("there are no batches to read"));
        };
        if batches.iter().any(|batch| batch.schema() != schema) {
            return Err(Error::input("the batches don't have the same columns"));
        }
        let name = add(Held::Batches(Arc::new(Batches { schema, batches })));
        Ok(Loan { name })
    }

    /// The name to give as the path of an input.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        remove(&self.name);
    }
}

/// A place in memory that one release goes to, by name, until this is dropped.
#[derive(Debug)]
pub struct Inbox {
    name: String,
}

/// A release that was handed over: the bytes of an Arrow file, and what the release says of itself.
#[derive(Debug, Clone)]
pub struct Delivered {
    bytes: Bytes,
    /// The text of its manifest.
    pub manifest: String,
}

impl Inbox {
    /// An empty inbox.
    pub fn new() -> Self {
        Inbox { name: add(Held::Inbox { draft: None, release: None }) }
    }

    /// The name to give as the path of an output.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The release, once it was handed over.
    pub fn take(self) -> Option<Delivered> {
        with_inbox(&self.name, |_, release| release.take()).flatten()
    }
}

impl Default for Inbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        remove(&self.name);
    }
}

impl Delivered {
    /// The release as batches.
    pub fn batches(&self) -> Result<Vec<RecordBatch>> {
        let broken = |error: arrow_schema::ArrowError| {
            Error::internal(format!("the release can't be read: {error}"))
        };
        let reader = FileReader::try_new(Cursor::new(self.bytes.clone()), None).map_err(broken)?;
        reader.collect::<std::result::Result<Vec<_>, _>>().map_err(broken)
    }
}

/// Put the bytes of a draft where they can be read back by the name of its inbox.
pub(crate) fn show_draft(name: &str, bytes: Option<Bytes>) -> Result<()> {
    with_inbox(name, |draft, _| *draft = bytes).ok_or_else(gone)
}

/// Hand a checked draft over to its inbox, with the text of its manifest.
pub(crate) fn deliver(name: &str, bytes: Bytes, manifest: String) -> Result<()> {
    with_inbox(name, |draft, release| {
        *draft = None;
        *release = Some(Delivered { bytes, manifest });
    })
    .ok_or_else(gone)
}

fn gone() -> Error {
    Error::internal("nobody waits for this release any more")
}

/// What can be read under a name.
pub(crate) fn find(name: &str) -> Option<Readable> {
    if !name.starts_with(PREFIX) {
        return None;
    }
    let named = named();
    let (_, held) = named.iter().find(|(other, _)| other == name)?;
    match held {
        Held::Batches(batches) => Some(Readable::Batches(batches.clone())),
        Held::Inbox { draft, .. } => draft.clone().map(Readable::Bytes),
    }
}

/// Whether a path is the name of something in memory, to be read or to be written.
pub(crate) fn is_named(path: &str) -> bool {
    path.starts_with(PREFIX) && named().iter().any(|(name, _)| name == path)
}
