//! Arrow batches in memory as an input. They are registered under a name that every reader accepts
//! as a path, and can be read as often as wanted until the loan is dropped. So data needn't be in a
//! file to be anonymized, audited or queried.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use sfumato_core::{Error, Result};

/// The prefix of the names of loans.
const PREFIX: &str = "memory:";

/// All batches that are registered now.
static LENT: Mutex<Vec<(String, Arc<Batches>)>> = Mutex::new(Vec::new());
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Batches of one schema.
pub(crate) struct Batches {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

fn lent() -> MutexGuard<'static, Vec<(String, Arc<Batches>)>> {
    LENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers batches under a name, by which they can be read until this is dropped.
#[derive(Debug)]
pub struct Loan {
    name: String,
}

impl Loan {
    /// Register batches, which must all have the same schema.
    pub fn new(batches: Vec<RecordBatch>) -> Result<Self> {
        let Some(schema) = batches.first().map(RecordBatch::schema) else {
            return Err(Error::input("there are no batches to read"));
        };
        if batches.iter().any(|batch| batch.schema() != schema) {
            return Err(Error::input("the batches don't have the same columns"));
        }
        let name = format!("{PREFIX}{}", NEXT.fetch_add(1, Ordering::Relaxed));
        lent().push((name.clone(), Arc::new(Batches { schema, batches })));
        Ok(Loan { name })
    }

    /// The name to give as the path of an input.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        lent().retain(|(name, _)| *name != self.name);
    }
}

/// The batches with a name.
pub(crate) fn find(name: &str) -> Option<Arc<Batches>> {
    if !name.starts_with(PREFIX) {
        return None;
    }
    lent().iter().find(|(lent, _)| lent == name).map(|(_, batches)| batches.clone())
}

/// Whether a path is the name of batches in memory.
pub fn is_lent(path: &str) -> bool {
    find(path).is_some()
}
