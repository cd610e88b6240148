//! k-degree anonymity: every degree that a node has is that of at least k nodes.

use sfumato_core::Result;
use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `k-degree`, an entry of the registry.
pub struct KDegree;

static INFO: Info = Info {
    name: "k-degree",
    summary: "every degree that a node has is that of at least k nodes",
    papers: &[Paper {
        authors: "Kun Liu, Evimaria Terzi",
        title: "Towards identity anonymization on graphs",
        venue: "SIGMOD",
        year: 2008,
    }],
    params: &[ParamSpec::required(
        "k",
        ParamKind::Integer { min: 1, max: i64::MAX },
        "the least number of nodes with the same degree",
    )],
    doc: "Somebody who knows how many neighbours a person has **in the published graph** finds at \
          least k nodes. Nodes without an edge have the degree 0 and count like all others.\n\n\
          It promises nothing about somebody who knows more of the structure, such as the degrees \
          of the neighbours (`candidates(knowledge=h2)`), nor about what all k nodes have in \
          common. Whoever knows the degree in the original may be left with other candidates, \
          because edges were changed: `attack` counts that.",
    about: About { asks: &[Fact::Candidates], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl GraphModel for KDegree {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: Structure::Refined(1),
            counted: Counted::Nodes,
            required: params.count("k"),
        })
    }
}
