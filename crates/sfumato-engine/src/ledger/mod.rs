//! The ledger: what was published of the same people, one release after the other.
//!
//! It is a file that is only ever appended to. Each line carries a hash of itself and of the line
//! before, so that no line can be changed, left out or moved without a trace; the last hash, noted
//! elsewhere, betrays a ledger that was cut short. It belongs to its owner (mode 0600). One run
//! writes at a time, under a lock.
//!
//! A release is announced before it gets its name, and confirmed after. A run that was killed in
//! between is recovered by looking at the files: what is there with the announced hashes was
//! published. A line that was torn by a kill is told from one that was changed: it is the last, and
//! has no end.

mod file;
mod line;
mod run;
#[cfg(test)]
mod tests;

pub use file::{Fault, Ledger};
pub use line::{Begun, Entry, Recorded, RecordedFile};
pub use run::Recording;
