//! Attacks on paths and on tracks: one file each, listed once for each form.

pub mod paths;
pub mod regions;
pub mod tracks;
