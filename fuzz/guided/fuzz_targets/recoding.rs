//! Coverage-guided fuzzing of the target `recoding`.

#![no_main]

#[macro_use]
mod shared;

target!("recoding");
