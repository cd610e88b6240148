//! What every step of a run has at hand: the observer, and the clock that all steps share.

use std::cell::RefCell;

use sfumato_core::observer::Observer;
use sfumato_report::TimingsMs;

use crate::stopwatch::Stopwatch;

/// A step of a run, under the names that the report uses in `timings_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reading the input as records.
    Read,
    /// Encoding the values of records as codes.
    Encode,
    /// Binding the models and choosing an algorithm.
    Plan,
    /// Letting the algorithm decide.
    Anonymize,
    /// Writing the draft to disk.
    Write,
    /// Reading the draft back, comparing it with the original and judging the models.
    Verify,
    /// Measuring loss and risk.
    Measure,
}

/// The observer of a run, and how long each step took.
pub struct Context<'a> {
    /// Is told how far the work is, and says whether to stop.
    pub observer: &'a dyn Observer,
    clock: RefCell<(Stopwatch, TimingsMs)>,
}

impl<'a> Context<'a> {
    /// Start the clock of a run.
    pub fn new(observer: &'a dyn Observer) -> Self {
        Context { observer, clock: RefCell::new((Stopwatch::start(), TimingsMs::default())) }
    }

    /// Count the time since the last lap as time of a step.
    pub fn lap(&self, step: Step) {
        let mut clock = self.clock.borrow_mut();
        let elapsed = clock.0.lap();
        self.add(&mut clock.1, step, elapsed);
    }

    /// Move milliseconds from one step to another, for work that was measured elsewhere.
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

    /// The times measured so far.
    pub fn times(&self) -> TimingsMs {
        let clock = self.clock.borrow();
        TimingsMs { total: clock.0.total(), ..clock.1.clone() }
    }
}
