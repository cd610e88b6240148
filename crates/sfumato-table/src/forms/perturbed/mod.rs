//! Perturbed values: numbers that were changed at random and needn't cover their originals.
//!
//! No model can judge such a file: the evidence is that of the mechanism, or that nothing is
//! promised. What is checked is that the file says what was drawn, and nothing else.

mod form;
mod lies;
mod read_back;

pub use form::Perturbed;
