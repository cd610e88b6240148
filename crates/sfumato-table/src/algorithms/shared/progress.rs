//! Reports to the observer how many records have their class, and checks whether the user asked to
//! stop.

use sfumato_core::observer::{Observer, Unit};
use sfumato_core::traits::Task;
use sfumato_core::{Error, ErrorKind, Result};

/// The progress of one run over the records of a table. The step ends when it is dropped.
pub struct Progress<'a> {
    observer: &'a dyn Observer,
    told: u64,
}

impl<'a> Progress<'a> {
    /// Begin the step `anonymize`.
    pub fn begin(task: &Task<'a>) -> Self {
        task.observer.begin("anonymize", task.table.n_rows as u64, Unit::Rows);
        Progress { observer: task.observer, told: 0 }
    }

    /// Report that `done` records of all are done. Decreases aren't reported. Returns an error if
    /// the user asked to stop.
    pub fn reach(&mut self, done: usize) -> Result<()> {
        if done as u64 > self.told {
            self.observer.advance(done as u64 - self.told);
            self.told = done as u64;
        }
        match self.observer.cancelled() {
            true => Err(Error::new(ErrorKind::Cancelled, "the run was stopped")),
            false => Ok(()),
        }
    }

    /// Whether what there is will do. Only who holds something that may be published asks.
    pub fn enough(&self) -> bool {
        self.observer.enough()
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.observer.end();
    }
}
