//! Coverage-guided fuzzing of the target `spill`.

#![no_main]

#[macro_use]
mod shared;

target!("spill");
