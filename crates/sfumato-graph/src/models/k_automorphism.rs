//! k-automorphism: functions map the graph to itself and each node to k - 1 others.

use sfumato_core::Result;
use sfumato_core::candidates::Structure;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Call, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The parameter for a file of functions.
const FUNCTIONS: &str = "functions";

/// The file of functions that some of these models name, if one does.
pub fn functions_file(models: &[String]) -> Result<Option<String>> {
    for text in models {
        let call: Call = text.parse()?;
        if call.name == INFO.name {
            let params = Params::check(&INFO, &call.args)?;
            if let Some(file) = params.text(FUNCTIONS) {
                return Ok(Some(file.into()));
            }
        }
    }
    Ok(None)
}

/// The model `k-automorphism`, an entry of the registry.
pub struct KAutomorphism;

static INFO: Info = Info {
    name: "k-automorphism",
    summary: "functions map the graph to itself and each node to at least k - 1 others",
    papers: &[Paper {
        authors: "Lei Zou, Lei Chen, M. Tamer Özsu",
        title: "K-automorphism: a general framework for privacy preserving network publication",
        venue: "PVLDB",
        year: 2009,
    }],
    params: &[
        ParamSpec::required(
            "k",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "the least number of nodes that each node is mapped to, itself among them",
        ),
        ParamSpec::optional(
            FUNCTIONS,
            ParamKind::Text,
            "a file with functions that an audit verifies: its first column names nodes, and each \
             other column says where one function takes them; the first line names columns",
        ),
    ],
    doc: "There are k - 1 functions that map the published graph to itself, and they take each \
          node \
          to k - 1 different others. Whatever is known of the structure around a node, k nodes \
          fit. \
          So every `candidates` and `k-neighbourhood` with the same k holds as well, without \
          labels.\n\n\
          To find such functions is hard; to check them isn't. The numbers of nodes give them: \
          blocks of k consecutive numbers from 0 on, the last of which has what is left over, are \
          turned by one, and the powers of that are the functions. A file whose numbers give no \
          such functions can't be judged, and the audit says so, unless `functions=FILE` gives \
          some: each must map the graph to itself, and k - 1 of the places that they take a node \
          to must be different others.",
    about: About { asks: &[Fact::Automorphisms], limits: &[Disclosure::Identity] },
    ..Info::DEFAULT
};

impl GraphModel for KAutomorphism {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: Structure::Automorphism,
            counted: Counted::Nodes,
            required: params.count("k"),
        })
    }
}
