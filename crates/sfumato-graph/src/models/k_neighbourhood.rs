//! 1-neighbourhood anonymity: every node shares its 1-neighbourhood with at least k - 1 others.

use sfumato_core::Result;
use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `k-neighbourhood`, an entry of the registry.
pub struct KNeighbourhood;

static INFO: Info = Info {
    name: "k-neighbourhood",
    summary: "every node shares its 1-neighbourhood with at least k - 1 others",
    papers: &[Paper {
        authors: "Bin Zhou, Jian Pei",
        title: "Preserving privacy in social networks against neighborhood attacks",
        venue: "ICDE",
        year: 2008,
    }],
    params: &[ParamSpec::required(
        "k",
        ParamKind::Integer { min: 1, max: i64::MAX },
        "the least number of nodes with isomorphic neighbourhoods",
    )],
    doc: "The 1-neighbourhood of a node is the graph of it and its neighbours, with the edges \
          between them and with labels where nodes have some. Two are the same if they are \
          isomorphic by a map that keeps labels and the node in the middle.\n\n\
          Colours of refinement bring neighbourhoods together, and an exact comparison decides. \
          Where that would take too long the model isn't judged and the command ends with an \
          error; it never holds for that reason.",
    about: About { asks: &[Fact::Candidates], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl GraphModel for KNeighbourhood {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: Structure::Neighbourhood,
            counted: Counted::Nodes,
            required: params.count("k"),
        })
    }
}
