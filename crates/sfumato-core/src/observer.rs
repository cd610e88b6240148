//! How work that takes long reports its progress. Core knows no terminal and no clock.

/// The unit in which a step counts its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Records.
    Rows,
    /// Steps of another kind.
    Steps,
}

/// Receives progress. All methods may be called from several threads.
pub trait Observer: Sync {
    /// A step begins; `total` is 0 when it isn't known.
    fn begin(&self, step: &str, total: u64, unit: Unit);
    /// `n` more units are done.
    fn advance(&self, n: u64);
    /// The step is over.
    fn end(&self);
    /// Whether the user asked to stop. Long loops ask now and then and return
    /// `ErrorKind::Cancelled`.
    fn cancelled(&self) -> bool {
        false
    }
    /// Whether what there is will do: an algorithm that holds something valid stops looking for
    /// something better and gives that. Whoever holds nothing valid yet goes on.
    fn enough(&self) -> bool {
        false
    }
    /// The remark for the report if a search was told that what it has will do. It is kept with
    /// what was decided, so that a run that goes on with it says so too.
    fn cut_short(&self) -> Option<String> {
        None
    }
    /// Whether the user interrupted the run and waits for what there is.
    fn interrupted(&self) -> bool {
        false
    }
    /// From now on, or no longer, the first interrupt asks for what there is
    /// ([`Observer::interrupted`]) and doesn't end the run.
    fn holds_interrupts(&self, _: bool) {}
}

/// An observer that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
}

/// Passes everything on, with another name for the steps: reading a file back to verify it must not
/// be shown as reading the input.
pub struct Renamed<'a> {
    /// The name of every step.
    pub step: &'a str,
    /// The observer to pass everything on to.
    pub inner: &'a dyn Observer,
}

impl Observer for Renamed<'_> {
    fn begin(&self, _: &str, total: u64, unit: Unit) {
        self.inner.begin(self.step, total, unit);
    }
    fn advance(&self, n: u64) {
        self.inner.advance(n);
    }
    fn end(&self) {
        self.inner.end();
    }
    fn cancelled(&self) -> bool {
        self.inner.cancelled()
    }
    fn enough(&self) -> bool {
        self.inner.enough()
    }
    fn cut_short(&self) -> Option<String> {
        self.inner.cut_short()
    }
    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }
    fn holds_interrupts(&self, holds: bool) {
        self.inner.holds_interrupts(holds);
    }
}

/// Passes nothing on but the wish to stop: for work whose progress is told by somebody else.
pub struct Quiet<'a>(pub &'a dyn Observer);

impl Observer for Quiet<'_> {
    fn begin(&self, _: &str, _: u64, _: Unit) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
    fn enough(&self) -> bool {
        self.0.enough()
    }
}
