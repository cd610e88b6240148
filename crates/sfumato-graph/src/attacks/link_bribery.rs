//! Link bribery: some people tell whom they know, and whom these know, and the attacker learns a
//! share of all edges.

use std::cmp::Reverse;

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastSet, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::{GRAPHS, GraphStage};
use crate::data::{Edge, Graph, edge};

/// The attack `link-bribery`, an entry of the registry.
pub struct LinkBribery;

static INFO: Info = Info {
    name: "link-bribery",
    summary: "bribes people to tell whom they know, and counts the edges that are learned",
    papers: &[Paper {
        authors: "Aleksandra Korolova, Rajeev Motwani, Shubha U. Nabar, Ying Xu",
        title: "Link privacy in social networks",
        venue: "CIKM",
        year: 2008,
    }],
    params: &[
        ParamSpec::with_default(
            "bribed",
            ParamKind::Integer { min: 1, max: 1_000_000_000 },
            "10",
            "how many people are bribed",
        ),
        ParamSpec::with_default(
            "lookahead",
            ParamKind::Integer { min: 0, max: 5 },
            "1",
            "how far a person sees: 0 the own edges, 1 those of the neighbours as well, and so on",
        ),
        ParamSpec::with_default(
            "choice",
            ParamKind::Choice(&["degree", "random"]),
            "degree",
            "who is bribed: those with the most neighbours in the release, or anybody",
        ),
    ],
    doc: "The attacker chooses nodes of the release and bribes the people behind them, who tell \
          the \
          edges that they see in the network. The rate is the share of all edges of the original \
          that the attacker then knows, with their ends. It doesn't depend on how well nodes are \
          hidden, only on how far people see and on whom the release shows to know many.",
    ..Info::DEFAULT
};

/// The edges that people see.
pub fn seen(graph: &Graph, bribed: &[u32], lookahead: u32) -> FastSet<Edge> {
    let mut known: FastSet<Edge> = FastSet::default();
    for person in bribed {
        let mut reached: FastSet<u32> = [*person].into_iter().collect();
        let mut now = vec![*person];
        for _ in 0..=lookahead {
            let mut next = Vec::new();
            for node in now {
                for other in graph.neighbours(node) {
                    known.insert(edge(node, *other));
                    if reached.insert(*other) {
                        next.push(*other);
                    }
                }
            }
            now = next;
        }
    }
    known
}

impl Attack<GraphStage> for LinkBribery {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        match stage.original.m() {
            0 => Some("a graph with edges".into()),
            _ => stage.lacks_mapping(),
        }
    }
    fn play(&self, params: &Params, stage: &GraphStage, chance: &mut Chance) -> Result<Outcome> {
        let mapping = stage.mapping.as_deref().unwrap_or_default();
        let mut people: Vec<u32> = stage.original.nodes().collect();
        chance.shuffle(&mut people);
        if params.text("choice") == Some("degree") {
            let shown = |person: &u32| stage.release.degree(mapping[*person as usize]);
            people.sort_by_key(|person| Reverse(shown(person)));
        }
        people.truncate(params.count("bribed") as usize);
        let known = seen(&stage.original, &people, params.count("lookahead") as u32);
        Ok(Outcome {
            score: Score::new(known.len() as f64, stage.original.m()),
            baseline: 0.0,
            everybody: true,
            ..Outcome::default()
        })
    }
}
