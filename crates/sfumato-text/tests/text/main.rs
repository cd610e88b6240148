//! Releases of documents, from files to files.

#![allow(clippy::unwrap_used)]

mod attacks;
mod corpora;
mod releases;
