//! k-candidate anonymity: whoever knows some of the structure around a node finds at least k
//! candidates for it.

use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};

use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `candidates`, an entry of the registry.
pub struct Candidates;

/// What somebody may know, as users write it.
pub(super) const KNOWLEDGE: [&str; 6] = ["h0", "h1", "h2", "h3", "h4", "neighbourhood"];

/// The sense in which nodes are alike to somebody who knows this.
pub(super) fn structure(word: &str) -> Result<Structure> {
    Ok(match word {
        "h0" => Structure::Refined(0),
        "h1" => Structure::Refined(1),
        "h2" => Structure::Refined(2),
        "h3" => Structure::Refined(3),
        "h4" => Structure::Refined(4),
        "neighbourhood" => Structure::Neighbourhood,
        _ => return Err(Error::internal("a word of the list of knowledge isn't known")),
    })
}

/// The paper of the queries.
pub(crate) const HAY: Paper = Paper {
    authors: "Michael Hay, Gerome Miklau, David Jensen, Don Towsley, Philipp Weis",
    title: "Resisting structural re-identification in anonymized social networks",
    venue: "PVLDB",
    year: 2008,
};

static INFO: Info = Info {
    name: "candidates",
    summary: "whoever knows some of the structure around a node finds at least k candidates",
    papers: &[HAY],
    params: &[
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of candidates",
        ),
        ParamSpec::required(
            "knowledge",
            ParamKind::Choice(&KNOWLEDGE),
            "what is known of a node: h0 its label, h1 its degree, h2 the degrees of its \
             neighbours, h3 and h4 what these queries say of the neighbours, neighbourhood the \
             graph of its neighbours",
        ),
    ],
    doc: "H_0 is the label of a node (the same for all without labels), H_1 its degree, and H_i \
          the multiset of what its neighbours answer to H_(i-1). Nodes with the same answer are \
          candidates for each other. H_i is decided by i - 1 rounds of sorting over all edges; \
          answers are compared in full, never by a hash alone.\n\n\
          The knowledge is about the published graph. Attributes of nodes that are known beside \
          the structure aren't counted.",
    about: About { asks: &[Fact::Candidates], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl GraphModel for Candidates {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: structure(params.text("knowledge").unwrap_or_default())?,
            counted: Counted::Nodes,
            required: params.count("k"),
        })
    }
}
