//! Releases of the same table over time: what each publishes by its texts, and which texts of one
//! can be about the same people as those of another.

#[cfg(test)]
mod attack_tests;
pub mod cells;
#[cfg(test)]
mod invariance_tests;
mod judge;
pub mod past;
pub mod people;
pub mod published;
pub mod recall;
#[cfg(test)]
mod run_tests;
#[cfg(test)]
mod sequential_tests;
pub mod sheet;
#[cfg(test)]
mod tests;

pub use judge::judge;
pub use past::{Meaning, Past};
pub use published::published;
