//! `sfumato anonymize` and `sfumato run` where all goes well.

mod formats;
mod guarantees;
mod repeat;
mod reports;
