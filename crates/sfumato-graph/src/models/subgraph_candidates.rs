//! Subgraph knowledge: whoever knows a few edges around a node finds at least k candidates for it.

use sfumato_core::Result;
use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};

use super::candidates::HAY;
use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `subgraph-candidates`, an entry of the registry.
pub struct SubgraphCandidates;

static INFO: Info = Info {
    name: "subgraph-candidates",
    summary: "whoever knows a few edges around a node finds at least k candidates",
    papers: &[HAY],
    params: &[
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of candidates",
        ),
        ParamSpec::with_default(
            "edges",
            ParamKind::Integer { min: 1, max: 4 },
            "3",
            "how many edges are known at most",
        ),
    ],
    doc: "Somebody knows some edges of the published graph that hang together, and that a person \
          is at one place of them: two friends who know each other, a friend with three others. \
          The candidates are all nodes at which such edges lie; that a person has more edges isn't \
          known. Every pattern of at most `edges` edges that lies anywhere must lie at k nodes.\n\n\
          All patterns are tried at all nodes (21 for 4 edges). Where one can't be found in time \
          the model isn't judged and the command ends with an error.",
    about: About { asks: &[Fact::Candidates], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl GraphModel for SubgraphCandidates {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: Structure::Subgraph(params.count("edges") as u8),
            counted: Counted::Nodes,
            required: params.count("k"),
        })
    }
}
