//! Random switches: pairs of edges exchange their ends.

use sfumato_core::Result;
use sfumato_core::registry::{Capabilities, Info, Paper, Params};

use super::switching::switch;
use super::{SHARE, count};
use crate::data::Graph;
use crate::traits::{Edits, RandomizingAlgorithm};

/// The algorithm `random-switch`, an entry of the registry.
pub struct RandomSwitch;

static INFO: Info = Info {
    name: "random-switch",
    summary: "pairs of edges exchange their ends: every node keeps its degree",
    papers: &[YING],
    params: &[SHARE],
    doc: "Two edges a-b and c-d become a-d and c-b, if neither is there, until the share of edges \
          was moved or no more switches are found. Degrees stay, and with them everybody who is \
          known by one. Nothing is promised.",
    capabilities: Capabilities::DEFAULT,
    ..Info::DEFAULT
};

/// The paper of switches that keep the spectrum.
pub(super) const YING: Paper = Paper {
    authors: "Xiaowei Ying, Xintao Wu",
    title: "Randomizing social networks: a spectrum preserving approach",
    venue: "SDM",
    year: 2008,
};

impl RandomizingAlgorithm for RandomSwitch {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn randomize(&self, params: &Params, graph: &Graph, seed: u64) -> Result<Edits> {
        let wanted = count(params.number("share"), graph.m());
        Ok(switch(graph, wanted, seed, |_, _| true))
    }
}
