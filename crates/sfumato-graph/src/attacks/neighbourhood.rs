//! Neighbourhood: who knows the friends of a person and who of them are friends looks for nodes
//! with the same neighbourhood.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::structure::both;
use super::{GRAPHS, GraphStage};
use crate::data::Neighbourhoods;

/// The attack `neighbourhood`, an entry of the registry.
pub struct Neighbourhood;

/// Graphs with more edges aren't attacked so: comparing neighbourhoods takes too long.
const MOST_EDGES: u64 = 400_000;

static INFO: Info = Info {
    name: "neighbourhood",
    summary: "looks for a person by the graph of their neighbours",
    papers: &[Paper {
        authors: "Bin Zhou, Jian Pei",
        title: "Preserving privacy in social networks against neighborhood attacks",
        venue: "ICDE",
        year: 2008,
    }],
    params: &[],
    doc: "The attacker knows the 1-neighbourhood of each person in the original: the neighbours \
          and \
          the edges between them. Candidates are the nodes of the release whose neighbourhood is \
          isomorphic. Everybody is asked about. Without `--mapping` whoever has candidates is \
          taken \
          to be among them.",
    ..Info::DEFAULT
};

impl Attack<GraphStage> for Neighbourhood {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        let is_large = stage.original.m().max(stage.release.m()) > MOST_EDGES;
        is_large.then(|| format!("a graph of at most {MOST_EDGES} edges"))
    }
    fn play(&self, _: &Params, stage: &GraphStage, _: &mut Chance) -> Result<Outcome> {
        let both = both(stage);
        let alike = Neighbourhoods::new(&both, None).alike()?;
        let (original, release) = alike.class_of.split_at(stage.original.n());
        Ok(stage.everybody(original, release))
    }
}
