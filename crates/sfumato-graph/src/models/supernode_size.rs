//! The size of supernodes: at least k nodes are published as one.

use sfumato_core::Result;
use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, ParamKind, ParamSpec, Params};

use super::candidates::HAY;
use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `supernode-size`, an entry of the registry.
pub struct SupernodeSize;

static INFO: Info = Info {
    name: "supernode-size",
    summary: "at least k nodes are published as one supernode",
    papers: &[HAY],
    params: &[ParamSpec::required(
        "k",
        ParamKind::Integer { min: 1, max: i64::MAX },
        "the least number of nodes of a supernode",
    )],
    doc: "What is published of the nodes of a supernode is how many there are and how many edges \
          lie between them and to other supernodes. Its nodes can be exchanged without changing \
          the release, so that nobody can tell them apart, whatever is known of the structure.\n\n\
          Edges may still be disclosed: two supernodes with all possible edges between them say \
          that each pair is joined.",
    about: About { asks: &[Fact::Supernodes], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl GraphModel for SupernodeSize {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: Structure::Supernode,
            counted: Counted::Nodes,
            required: params.count("k"),
        })
    }
}
