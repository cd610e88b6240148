//! Where a job runs: in memory, or out of core in one of two ways.

use serde::{Deserialize, Serialize};

/// How a table is held while it is anonymized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// In memory if it fits, else out of core: by a sample, or by frequency groups where a sample
    /// says too little.
    #[default]
    Auto,
    /// In memory.
    Memory,
    /// Out of core, the tree grown from a sample (Rothko-S).
    Sample,
    /// Out of core, the tree grown from frequency groups (Rothko-T).
    Tree,
}

impl Engine {
    /// The names of all engines, as users write them.
    pub const NAMES: [&'static str; 4] = ["auto", "memory", "sample", "tree"];

    /// The name of the engine, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Memory => "memory",
            Engine::Sample => "sample",
            Engine::Tree => "tree",
        }
    }
}

impl std::str::FromStr for Engine {
    type Err = sfumato_core::Error;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Engine::Auto),
            "memory" => Ok(Engine::Memory),
            "sample" => Ok(Engine::Sample),
            "tree" => Ok(Engine::Tree),
            other => Err(sfumato_core::Error::params(format!("there is no engine '{other}'"))
                .hint(format!("engines are {}", Engine::NAMES.join(", ")))),
        }
    }
}
