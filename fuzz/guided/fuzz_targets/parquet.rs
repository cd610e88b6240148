//! Coverage-guided fuzzing of the target `parquet`.

#![no_main]

#[macro_use]
mod shared;

target!("parquet");
