//! Hidden edges: edges that must not be known aren't published.

use sfumato_core::Result;
use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `hidden-edges`, an entry of the registry.
pub struct HiddenEdges;

/// The paper of sensitive relationships.
pub(crate) const ZHELEVA: Paper = Paper {
    authors: "Elena Zheleva, Lise Getoor",
    title: "Preserving the privacy of sensitive relationships in graph data",
    venue: "PinKDD",
    year: 2007,
};

/// The name of the model, which no audit can judge.
pub(crate) const HIDDEN_EDGES: &str = "hidden-edges";

static INFO: Info = Info {
    name: HIDDEN_EDGES,
    summary: "edges that must not be known aren't published",
    papers: &[ZHELEVA],
    params: &[ParamSpec::with_default(
        "most",
        ParamKind::Number { min: 0.0, above: false, max: 1.0 },
        "0",
        "the largest share of the sensitive edges that may be published",
    )],
    doc: "`--sensitive-edges FILE` names edges of the graph that must not be known. None of them \
          may be in the release (or at most the share `most`), nor among the edges that an \
          algorithm adds to keep another model, nor in the numbers of edges of supernodes.\n\n\
          Who is whose node must be known to judge it, so that only the run that makes a release \
          does; an audit refuses. What is published may still make a hidden edge likely: the \
          attack `hidden-links` counts how well common neighbours tell.",
    about: About { asks: &[Fact::SensitiveEdges], limits: &[Disclosure::Attribute] },
    ..Info::DEFAULT
};

impl GraphModel for HiddenEdges {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: Structure::Refined(0),
            counted: Counted::Sensitive { most: params.number("most") },
            required: 1,
        })
    }
}
