//! The forms in which logs of queries may be published. All of them are rows of texts: what they
//! have in common stands in `rows`, and each says the rest as a [`RowForm`].

mod cells;
pub mod hashed;
pub mod personas;
mod report;
mod row_form;
mod rows;
pub mod shared;
mod told;

pub use cells::{Cells, Column, ReadCells, read as read_cells};
pub use hashed::Hashed;
pub use personas::Personas;
pub use row_form::{Published, RowForm, RowTask};
pub use rows::{Decided, Opened, Plan, Rows, Witness};
pub use shared::Shared;
pub use told::Told;
