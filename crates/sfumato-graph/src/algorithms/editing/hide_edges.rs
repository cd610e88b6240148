//! Edges that must not be known are removed, or exchanged for others by chance.

use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};
use sfumato_core::{FastSet, Result};
use sfumato_kernels::seeded::Seeded;

use crate::data::{Edge, edge};
use crate::models::hidden_edges::ZHELEVA;
use crate::traits::{Counted, EditingAlgorithm, Edits, GraphRequirement, GraphTask};

/// The algorithm `hide-edges`, an entry of the registry.
pub struct HideEdges;

static INFO: Info = Info {
    name: "hide-edges",
    summary: "edges that must not be known are removed, or exchanged for others by chance",
    papers: &[ZHELEVA],
    params: &[
        ParamSpec::with_default(
            "method",
            ParamKind::Choice(&["remove", "replace"]),
            "remove",
            "remove leaves the sensitive edges out; replace adds an edge between two random \
             nodes for each of them, so that their number can't be seen",
        ),
        ParamSpec::with_default(
            "others",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0",
            "which share of the other edges goes as well, drawn by chance: these hint at the \
             hidden ones",
        ),
    ],
    doc: "With the defaults every other edge stays (the paper's intact edges); with `others` some \
          go as well (partial removal), and with `others=1` all. The paper's cluster methods, in \
          which nodes are published in groups with numbers of edges between them, are \
          `--model 'supernode-size(k=5)'` with `--sensitive-edges`: hidden edges aren't counted \
          there. Together with another model of edited graphs hidden edges are removed first, and \
          the algorithm of that model works on what is left.",
    capabilities: Capabilities { serves: &[Fact::SensitiveEdges], ..Capabilities::DEFAULT },
    ..Info::DEFAULT
};

/// How many pairs are drawn for each edge that is exchanged, at most.
const DRAWS: usize = 1_000;

impl EditingAlgorithm for HideEdges {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn can_serve(&self, requirement: &GraphRequirement) -> bool {
        matches!(requirement.counted, Counted::Sensitive { .. })
    }
    fn edit(&self, params: &Params, task: &GraphTask<'_>) -> Result<Edits> {
        let (graph, sensitive) = (task.graph, task.sensitive);
        let mut random = Seeded::new(task.seed);
        let mut deleted = sensitive.to_vec();
        let is_other = |edge: &Edge| sensitive.binary_search(edge).is_err();
        let mut others: Vec<Edge> = graph.edges().filter(is_other).collect();
        random.shuffle(&mut others);
        others.truncate((params.number("others") * others.len() as f64).round() as usize);
        deleted.extend(others);
        deleted.sort_unstable();
        let mut added: FastSet<Edge> = FastSet::default();
        if params.text("method") == Some("replace") {
            // In a graph with nearly all edges there may be no pair left.
            for _ in 0..sensitive.len().saturating_mul(DRAWS) {
                if added.len() == sensitive.len() {
                    break;
                }
                let mut node = || random.below(graph.n()) as u32;
                let (a, b) = (node(), node());
                if a != b && !graph.has(a, b) {
                    added.insert(edge(a, b));
                }
            }
        }
        let mut added: Vec<Edge> = added.into_iter().collect();
        added.sort_unstable();
        Ok(Edits { added, deleted, ..Edits::default() })
    }
}
