//! Top places: whoever knows where somebody is most often looks for paths with the same places.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::{PEOPLE, PathStage};

/// The attack.
pub struct TopPlaces;

static INFO: Info = Info {
    name: "top-places",
    summary: "guesses which path is that of a person whose most visited places are known",
    papers: &[Paper {
        authors: "H. Zang, J. Bolot",
        title: "Anonymization of location data does not work: a large-scale measurement study",
        venue: "MobiCom",
        year: 2011,
    }],
    params: &[
        ParamSpec::with_default(
            "places",
            ParamKind::Integer { min: 1, max: 1000 },
            "2",
            "how many of the most visited places are known: with 2, such as home and work",
        ),
        PEOPLE,
    ],
    doc: "\
The attacker knows the `places` places that somebody visits most often, without their order, and \
takes one of the published paths with the same most visited places at random. Of places that are \
visited equally often those count that come first by name. If none of the paths found can be that \
person's, the guess is wrong.
",
    ..Info::DEFAULT
};

impl Attack<PathStage> for TopPlaces {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["suppressed"]
    }
    fn play(&self, params: &Params, stage: &PathStage, chance: &mut Chance) -> Result<Outcome> {
        let n = usize::try_from(params.count("places")).unwrap_or(usize::MAX);
        let mut having: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
        for (path, steps) in (0..).zip(stage.published.iter()) {
            having.entry(top(stage, steps, n)).or_default().push(path);
        }
        let (people, everybody) = stage.people(params, chance);
        let mut score = Score::default();
        let mut worst = Vec::new();
        for person in people {
            let known = top(stage, stage.original.paths.get(person as usize), n);
            let right = match having.get(&known) {
                Some(paths) if paths.iter().any(|path| stage.may_be(*path, person)) => {
                    1.0 / paths.len() as f64
                }
                _ => 0.0,
            };
            score.add(right);
            worst.push(Worst { record: u64::from(person) + 1, chance: right });
        }
        Ok(Outcome {
            score,
            baseline: 1.0 / stage.published.len().max(1) as f64,
            everybody,
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        })
    }
}

/// The places that a path visits most often, ascending.
fn top(stage: &PathStage, path: &[u32], n: usize) -> Vec<u32> {
    let mut places: Vec<u32> =
        path.iter().map(|step| stage.original.steps[*step as usize].place).collect();
    places.sort_unstable();
    let mut counts: Vec<(usize, u32)> =
        places.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
    counts.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut top: Vec<u32> = counts.into_iter().take(n).map(|(_, place)| place).collect();
    top.sort_unstable();
    top
}
