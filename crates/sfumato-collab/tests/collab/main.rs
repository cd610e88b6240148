//! Holders who work together: the book's vectors, faults, and what each party learns.

mod daemon;
mod faults;
mod horizontal;
mod support;
mod transcript;
mod vertical;
