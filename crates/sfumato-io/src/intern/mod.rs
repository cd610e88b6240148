//! Turns cells into codes: the distinct texts of a column, numbered in the order in which they are
//! first seen.
//!
//! Two stages: a [`LocalColumn`] per block, filled in parallel, and an [`Index`] per column of the
//! file, filled in block order, so that codes don't depend on the number of threads. A [`Seed`] is
//! a copy of what the index knew some blocks ago: texts found there need no merging.

mod index;
mod key;
mod local;
mod seed;
mod shortcut;
mod table;

pub(crate) use index::{Index, push};
pub(crate) use key::hash_text;
pub(crate) use local::LocalColumn;
pub(crate) use seed::Seed;
