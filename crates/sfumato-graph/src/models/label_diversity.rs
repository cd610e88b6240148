//! l-diversity of labels: nodes that can't be told apart have at least l different labels.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use super::candidates::{KNOWLEDGE, structure};
use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `label-diversity`, an entry of the registry.
pub struct LabelDiversity;

static INFO: Info = Info {
    name: "label-diversity",
    summary: "nodes that can't be told apart have at least l different labels",
    papers: &[Paper {
        authors: "Ashwin Machanavajjhala, Daniel Kifer, Johannes Gehrke, \
                  Muthuramakrishnan Venkitasubramaniam",
        title: "l-diversity: privacy beyond k-anonymity",
        venue: "TKDD",
        year: 2007,
    }],
    params: &[
        ParamSpec::required(
            "l",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of different labels",
        ),
        ParamSpec::with_default(
            "knowledge",
            ParamKind::Choice(&KNOWLEDGE),
            "h1",
            "what is known of a node, as of `candidates`",
        ),
    ],
    doc: "Where all candidates for a person have the same label, whoever finds them learns the \
          label without finding the person. Each candidate set must have at least l different \
          labels; how often each occurs isn't looked at. Labels come from a file (`--labels`) or \
          from an attribute of nodes (`--label`). No algorithm makes it hold on purpose: it is \
          judged in audits, and where another model asks for the edges to be changed.",
    about: About { asks: &[Fact::CandidateLabels], limits: &[Disclosure::Attribute] },
    ..Info::DEFAULT
};

impl GraphModel for LabelDiversity {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: structure(params.text("knowledge").unwrap_or_default())?,
            counted: Counted::Labels,
            required: params.count("l"),
        })
    }
}
