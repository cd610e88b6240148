//! Coverage-guided fuzzing of the target `frame`.

#![no_main]

#[macro_use]
mod shared;

target!("frame");
