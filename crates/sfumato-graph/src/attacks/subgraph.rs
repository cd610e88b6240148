//! Subgraph: who knows a few edges around a person looks for nodes at which such edges lie.

use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::{GRAPHS, GraphStage};
use crate::data::{Graph, Rooted};
use crate::models::candidates::HAY;

/// The attack `subgraph`, an entry of the registry.
pub struct Subgraph;

static INFO: Info = Info {
    name: "subgraph",
    summary: "looks for a person by a few edges around them",
    papers: &[HAY],
    params: &[
        ParamSpec::with_default(
            "edges",
            ParamKind::Integer { min: 1, max: 20 },
            "6",
            "how many edges are known, which hang together",
        ),
        ParamSpec::with_default(
            "people",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "150",
            "how many people are looked for",
        ),
        ParamSpec::with_default(
            "labels",
            ParamKind::Flag,
            "true",
            "whether the labels of these people are known as well, where labels are published",
        ),
    ],
    doc: "For random people the attacker knows some edges of the original that hang together, \
          drawn one after the other beside what is known already. Candidates are the nodes of the \
          release at which these edges lie; that there are more edges isn't known. Where an edge \
          that is known was deleted, the person may be left out. People without an edge aren't \
          looked for. Where labels are published the attacker knows those of the people at these \
          edges too; a label that nobody has in the original was generalized and fits everybody. \
          Searches that take too long are given up and count as failed. Without \
          `--mapping` whoever has candidates is taken to be among them.",
    ..Info::DEFAULT
};

/// Some edges around a person, drawn one after the other, and whose they are.
fn around(graph: &Graph, person: u32, edges: usize, chance: &mut Chance) -> (Rooted, Vec<u32>) {
    let mut places: FastMap<u32, u8> = [(person, 0)].into_iter().collect();
    let mut members = vec![person];
    let mut known: Vec<(u8, u8)> = Vec::new();
    // A draw may hit an edge that is known already.
    for _ in 0..20 * edges {
        if known.len() == edges {
            break;
        }
        let from = members[chance.below(members.len())];
        let neighbours = graph.neighbours(from);
        let to = neighbours[chance.below(neighbours.len())];
        let next = members.len() as u8;
        let place = *places.entry(to).or_insert(next);
        if place == next {
            members.push(to);
        }
        let (a, b) = (places[&from], place);
        let pair = (a.min(b), a.max(b));
        if !known.contains(&pair) {
            known.push(pair);
        }
    }
    (Rooted::new(members.len() as u8, known), members)
}

/// For each person of the original and each node of the release its label, in the same codes.
/// Published labels that nobody has in the original are nobody's.
struct KnownLabels<'a> {
    own: &'a [u32],
    published: Vec<Option<u32>>,
}

impl<'a> KnownLabels<'a> {
    fn of(stage: &'a GraphStage) -> Option<KnownLabels<'a>> {
        let (own, release) = (stage.labels.as_ref()?, stage.release_labels.as_ref()?);
        let code = |name: &String| own.names.binary_search(name).ok().map(|code| code as u32);
        let codes: Vec<Option<u32>> = release.names.iter().map(code).collect();
        let published = release.of.iter().map(|label| codes[*label as usize]).collect();
        Some(KnownLabels { own: &own.of, published })
    }

    fn may_be(&self, person: u32, node: u32) -> bool {
        self.published[node as usize].is_none_or(|label| label == self.own[person as usize])
    }
}

impl Attack<GraphStage> for Subgraph {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        (stage.original.m() == 0).then(|| "a graph with edges".into())
    }
    fn play(&self, params: &Params, stage: &GraphStage, chance: &mut Chance) -> Result<Outcome> {
        let edges = params.count("edges") as usize;
        let mut people: Vec<u32> =
            stage.original.nodes().filter(|node| stage.original.degree(*node) > 0).collect();
        chance.shuffle(&mut people);
        people.truncate(params.count("people") as usize);
        let labels = KnownLabels::of(stage).filter(|_| params.flag("labels"));
        let mut score = Score::default();
        let mut gave_up = 0u64;
        for person in &people {
            let (pattern, members) = around(&stage.original, *person, edges, chance);
            let may_be = |place: u8, node: u32| {
                labels.as_ref().is_none_or(|labels| labels.may_be(members[place as usize], node))
            };
            let Ok(candidates) = pattern.candidates_with(&stage.release, &may_be) else {
                gave_up += 1;
                score.add(0.0);
                continue;
            };
            let is_there = match &stage.mapping {
                Some(mapping) => candidates.binary_search(&mapping[*person as usize]).is_ok(),
                None => !candidates.is_empty(),
            };
            score.add(if is_there { 1.0 / candidates.len() as f64 } else { 0.0 });
        }
        let mut outcome = Outcome {
            score,
            baseline: stage.baseline(),
            everybody: people.len() == stage.original.n(),
            sought: Some(params.count("people")),
            ..Outcome::default()
        };
        if gave_up > 0 {
            outcome.remarks.push(format!("{gave_up} searches were given up, and count as failed"));
        }
        stage.remark(&mut outcome);
        Ok(outcome)
    }
}
