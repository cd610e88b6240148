//! Running without the interpreter's lock: Ctrl-C stops a run, and its progress is told.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use sfumato::{Cancel, Progress, ProgressUnit};

use crate::error::{exception, panicked};

/// How often signals are looked at and progress is told.
const PAUSE: Duration = Duration::from_millis(50);

/// What a run is given: when to stop, and whom to tell.
pub struct Watcher<'a> {
    /// Stops the run.
    pub cancel: &'a Cancel,
    /// Takes what the run says of its progress.
    latest: &'a Mutex<Option<Progress>>,
    is_shown: bool,
}

impl Watcher<'_> {
    /// Note how far the run is.
    pub fn note(&self, progress: &Progress) {
        if self.is_shown {
            *locked(self.latest) = Some(progress.clone());
        }
    }
}

/// Tells that the work ended, however it did.
struct Ended<'a>(&'a (Mutex<bool>, Condvar));

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        *locked(&self.0.0) = true;
        self.0.1.notify_all();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work in another thread, without the interpreter's lock. Meanwhile this thread looks for signals,
/// which Python handles only in its main thread, and tells `progress`, a function of step, done,
/// total and unit, how far the work is.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watcher<'_>) -> sfumato::Result<T> + Send,
) -> PyResult<T> {
    let (cancel, latest) = (Cancel::new(), Mutex::new(None));
    let ended = (Mutex::new(false), Condvar::new());
    let watcher = Watcher { cancel: &cancel, latest: &latest, is_shown: progress.is_some() };
    let mut stopped_by = None;
    let done = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _ended = Ended(&ended);
            work(&watcher)
        });
        while !py.detach(|| waited(&ended)) {
            let seen = py.check_signals().and_then(|()| tell(progress, &latest));
            if let Err(error) = seen {
                cancel.cancel();
                stopped_by.get_or_insert(error);
            }
        }
        py.detach(|| worker.join())
    });
    if let Some(error) = stopped_by {
        return Err(error);
    }
    tell(progress, &latest)?;
    match done {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(exception(py, &error)),
        Err(_) => Err(panicked(py)),
    }
}

/// Wait a little; whether the work ended.
fn waited((is_done, told): &(Mutex<bool>, Condvar)) -> bool {
    let guard = locked(is_done);
    if *guard {
        return true;
    }
    *told.wait_timeout(guard, PAUSE).unwrap_or_else(PoisonError::into_inner).0
}

fn tell(progress: Option<&Bound<'_, PyAny>>, latest: &Mutex<Option<Progress>>) -> PyResult<()> {
    let (Some(progress), Some(latest)) = (progress, locked(latest).take()) else { return Ok(()) };
    let unit = match latest.unit {
        ProgressUnit::Bytes => "bytes",
        ProgressUnit::Records => "records",
        _ => "steps",
    };
    progress.call1((latest.step, latest.done, latest.total, unit))?;
    Ok(())
}
