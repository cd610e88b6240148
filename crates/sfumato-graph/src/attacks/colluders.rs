//! Colluders: a few people who know each other find themselves in the release, and then those whom
//! they know.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastSet, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::search::Pattern;
use super::{GRAPHS, GraphStage};
use crate::data::Graph;

/// The attack `colluders`, an entry of the registry.
pub struct Colluders;

/// The paper of active and passive attacks on graphs with random numbers.
pub(super) const BACKSTROM: Paper = Paper {
    authors: "Lars Backstrom, Cynthia Dwork, Jon Kleinberg",
    title: "Wherefore art thou R3579X? Anonymized social networks, hidden patterns, and structural \
            steganography",
    venue: "WWW",
    year: 2007,
};

static INFO: Info = Info {
    name: "colluders",
    summary: "a few people who know each other find themselves, and then a friend",
    papers: &[BACKSTROM],
    params: &[
        ParamSpec::with_default(
            "size",
            ParamKind::Integer { min: 2, max: 30 },
            "5",
            "how many people collude",
        ),
        ParamSpec::with_default(
            "tolerance",
            ParamKind::Integer { min: 0, max: 1_000 },
            "0",
            "by how many degrees may differ",
        ),
        ParamSpec::with_default(
            "coalitions",
            ParamKind::Integer { min: 1, max: 100_000 },
            "200",
            "how many coalitions are drawn",
        ),
    ],
    doc: "A coalition is a random person with neighbours and their neighbours. Its members know \
          their degrees in the original and who of them are joined, look for all places in the \
          release where that fits, and take one of them (up to 20 are looked at). Then they look \
          for a common friend, one whom most of them know: a node that is joined to exactly their \
          images. \
          The chance is that of guessing right among the nodes that fit. Edges that were changed \
          between members or around them make the search fail; it is given up after 200,000 \
          steps.\n\n\
          Planted accounts (an active attack) are found in the same way, but must be planted \
          before the release is made: `search` in the library does that in tests.",
    ..Info::DEFAULT
};

/// How many places are looked at.
const PLACES: usize = 20;

/// A connected coalition: a person, then random neighbours of the members so far.
fn coalition(graph: &Graph, size: usize, chance: &mut Chance) -> Vec<u32> {
    let mut members = vec![chance.below(graph.n()) as u32];
    let mut around: Vec<u32> = graph.neighbours(members[0]).to_vec();
    while members.len() < size && !around.is_empty() {
        let next = around.swap_remove(chance.below(around.len()));
        if !members.contains(&next) {
            members.push(next);
            around.extend(graph.neighbours(next));
        }
    }
    members
}

impl Attack<GraphStage> for Colluders {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        GRAPHS
    }
    fn lacks(&self, _: &Params, stage: &GraphStage) -> Option<String> {
        stage.lacks_mapping()
    }
    fn play(&self, params: &Params, stage: &GraphStage, chance: &mut Chance) -> Result<Outcome> {
        let (size, tolerance) = (params.count("size") as usize, params.count("tolerance") as u32);
        let sought = params.count("coalitions");
        let (original, release) = (&stage.original, &stage.release);
        let mapping = stage.mapping.as_deref().unwrap_or_default();
        let mut score = Score::default();
        let (mut unique, mut gave_up) = (0u64, 0u64);
        for _ in 0..sought {
            let members = coalition(original, size, chance);
            // Somebody outside whom at least one member knows.
            let inside: FastSet<u32> = members.iter().copied().collect();
            let mut targets: Vec<u32> = members
                .iter()
                .flat_map(|member| original.neighbours(*member).iter().copied())
                .filter(|node| !inside.contains(node))
                .collect();
            targets.sort_unstable();
            targets.dedup();
            if members.len() < size || targets.is_empty() {
                continue;
            }
            // They look for a common friend: one whom most of them know.
            let known =
                |node: &u32| members.iter().filter(|one| original.has(**one, *node)).count();
            let most = targets.iter().map(known).max().unwrap_or(0);
            targets.retain(|node| known(node) == most);
            let target = targets[chance.below(targets.len())];
            let places = Pattern::of(original, &members).find(release, tolerance, PLACES);
            let Some(places) = places else {
                gave_up += 1;
                score.add(0.0);
                continue;
            };
            unique += u64::from(places.len() == 1);
            let of_place = |images: &Vec<u32>| {
                let knows: Vec<bool> =
                    members.iter().map(|member| original.has(*member, target)).collect();
                let first = knows.iter().position(|knows| *knows).map(|place| images[place]);
                let fits = |node: &u32| {
                    !images.contains(node)
                        && images
                            .iter()
                            .zip(&knows)
                            .all(|(image, knows)| release.has(*image, *node) == *knows)
                };
                let candidates: Vec<u32> = first
                    .into_iter()
                    .flat_map(|image| release.neighbours(image).iter().copied())
                    .filter(|node| fits(node))
                    .collect();
                match candidates.contains(&mapping[target as usize]) {
                    true => 1.0 / candidates.len() as f64,
                    false => 0.0,
                }
            };
            let sum: f64 = places.iter().map(of_place).sum();
            score.add(if places.is_empty() { 0.0 } else { sum / places.len() as f64 });
        }
        let mut remarks =
            vec![format!("{unique} of {} coalitions fit in one place alone", score.queries)];
        if gave_up > 0 {
            remarks.push(format!("{gave_up} searches were given up, and count as failed"));
        }
        Ok(Outcome {
            score,
            baseline: stage.baseline(),
            sought: Some(sought),
            remarks,
            ..Outcome::default()
        })
    }
}
