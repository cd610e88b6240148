//! Who watches a run for its time limit and for interrupts: an algorithm that holds something valid
//! is told that it will do, any other ends.
//!
//! Only looking for something better is cut short. Reading takes as long as it takes, and whatever
//! was found is written and verified like everything else.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, ErrorKind, Result};

use crate::job::{OnInterrupt, RunSpec, TimeLimit};

/// Nothing was cut short.
const NEVER: u64 = u64::MAX;

/// The observer of a run with limits. It passes everything on to whoever watches from outside.
pub struct Watch<'a> {
    inner: &'a dyn Observer,
    limit: Option<&'a TimeLimit>,
    publishes: bool,
    start: Instant,
    /// Whether an algorithm is at work that can give what it has.
    may_give: AtomicBool,
    /// Whether an algorithm is at work that can't, and must end at the limit.
    must_end: AtomicBool,
    /// After how many milliseconds an algorithm was first told that what it has will do.
    told_after: AtomicU64,
    was_interrupt: AtomicBool,
}

impl<'a> Watch<'a> {
    /// A run begins now.
    pub fn new(inner: &'a dyn Observer, run: &'a RunSpec) -> Self {
        Watch {
            inner,
            limit: run.time_limit.as_ref(),
            publishes: run.on_interrupt == OnInterrupt::Publish,
            start: Instant::now(),
            may_give: AtomicBool::new(false),
            must_end: AtomicBool::new(false),
            told_after: AtomicU64::new(NEVER),
            was_interrupt: AtomicBool::new(false),
        }
    }

    /// Note that an algorithm begins its search.
    pub fn begin_search(&self, is_anytime: bool) {
        self.may_give.store(is_anytime, Ordering::Relaxed);
        self.must_end.store(!is_anytime, Ordering::Relaxed);
        if is_anytime && self.publishes {
            self.inner.holds_interrupts(true);
        }
    }

    /// What is decided stays decided. Interrupts are held until the run ends: what there is is
    /// about to be published.
    pub fn end_search(&self) {
        self.may_give.store(false, Ordering::Relaxed);
        self.must_end.store(false, Ordering::Relaxed);
    }

    /// What an algorithm gave. One that was ended by the time limit lacked time; nobody cancelled
    /// it.
    pub fn found<T>(&self, found: Result<T>, algorithm: &str) -> Result<T> {
        found.map_err(|error| match (error.kind, self.limit) {
            (ErrorKind::Cancelled, Some(limit)) if self.is_over() && !self.inner.cancelled() => {
                Error::resources(format!(
                    "the time limit of {} is over, and algorithm '{algorithm}' has nothing that \
                        may be published before it ends",
                    limit.text()
                ))
                .hint(
                    "allow more time, or take an algorithm that can stop early: its page says so \
                        ('sfumato list algorithms')",
                )
            }
            _ => error,
        })
    }

    /// What the report says of a search that was cut short.
    pub fn remark(&self) -> Option<String> {
        let after = self.told_after.load(Ordering::Relaxed);
        if after == NEVER {
            return None;
        }
        let after = sfumato_report::numbers::duration(after as f64);
        let why = match (self.was_interrupt.load(Ordering::Relaxed), self.limit) {
            (false, Some(limit)) => format!("its time limit of {}", limit.text()),
            _ => "an interrupt".into(),
        };
        Some(format!(
            "the search stopped at {why}, after {after}: the release holds, but loses more than it \
                had to, and depends on the clock: another run may give another one"
        ))
    }

    fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.start.elapsed() >= limit.duration())
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if self.publishes {
            self.inner.holds_interrupts(false);
        }
    }
}

impl Observer for Watch<'_> {
    fn begin(&self, step: &str, total: u64, unit: Unit) {
        self.inner.begin(step, total, unit);
    }
    fn advance(&self, n: u64) {
        self.inner.advance(n);
    }
    fn end(&self) {
        self.inner.end();
    }
    fn cancelled(&self) -> bool {
        self.inner.cancelled() || (self.must_end.load(Ordering::Relaxed) && self.is_over())
    }
    fn enough(&self) -> bool {
        if !self.may_give.load(Ordering::Relaxed) {
            return false;
        }
        if self.told_after.load(Ordering::Relaxed) != NEVER {
            return true;
        }
        let is_interrupt = self.publishes && self.inner.interrupted();
        if !is_interrupt && !self.is_over() && !self.inner.enough() {
            return false;
        }
        self.was_interrupt.store(is_interrupt, Ordering::Relaxed);
        let after = self.start.elapsed().min(Duration::from_secs(1 << 32)).as_millis() as u64;
        self.told_after.fetch_min(after, Ordering::Relaxed);
        true
    }
    fn cut_short(&self) -> Option<String> {
        self.remark()
    }
    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }
    fn holds_interrupts(&self, holds: bool) {
        self.inner.holds_interrupts(holds);
    }
}
