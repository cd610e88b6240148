//! What the user asked for: a release.toml, or the flags that stand for one.
//!
//! The sections that every job has are here; a kind's own sections are in its crate.

mod attack;
mod buckets;
mod engine;
pub mod guesses;
mod of_kind;
mod population;
mod spec;
mod suppression;
mod text;
mod time_limit;

pub use attack::AttackSpec;
pub use buckets::{BucketLayout, GROUP};
pub use engine::Engine;
pub use population::Population;
pub use sfumato_core::traits::Effort;
pub use spec::{InputSpec, PrivacySpec, RecodeSpec, RunSpec};
pub use suppression::MaxSuppression;
pub use text::{Job, Sections, TomlError, quote_key, read_toml, sections, to_toml};
pub use time_limit::{OnInterrupt, TimeLimit};
