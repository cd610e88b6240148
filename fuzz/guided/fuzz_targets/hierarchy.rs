//! Coverage-guided fuzzing of the target `hierarchy`.

#![no_main]

#[macro_use]
mod shared;

target!("hierarchy");
