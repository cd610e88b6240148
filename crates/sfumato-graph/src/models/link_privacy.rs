//! Link privacy: whoever knows the places of two people isn't sure that they are joined, or near
//! each other.

use sfumato_core::Result;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{About, Disclosure, Info, Paper, ParamKind, ParamSpec, Params};

use super::candidates::{KNOWLEDGE, structure};
use crate::traits::{Counted, GraphModel, GraphRequirement};

/// The model `link-privacy`, an entry of the registry.
pub struct LinkPrivacy;

static INFO: Info = Info {
    name: "link-privacy",
    summary: "whoever knows the places of two people isn't sure that they are joined",
    papers: &[
        Paper {
            authors: "Sadegh Nobari, Panagiotis Karras, HweeHwa Pang, Stéphane Bressan",
            title: "L-opacity: linkage-aware graph anonymization",
            venue: "EDBT",
            year: 2014,
        },
        Paper {
            authors: "Aleksandra Korolova, Rajeev Motwani, Shubha U. Nabar, Ying Xu",
            title: "Link privacy in social networks",
            venue: "CIKM",
            year: 2008,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "most",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.5",
            "how sure somebody may be",
        ),
        ParamSpec::with_default(
            "length",
            ParamKind::Integer { min: 1, max: 3 },
            "1",
            "how many edges may lead from one to the other (lookahead): 1 a friend, 2 a friend's \
             friend as well",
        ),
        ParamSpec::with_default(
            "knowledge",
            ParamKind::Choice(&KNOWLEDGE),
            "h1",
            "what is known of both people, as of `candidates`",
        ),
    ],
    doc: "k candidates for each of two people don't hide that they know each other, where all \
          candidates for the one are joined to all candidates for the other. For every two \
          candidate sets the share of pairs of nodes with a path of at most `length` edges between \
          them must be at most `most`: so sure is somebody who knows the degrees (or more) of two \
          people in the published graph, and nothing else. With supernodes, which are judged for \
          length 1, the sets are the supernodes.\n\n\
          It says nothing about somebody who bribes people to tell what they see: that is counted \
          by the attack `link-bribery`.",
    about: About { asks: &[Fact::Links], limits: &[Disclosure::Attribute] },
    ..Info::DEFAULT
};

impl GraphModel for LinkPrivacy {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn bind(&self, params: &Params) -> Result<GraphRequirement> {
        let (length, most) = (params.count("length") as u8, params.number("most"));
        Ok(GraphRequirement {
            model: INFO.name,
            text: params.describe(),
            structure: structure(params.text("knowledge").unwrap_or_default())?,
            counted: Counted::Links { length, most },
            required: 1,
        })
    }
}
