//! Perturbed values: values that were changed, and needn't cover their originals. There are two
//! families: values that were drawn or changed one by one, and means of groups.
//!
//! No model can judge drawn values: the evidence is the mechanism, or nothing is promised. Means of
//! groups are classes of rows that are alike, and models judge these on the bytes. The verifier
//! checks that the file contains what was decided, that what was decided may come of the algorithm,
//! and nothing else.

mod audit;
mod form;
mod lies;
mod read_back;
mod utility;

pub use audit::{OpenedValues, open as open_values, refuse_models};
pub use form::Perturbed;
pub use read_back::{ReadValues, read_back};
pub use utility::utility;
