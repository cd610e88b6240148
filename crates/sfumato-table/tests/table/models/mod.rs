//! Models against their definitions.

mod common;
mod laws;
mod oracles;
mod samples;
mod worked_examples;
