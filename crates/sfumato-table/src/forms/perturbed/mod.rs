//! Perturbed values: numbers that were changed at random and needn't cover their originals.
//!
//! No model can judge such a file: the evidence is the mechanism, or nothing is promised. The
//! verifier checks that the file contains what was drawn, and nothing else.

mod audit;
mod form;
mod lies;
mod read_back;
mod utility;

pub use form::Perturbed;
