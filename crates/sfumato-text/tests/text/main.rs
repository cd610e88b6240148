//! Releases of documents, from files to files.

mod attacks;
mod corpora;
mod releases;
