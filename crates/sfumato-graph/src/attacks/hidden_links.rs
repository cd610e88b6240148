//! Hidden links: who misses an edge in the release guesses it from common neighbours.

use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{FastSet, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::{GRAPHS, GraphStage};
use crate::data::Graph;
use crate::models::hidden_edges::ZHELEVA;

/// The attack `hidden-links`, an entry of the registry.
pub struct HiddenLinks;

static INFO: Info = Info {
    name: "hidden-links",
    summary: "guesses edges that were hidden from the neighbours that two people share",
    papers: &[ZHELEVA],
    params: &[ParamSpec::with_default(
        "pairs",
        ParamKind::Integer { min: 1, max: 10_000_000 },
        "1000",
        "how many pairs of people are compared",
    )],
    doc: "Two pairs of people are put before the attacker, who knows which nodes of the release \
          they are: one is joined by an edge of the original that must not be known \
          (`--sensitive-edges`), and one isn't joined in the original. The attacker says that the \
          pair is joined that shares more neighbours in the release; where both share as many, by \
          chance. The rate is how often that is right (the area under the ROC curve), and the \
          baseline is one half. An edge that is still published is seen at once.",
    ..Info::DEFAULT
};

/// What speaks for an edge: that it is there, or common neighbours, those with few edges more.
fn score(graph: &Graph, a: u32, b: u32) -> f64 {
    if graph.has(a, b) {
        return f64::INFINITY;
    }
    let theirs: FastSet<u32> = graph.neighbours(b).iter().copied().collect();
    let common = graph.neighbours(a).iter().filter(|node| theirs.contains(*node));
    common.map(|node| 1.0 / f64::from(graph.degree(*node).max(2)).ln()).sum()
}

impl Attack<GraphStage> for HiddenLinks {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        let n = stage.original.n() as u64;
        match &stage.sensitive {
            None => Some("edges that must not be known (--sensitive-edges FILE)".into()),
            Some(edges) if edges.is_empty() => Some("at least one sensitive edge".into()),
            Some(_) if stage.original.m() * 2 >= n * n.saturating_sub(1) => {
                Some("two people who aren't joined".into())
            }
            Some(_) => stage.lacks_mapping(),
        }
    }
    fn play(&self, params: &Params, stage: &GraphStage, chance: &mut Chance) -> Result<Outcome> {
        let mapping = stage.mapping.as_deref().unwrap_or_default();
        let sensitive = stage.sensitive.as_deref().unwrap_or_default();
        let original = &stage.original;
        let of = |a: u32, b: u32| score(&stage.release, mapping[a as usize], mapping[b as usize]);
        let mut outcome = Score::default();
        for _ in 0..params.count("pairs") {
            let (a, b) = sensitive[chance.below(sensitive.len())];
            let (x, y) = loop {
                let mut node = || chance.below(original.n()) as u32;
                let (x, y) = (node(), node());
                if x != y && !original.has(x, y) {
                    break (x, y);
                }
            };
            let (hidden, other) = (of(a, b), of(x, y));
            outcome.add(match hidden.total_cmp(&other) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            });
        }
        Ok(Outcome { score: outcome, baseline: 0.5, ..Outcome::default() })
    }
}
