//! How frames get from one party to another: within a process, or over mutual TLS.

pub mod call;
pub mod identity;
pub mod inbox;
pub mod memory;

pub use inbox::Inbox;
pub use memory::{Fault, MemoryWire, hub};
