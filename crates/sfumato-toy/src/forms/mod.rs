//! The forms in which numbers may be published: one file each.

pub mod rounded;
