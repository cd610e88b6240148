//! Releases of mixed records, from file to file.

#![allow(clippy::unwrap_used)]

mod releases;
