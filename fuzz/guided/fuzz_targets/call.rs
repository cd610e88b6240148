//! Coverage-guided fuzzing of the target `call`.

#![no_main]

#[macro_use]
mod shared;

target!("call");
