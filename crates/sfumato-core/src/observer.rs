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
}
