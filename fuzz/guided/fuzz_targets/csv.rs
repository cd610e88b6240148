//! Coverage-guided fuzzing of the target `csv`.

#![no_main]

#[macro_use]
mod shared;

target!("csv");
