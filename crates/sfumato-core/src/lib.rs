//! The nouns of Sfumato, and the traits through which its crates work together: columns, roles,
//! groups and their summaries, generalized values, recodings, and the registry.
//!
//! Core does no input or output, starts no threads, reads no clock and draws no random numbers.

pub mod candidates;
pub mod chain;
pub mod column;
pub mod combinations;
pub mod dataset;
pub mod error;
pub mod facts;
pub mod group;
pub mod joined;
pub mod matches;
pub mod memory;
pub mod observer;
pub mod population;
pub mod recoding;
pub mod registry;
pub mod sequences;
pub mod traits;
pub mod transactions;
pub mod workload;

pub use error::{Error, ErrorKind, Result};

/// A hash map whose order is the same in every process, because its seed is fixed.
pub type FastMap<K, V> = hashbrown::HashMap<K, V, foldhash::fast::FixedState>;
/// A hash set whose order is the same in every process.
pub type FastSet<K> = hashbrown::HashSet<K, foldhash::fast::FixedState>;
