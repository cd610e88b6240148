//! Coverage-guided fuzzing of the target `arrow`.

#![no_main]

#[macro_use]
mod shared;

target!("arrow");
