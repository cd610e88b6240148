//! Where a job runs: in memory, or out of core by one of three ways.

use serde::{Deserialize, Serialize};

/// How a table is held while it is anonymized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// In memory if it fits, else out of core: by a sample, by frequency groups where a sample says
    /// too little, or by cuts if the algorithm finds cuts.
    #[default]
    Auto,
    /// All records are in memory.
    Memory,
    /// Out of core, the tree grown from a sample (Rothko-S).
    Sample,
    /// Out of core, the tree grown from frequency groups (Rothko-T).
    Tree,
    /// Out of core, one recoding for all records found from points on disk, for algorithms that
    /// find cuts.
    Cuts,
}

impl Engine {
    /// All of them, as users write them.
    pub const NAMES: [&'static str; 5] = ["auto", "memory", "sample", "tree", "cuts"];

    /// The name of the engine, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Memory => "memory",
            Engine::Sample => "sample",
            Engine::Tree => "tree",
            Engine::Cuts => "cuts",
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
            "cuts" => Ok(Engine::Cuts),
            other => Err(sfumato_core::Error::params(format!("there is no engine '{other}'"))
                .hint(format!("engines are {}", Engine::NAMES.join(", ")))),
        }
    }
}
