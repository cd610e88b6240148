//! Protocols between data holders: several tables, one release, nothing pooled.
//!
//! A protocol is straight code over a wire and does nothing else with the world; so a dry run in
//! one process and a run of daemons share it, and a party that was killed says again what it said
//! before. Every part of a release is verified against its holder's table before it leaves the
//! holder, and the union by the coordinator, on generalized rows alone, before it gets its name.

pub mod coordinator;
pub mod daemon;
pub mod holder;
pub mod horizontal;
pub mod job;
pub mod ledger;
pub mod protocol;
pub mod secure;
pub mod transport;
pub mod vertical;
