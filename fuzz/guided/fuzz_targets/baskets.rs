//! Coverage-guided fuzzing of the target `baskets`.

#![no_main]

#[macro_use]
mod shared;

target!("baskets");
