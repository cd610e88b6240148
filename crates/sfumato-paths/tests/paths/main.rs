//! Tests of paths: the book's examples, oracles, and whole runs.

#![allow(clippy::unwrap_used)]

mod attacks;
mod beside;
mod files;
mod oracle;
mod regions;
mod releases;
mod support;
mod tracks;
mod vectors;
