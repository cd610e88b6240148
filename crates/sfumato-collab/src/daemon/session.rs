//! A session of a daemon: what the others sent, and what came of it.

use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use sfumato_core::{Error, Result};

use super::journal::{Beginning, Journal};
use crate::holder::Part;
use crate::job::Agreement;
use crate::protocol::{Frame, Message, Seat};
use crate::transport::Inbox;
use crate::transport::call::{Answer, Failure};
use crate::transport::inbox::Taken;
use crate::transport::memory::gone;

/// A session.
pub struct Session {
    /// How it began.
    pub beginning: Beginning,
    /// The job.
    pub agreement: Agreement,
    /// Who asked for it.
    journal: Journal,
    inboxes: Mutex<Vec<Inbox>>,
    arrived: Condvar,
    outcome: Mutex<Option<Result<Part>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked left nothing half done: whole messages are put and taken.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Session {
    /// A new session, or one that was left, with the messages that were kept.
    pub fn new(journal: Journal, beginning: Beginning) -> Result<Self> {
        let agreement = Agreement::parse(&beginning.job, "JOB.toml", Path::new(""))?;
        let mut inboxes = Vec::new();
        for seat in 0..agreement.holder.len() {
            let mut inbox = Inbox::new(beginning.session, seat);
            for frame in journal.kept(seat)? {
                inbox.restore(frame)?;
            }
            inboxes.push(inbox);
        }
        let outcome = Mutex::new(journal.ended().map(Ok));
        let inboxes = Mutex::new(inboxes);
        let arrived = Condvar::new();
        Ok(Session { beginning, agreement, journal, inboxes, arrived, outcome })
    }

    /// Take a frame of a holder, and keep it before it is acknowledged.
    pub fn take(&self, caller: &str, bytes: &[u8]) -> Result<()> {
        let frame = Frame::decode(bytes)?;
        let from = usize::from(frame.from);
        if self.agreement.holder.get(from).is_none_or(|peer| peer.name != caller) {
            return Err(Error::unsupported(format!("{caller} doesn't sit at seat {from}")));
        }
        let mut inboxes = locked(&self.inboxes);
        if inboxes[from].put(frame)? == Taken::New {
            self.journal.keep(from, bytes)?;
            self.arrived.notify_all();
        }
        Ok(())
    }

    /// Wait for the next message of a holder.
    pub fn next(&self, from: Seat, patience: Duration) -> Result<Message> {
        let until = Instant::now() + patience;
        let mut inboxes = locked(&self.inboxes);
        loop {
            if let Some(message) = inboxes[from].take() {
                return Ok(message);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(gone(&self.agreement.holder[from].name, patience));
            }
            let (back, _) = self
                .arrived
                .wait_timeout(inboxes, left)
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            inboxes = back;
        }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        locked(&self.outcome).is_some()
    }

    /// Keep what came of it.
    pub fn end(&self, outcome: Result<Part>) {
        let kept = outcome.and_then(|part| self.journal.end(&part).map(|()| part));
        *locked(&self.outcome) = Some(kept);
    }

    /// What came of it so far.
    pub fn answer(&self) -> Answer {
        match &*locked(&self.outcome) {
            None => Answer::Working,
            Some(Ok(part)) => Answer::Part(Box::new(part.clone())),
            Some(Err(error)) => Answer::Refused(Failure::of(error)),
        }
    }

    /// Forget it.
    pub fn forget(&self) -> Result<()> {
        self.journal.forget()
    }
}
