//! How good predictions are. One file each; what has no answer (no rows, one class only) is `None`,
//! never a number.

mod accuracy;
mod auc;
mod mae;
mod spread;

pub use accuracy::accuracy;
pub use auc::{auc, auc_of_classes};
pub use mae::mae;
pub use spread::Spread;
