//! What a paper says, and whether it is so here.
//!
//! A [`Statement`] is a sentence of a paper that states a result, with the rule that decides it,
//! written as data before anything is run: what is measured, how large it must be, and a null
//! control that must fail the same rule. An experiment adds what it [`Measured`] to make a
//! [`Claim`] of it, once for each seed. Nothing here knows what was measured: the verdict follows
//! from the rule and the numbers alone.
//!
//! - [`rule`]: how large a number must be. - [`interval`]: the mean over seeds, and how sure it is.
//! - [`gauge`]: what is measured of curves, each with the control that belongs to it.
//! - [`statement`]: a sentence with its rule. - [`verdict`]: what follows.

pub mod gauge;
pub mod interval;
pub mod rule;
pub mod statement;
pub mod verdict;

pub use gauge::{Gauge, Measured, Nulls};
pub use interval::Interval;
pub use rule::Rule;
pub use statement::{Claim, Origin, Statement, Untested};
pub use verdict::{Counts, Verdict};

#[cfg(test)]
mod tests;
