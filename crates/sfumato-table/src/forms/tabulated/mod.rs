//! Tables of cells: counts or sums for each combination of values of some columns, with noise, or
//! without the cells that would tell a contribution.
//!
//! No model judges such a file. The verifier counts again: with noise, it compares the noise with
//! its law; where cells are left out, it computes what the others leave open of them.

mod form;
mod lies;

pub use form::{Made, TableOfCells};
