//! Edges that weren't changed as is stated, or that hide nobody: the verifier of edited graphs must
//! see through each. Only tests tell them.

use sfumato_engine::lie::{Lie, Subject};

use crate::data::{Loaded, edge};
use crate::traits::Edits;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<Loaded, Edits>> {
    vec![
        Lie {
            name: "the graph is published as it is",
            subject: Subject::Privacy,
            tell: |_, edits| {
                let had = edits.count() > 0;
                edits.added.clear();
                edits.deleted.clear();
                had
            },
        },
        Lie {
            name: "an edge is deleted that isn't there",
            subject: Subject::Cell,
            tell: |data, edits| {
                let graph = &data.graph;
                let all = graph.nodes().flat_map(|a| (0..a).map(move |b| edge(a, b)));
                let mut absent = all.filter(|(a, b)| !graph.has(*a, *b));
                absent.next().map(|edge| edits.deleted.push(edge)).is_some()
            },
        },
        Lie {
            name: "an edge is stated twice as deleted",
            subject: Subject::Count,
            tell: |data, edits| {
                let Some(edge) = edits.deleted.first().copied().or(data.graph.edges().next())
                else {
                    return false;
                };
                edits.deleted.extend([edge, edge]);
                true
            },
        },
    ]
}
