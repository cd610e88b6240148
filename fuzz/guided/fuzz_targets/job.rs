//! Coverage-guided fuzzing of the target `job`.

#![no_main]

#[macro_use]
mod shared;

target!("job");
