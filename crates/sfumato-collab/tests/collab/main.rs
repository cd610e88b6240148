//! Holders who work together: the book's vectors, faults, and what each party learns.

#![allow(clippy::unwrap_used)]

mod daemon;
mod faults;
mod horizontal;
mod support;
mod transcript;
mod vertical;
