//! Search over cuts with the loss in its objective: from the root down where that gains most, and
//! then by steps up and down again.

use sfumato_core::Result;
use sfumato_core::column::Code as _;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::with_sets;

use super::cut::Cut;
use super::search::Search;
use super::{GeneralizedSets, TreeAlgorithm, TreeTask, papers};
use crate::data::item_tree::Node;

/// The algorithm.
pub struct CutSearch;

static INFO: Info = Info {
    name: "cut-search",
    summary: "a cut of the item hierarchy that loses little: from the root down, and then by steps \
        up and down again",
    papers: &[papers::TERROVITIS],
    params: &[
        ParamSpec::with_default(
            "work",
            ParamKind::Integer { min: 0, max: 1_000_000_000 },
            "40",
            "at how many millions of visited items the search ends with what it has",
        ),
        ParamSpec::with_default(
            "rounds",
            ParamKind::Integer { min: 0, max: 1_000_000_000 },
            "1000",
            "after how many steps without success the search ends",
        ),
        ParamSpec::with_default(
            "outliers",
            ParamKind::Choice(&["keep", "auto"]),
            "keep",
            "whether items that fewer than k records have are always generalized, or left out of \
             all records where that loses less",
        ),
    ],
    doc: include_str!("cut_search.md"),
    capabilities: Capabilities {
        serves: &[Fact::Combinations],
        needs_hierarchies: true,
        takes_weights: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl TreeAlgorithm for CutSearch {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &TreeTask<'_>) -> Result<GeneralizedSets> {
        let (work, rounds) = (params.count("work") * 1_000_000, params.count("rounds"));
        let rare = match params.text("outliers") {
            Some("auto") => rare_leaves(task),
            _ => Vec::new(),
        };
        // Each of the two searches has half of the work, so that the choice doesn't double it.
        let work = if rare.is_empty() { work } else { work / 2 };
        let (cut, loss) = best(task, &[], work, rounds)?;
        if rare.is_empty() {
            return Ok(cut.decide(task));
        }
        // Without some items there may be too few records that have any: then they stay.
        match best(task, &rare, work, rounds) {
            Ok((without, less)) if less < loss => Ok(without.decide(task)),
            _ => Ok(cut.decide(task)),
        }
    }
}

/// The best cut that the search finds without some leaves, and what it loses.
fn best(task: &TreeTask<'_>, suppressed: &[Node], work: u64, rounds: u64) -> Result<(Cut, f64)> {
    let mut search = Search::new(task, suppressed, work)?;
    search.fill(&[], None)?;
    search.improve(rounds)?;
    let loss = search.loss();
    Ok((search.cut, loss))
}

/// The leaves that some records have, and fewer than required.
fn rare_leaves(task: &TreeTask<'_>) -> Vec<Node> {
    let required = task.combinations.iter().map(|asked| asked.required).max().unwrap_or(0);
    let mut support = vec![0; task.tree.n_nodes()];
    with_sets!(task.leaves, records => for (at, record) in records.iter().enumerate() {
        record.iter().for_each(|leaf| support[leaf.widen() as usize] += task.weight(at));
    });
    let is_rare = |node: &Node| (1..required).contains(&support[*node as usize]);
    (0..task.tree.n_nodes() as Node).filter(is_rare).collect()
}
