//! Releases of notes, checked from their bytes.

#![allow(clippy::unwrap_used)]

mod releases;
