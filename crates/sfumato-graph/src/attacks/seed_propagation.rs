//! Seeds and propagation: a few people are known in both graphs, and the others are matched by whom
//! they know of those.

use std::cmp::Reverse;

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::{GRAPHS, GraphStage};
use crate::data::Graph;

/// The attack `seed-propagation`, an entry of the registry.
pub struct SeedPropagation;

static INFO: Info = Info {
    name: "seed-propagation",
    summary: "knows a few people in both graphs and matches the others by whom they know",
    papers: &[Paper {
        authors: "Arvind Narayanan, Vitaly Shmatikov",
        title: "De-anonymizing social networks",
        venue: "IEEE Symposium on Security and Privacy",
        year: 2009,
    }],
    params: &[
        ParamSpec::with_default(
            "seeds",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "20",
            "how many people with many neighbours are known in both graphs",
        ),
        ParamSpec::with_default(
            "eccentricity",
            ParamKind::Number { min: 0.0, above: false, max: 100.0 },
            "0.5",
            "how far the best match must stand out, in standard deviations of all",
        ),
    ],
    doc: "The attacker has the original as their own graph of the same people, and knows of the \
          people with the most neighbours which node of the release each is. Everybody else is \
          matched in rounds: a node of the release scores by how many of a person's known \
          neighbours it has, divided by the root of its degree; the best counts if it stands out \
          from the second by `eccentricity` standard deviations, and if the same search from the \
          release to the original comes back. Matches are looked at again until nothing changes, \
          at most 10 rounds. The rate is the share of all others who are matched rightly.",
    ..Info::DEFAULT
};

const ROUNDS: usize = 10;
const NOBODY: u32 = u32::MAX;

/// The node of the other graph that stands out as the match of a node, given who is matched.
fn best(from: (&Graph, &[u32]), to: (&Graph, &[u32]), node: u32, eccentricity: f64) -> Option<u32> {
    let mut scores: FastMap<u32, f64> = FastMap::default();
    for other in from.0.neighbours(node) {
        let image = from.1[*other as usize];
        if image == NOBODY {
            continue;
        }
        for candidate in to.0.neighbours(image) {
            if to.1[*candidate as usize] == NOBODY || to.1[*candidate as usize] == node {
                let weight = 1.0 / f64::from(to.0.degree(*candidate)).sqrt();
                *scores.entry(*candidate).or_insert(0.0) += weight;
            }
        }
    }
    let mut all: Vec<(f64, u32)> = scores.into_iter().map(|(node, score)| (score, node)).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (first, second) = (all.first()?, all.get(1).map_or(0.0, |(score, _)| *score));
    let n = all.len() as f64;
    let mean = all.iter().map(|(score, _)| score).sum::<f64>() / n;
    let spread = (all.iter().map(|(score, _)| (score - mean).powi(2)).sum::<f64>() / n).sqrt();
    let stands_out = match spread > 0.0 {
        true => (first.0 - second) / spread >= eccentricity,
        false => all.len() == 1,
    };
    stands_out.then_some(first.1)
}

/// Match nodes from seeds on: the node of the release for each of the original.
pub fn propagate(
    original: &Graph,
    release: &Graph,
    seeds: &[(u32, u32)],
    eccentricity: f64,
) -> Vec<u32> {
    let mut forth = vec![NOBODY; original.n()];
    let mut back = vec![NOBODY; release.n()];
    let mut is_seed = vec![false; original.n()];
    for (node, image) in seeds {
        forth[*node as usize] = *image;
        back[*image as usize] = *node;
        is_seed[*node as usize] = true;
    }
    let mut order: Vec<u32> = original.nodes().collect();
    order.sort_by_key(|node| Reverse(original.degree(*node)));
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for node in order.iter().filter(|node| !is_seed[**node as usize]) {
            let found = best((original, &forth), (release, &back), *node, eccentricity);
            let Some(image) = found else { continue };
            let returned = best((release, &back), (original, &forth), image, eccentricity);
            if returned != Some(*node) || forth[*node as usize] == image {
                continue;
            }
            let before = std::mem::replace(&mut forth[*node as usize], image);
            if before != NOBODY {
                back[before as usize] = NOBODY;
            }
            back[image as usize] = *node;
            has_changed = true;
        }
        if !has_changed {
            break;
        }
    }
    forth
}

impl Attack<GraphStage> for SeedPropagation {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        stage.lacks_mapping()
    }
    fn play(&self, params: &Params, stage: &GraphStage, _: &mut Chance) -> Result<Outcome> {
        let mapping = stage.mapping.as_deref().unwrap_or_default();
        let mut known: Vec<u32> = stage.original.nodes().collect();
        known.sort_by_key(|node| Reverse(stage.original.degree(*node)));
        known.truncate(params.count("seeds") as usize);
        let seeds: Vec<(u32, u32)> =
            known.iter().map(|node| (*node, mapping[*node as usize])).collect();
        let eccentricity = params.number("eccentricity");
        let found = propagate(&stage.original, &stage.release, &seeds, eccentricity);
        let mut score = Score::default();
        let mut worst = Vec::new();
        let mut matched = 0u64;
        for node in stage.original.nodes().filter(|node| !known.contains(node)) {
            let is_right = found[node as usize] == mapping[node as usize];
            matched += u64::from(found[node as usize] != NOBODY);
            score.add(f64::from(u8::from(is_right)));
            worst
                .push(Worst { record: u64::from(node) + 1, chance: f64::from(u8::from(is_right)) });
        }
        Ok(Outcome {
            score,
            baseline: stage.baseline(),
            everybody: true,
            worst: Outcome::worst_of(worst.into_iter()),
            remarks: vec![format!("{matched} people were matched, rightly or not")],
            ..Outcome::default()
        })
    }
}
