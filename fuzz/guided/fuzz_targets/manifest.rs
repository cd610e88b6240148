//! Coverage-guided fuzzing of the target `manifest`.

#![no_main]

#[macro_use]
mod shared;

target!("manifest");
