//! What a holder brings to a protocol: its table as it was read, and its part of a release as the
//! verifier of tables let it pass.

mod init;
mod part;
mod table;

pub use init::init;
pub use part::{Cells, Part, Stand, StepNote, verified};
pub use table::Holding;
