//! Figures about how well nodes of a graph hide, for reports and audits.

use serde::Serialize;
use sfumato_core::Result;
use sfumato_core::candidates::Structure;

use super::stated::Stated;

/// Graphs with more edges are asked no more than H_2, unless a model asks for more.
const MANY: u64 = 2_000_000;

/// How well nodes hide from somebody who knows something.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct HidingFrom {
    /// What is known: `h1`.
    pub knowledge: String,
    /// How many candidate sets there are.
    pub classes: u64,
    /// The size of the smallest.
    pub smallest: u64,
    /// How many nodes are alone in theirs.
    pub unique: u64,
    /// The mean chance to guess a node right among its candidates.
    pub guessed: f64,
}

/// How well the nodes of a graph hide from somebody who knows H_1, H_2 and so on.
pub(crate) fn hiding(stated: &Stated) -> Result<Vec<HidingFrom>> {
    let most = if stated.graph.m() > MANY { 2 } else { 4 };
    let mut all = Vec::new();
    for i in 1..=most {
        let found = stated.alike(Structure::Refined(i), |alike| HidingFrom {
            knowledge: format!("h{i}"),
            classes: alike.sizes.len() as u64,
            smallest: alike.sizes.iter().copied().min().map_or(0, u64::from),
            unique: alike.exposed(2),
            guessed: alike.sizes.len() as f64 / alike.class_of.len().max(1) as f64,
        })?;
        all.extend(found);
    }
    Ok(all)
}

/// What is known, in words.
pub(crate) fn known(knowledge: &str) -> &'static str {
    match knowledge {
        "h1" => "its degree",
        "h2" => "the degrees of its neighbours",
        "h3" => "the same of its neighbours (H3)",
        "h4" => "the same once more (H4)",
        _ => "its place in the graph",
    }
}
