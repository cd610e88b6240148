//! `sfumato anonymize` and `sfumato run` where nothing goes wrong.

mod formats;
mod guarantees;
mod repeat;
mod reports;
