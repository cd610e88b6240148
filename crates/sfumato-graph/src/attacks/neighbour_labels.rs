//! Labels of neighbours: who finds nothing else guesses that a person is like those whom they know.

use sfumato_core::registry::{Info, Paper, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::{GRAPHS, GraphStage};
use crate::data::Labels;

/// The attack `neighbour-labels`, an entry of the registry.
pub struct NeighbourLabels;

static INFO: Info = Info {
    name: "neighbour-labels",
    summary: "guesses the label of a person from the labels of their neighbours",
    papers: &[Paper {
        authors: "Elena Zheleva, Lise Getoor",
        title: "To join or not to join: the illusion of privacy in social networks with mixed \
                public and private user profiles",
        venue: "WWW",
        year: 2009,
    }],
    params: &[],
    doc: "The attacker knows which node of the release a person is and the labels of all others, \
          and guesses that the person has the label that most of the neighbours in the release \
          have, or where several are as frequent one of these. Everybody is asked about; a person \
          without neighbours is guessed to have the most frequent label of all. The baseline is \
          the rate of always guessing that one. The true labels are those of the original: they \
          needn't be published.",
    ..Info::DEFAULT
};

/// The most frequent of some labels: all that are as frequent.
fn most_frequent(labels: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut counts: FastMap<u32, u32> = FastMap::default();
    labels.for_each(|label| *counts.entry(label).or_insert(0) += 1);
    let most = counts.values().copied().max().unwrap_or(0);
    counts.into_iter().filter(|(_, n)| *n == most).map(|(label, _)| label).collect()
}

impl Attack<GraphStage> for NeighbourLabels {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        match stage.labels {
            None => Some("labels of the nodes of the original (--label or --labels)".into()),
            Some(_) => stage.lacks_mapping(),
        }
    }
    fn play(&self, _: &Params, stage: &GraphStage, _: &mut Chance) -> Result<Outcome> {
        let (Some(labels), Some(mapping)) = (&stage.labels, &stage.mapping) else {
            return Ok(Outcome::default());
        };
        let Labels { of, .. } = labels;
        let mut person_of = vec![0u32; mapping.len()];
        (0u32..).zip(mapping).for_each(|(person, node)| person_of[*node as usize] = person);
        let overall = most_frequent(of.iter().copied());
        let right = |guesses: &[u32], label: u32| match guesses.contains(&label) {
            true => 1.0 / guesses.len() as f64,
            false => 0.0,
        };
        let chance = |person: u32| {
            let around = stage.release.neighbours(mapping[person as usize]).iter();
            let known = around.map(|node| of[person_of[*node as usize] as usize]);
            let guesses = most_frequent(known);
            let guesses = if guesses.is_empty() { &overall } else { &guesses };
            right(guesses, of[person as usize])
        };
        let chances: Vec<f64> = stage.original.nodes().map(chance).collect();
        let baseline = of.iter().map(|label| right(&overall, *label)).sum::<f64>();
        Ok(Outcome::of_everybody(&chances, baseline / of.len().max(1) as f64))
    }
}
