//! Structure: who knows the answers of H_i about a person looks for nodes that answer alike.

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::{GRAPHS, GraphStage};
use crate::data::{Edge, Graph, refined};
use crate::models::candidates::HAY;

/// The attack `structure`, an entry of the registry.
pub struct Structure;

static INFO: Info = Info {
    name: "structure",
    summary: "looks for a person by the degrees around them (H2, H3 or H4)",
    papers: &[HAY],
    params: &[ParamSpec::with_default(
        "knowledge",
        ParamKind::Choice(&["h1", "h2", "h3", "h4"]),
        "h2",
        "what is known of a person in the original: h1 the degree, h2 the degrees of the \
         neighbours, h3 and h4 what these queries say of the neighbours",
    )],
    doc: "The attacker knows the answer of H_i about each person in the original, exactly, and \
          guesses among the nodes of the release with the same answer. Everybody is asked about. \
          Where edges around a person were changed the attacker is left with others or with \
          nobody. Without `--mapping` whoever has candidates is taken to be among them.",
    ..Info::DEFAULT
};

/// Both graphs side by side, nodes of the release after those of the original.
pub(super) fn both(stage: &GraphStage) -> Graph {
    side_by_side(&stage.original, &stage.release)
}

/// Two graphs side by side, nodes of the second after those of the first.
pub(super) fn side_by_side(first: &Graph, second: &Graph) -> Graph {
    let n = first.n() as u32;
    let later = second.edges().map(|(a, b)| (a + n, b + n));
    let edges: Vec<Edge> = first.edges().chain(later).collect();
    Graph::new(first.n() + second.n(), &edges).0
}

impl Attack<GraphStage> for Structure {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn play(&self, params: &Params, stage: &GraphStage, _: &mut Chance) -> Result<Outcome> {
        let i = match params.text("knowledge") {
            Some("h1") => 1,
            Some("h3") => 3,
            Some("h4") => 4,
            _ => 2,
        };
        let alike = refined(&both(stage), None, i);
        let (original, release) = alike.class_of.split_at(stage.original.n());
        Ok(stage.everybody(original, release))
    }
}
