//! What every step of a run is told: who watches, and the clock that its steps share.

use std::cell::RefCell;

use sfumato_core::observer::Observer;
use sfumato_report::TimingsMs;

use crate::stopwatch::Stopwatch;

/// A step of a run, as the report's `timings_ms` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The input became records.
    Read,
    /// Records became codes.
    Encode,
    /// Models were bound and an algorithm chosen.
    Plan,
    /// The algorithm decided.
    Anonymize,
    /// The draft was written.
    Write,
    /// The draft was read back, compared and judged.
    Verify,
    /// Loss and risk were measured.
    Measure,
}

/// Who watches a run, and where its time went.
pub struct Context<'a> {
    /// Progress and cancellation.
    pub observer: &'a dyn Observer,
    clock: RefCell<(Stopwatch, TimingsMs)>,
}

impl<'a> Context<'a> {
    /// A run begins now.
    pub fn new(observer: &'a dyn Observer) -> Self {
        Context { observer, clock: RefCell::new((Stopwatch::start(), TimingsMs::default())) }
    }

    /// All since the last lap belongs to a step.
    pub fn lap(&self, step: Step) {
        let mut clock = self.clock.borrow_mut();
        let elapsed = clock.0.lap();
        self.add(&mut clock.1, step, elapsed);
    }

    /// Milliseconds of a step that were measured elsewhere, and are taken from those of another.
    pub fn shift(&self, from: Step, to: Step, ms: f64) {
        let mut clock = self.clock.borrow_mut();
        self.add(&mut clock.1, from, -ms);
        self.add(&mut clock.1, to, ms);
    }

    fn add(&self, times: &mut TimingsMs, step: Step, ms: f64) {
        *match step {
            Step::Read => &mut times.read,
            Step::Encode => &mut times.encode,
            Step::Plan => &mut times.plan,
            Step::Anonymize => &mut times.anonymize,
            Step::Write => &mut times.write,
            Step::Verify => &mut times.verify,
            Step::Measure => &mut times.measure,
        } += ms;
    }

    /// The times so far.
    pub fn times(&self) -> TimingsMs {
        let clock = self.clock.borrow();
        TimingsMs { total: clock.0.total(), ..clock.1.clone() }
    }
}
