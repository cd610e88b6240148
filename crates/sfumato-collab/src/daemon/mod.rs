//! The daemon of a holder: it keeps its table and policy, takes part in sessions that it accepts,
//! writes down what it revealed, and goes on after it was killed.

mod journal;
mod serve;
mod session;
mod wire;

pub use serve::{Daemon, serve};
