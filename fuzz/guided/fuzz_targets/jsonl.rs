//! Coverage-guided fuzzing of the target `jsonl`.

#![no_main]

#[macro_use]
mod shared;

target!("jsonl");
