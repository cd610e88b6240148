//! The forms in which documents may be published: one folder each.

pub mod redacted;
