//! What may be published of numbers: one file each.

pub mod rounded;
