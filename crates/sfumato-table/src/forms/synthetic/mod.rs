//! Made-up records: a table whose rows are nobody's. What it says of the original is what a
//! mechanism measured of it with noise.
//!
//! No model can judge such a file. The evidence is the mechanism, and the verifier checks that the
//! mechanism kept its budget, that its noise is what was said, and that the file follows from what
//! was measured alone.

mod form;
mod lies;

pub use form::{Synthesized, Synthetic};
