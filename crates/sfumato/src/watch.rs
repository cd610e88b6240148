//! Progress and cancellation.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sfumato_core::observer::{Observer, Unit};

/// How far a step of a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The step: `read`, `write`, `verify`, or what an algorithm calls its own.
    pub step: String,
    /// How much is done.
    pub done: u64,
    /// How much there is to do, where that is known.
    pub total: Option<u64>,
    /// What is counted.
    pub unit: ProgressUnit,
}

/// What a step counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProgressUnit {
    /// Bytes of a file.
    Bytes,
    /// Records.
    Records,
    /// Steps of another kind.
    Steps,
}

/// Stops runs, from any thread. Clones stop the same runs.
///
/// A run that is stopped ends with [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) and leaves
/// nothing behind.
///
/// ```
/// use sfumato::Cancel;
///
/// let cancel = Cancel::new();
/// let elsewhere = cancel.clone();
/// std::thread::spawn(move || elsewhere.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stop the runs that were given this token.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether they were stopped.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Who is told of progress.
pub(crate) type Listener<'a> = Box<dyn Fn(&Progress) + Send + Sync + 'a>;

/// Watches a run for its caller.
#[derive(Default)]
pub(crate) struct Watch<'a> {
    pub(crate) progress: Option<Listener<'a>>,
    pub(crate) cancel: Option<Cancel>,
    step: Mutex<Option<(String, Option<u64>, ProgressUnit)>>,
    done: AtomicU64,
}

impl Watch<'_> {
    fn tell(&self, done: u64) {
        let Some(progress) = &self.progress else { return };
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((step, total, unit)) = step {
            progress(&Progress { step, done, total, unit });
        }
    }
}

impl Observer for Watch<'_> {
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        if self.progress.is_none() {
            return;
        }
        let unit = match unit {
            Unit::Bytes => ProgressUnit::Bytes,
            Unit::Rows => ProgressUnit::Records,
            Unit::Steps => ProgressUnit::Steps,
        };
        let begun = (step.to_string(), (total > 0).then_some(total), unit);
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
        self.done.store(0, Ordering::Relaxed);
        self.tell(0);
    }

    fn advance(&self, n: u64) {
        if self.progress.is_some() {
            let done = self.done.fetch_add(n, Ordering::Relaxed) + n;
            self.tell(done);
        }
    }

    fn end(&self) {}

    fn cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
    }
}
