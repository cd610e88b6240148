//! Files of every format, read and written: one binary, so that the formats' crates are linked
//! once.

#![allow(clippy::unwrap_used)]

mod append;
mod baskets;
mod converted;
mod csv;
mod damaged;
mod formats;
mod local;
mod memory;
