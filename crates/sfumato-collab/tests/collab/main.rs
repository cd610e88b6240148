//! Holders who work together: the book's vectors, faults, and what each party learns.

mod support;
mod vertical;
