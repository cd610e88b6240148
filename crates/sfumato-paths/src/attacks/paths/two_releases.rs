//! Two releases: whoever knows some steps of somebody looks for them in two releases of the same
//! people, and keeps the paths of the one that go together with a path of the other.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::{KNOWS, Knowledge, ORDERED, OtherPaths, PEOPLE, POINTS, PathStage};
use crate::data::PathData;

/// The attack.
pub struct TwoReleases;

static INFO: Info = Info {
    name: "two-releases",
    summary: "looks for a person of whom some steps are known in two releases, and strikes out \
              paths that don't go together",
    papers: &[Paper {
        authors: "S. R. Ganta, S. P. Kasiviswanathan, A. Smith",
        title: "Composition attacks and auxiliary information in data privacy",
        venue: "KDD",
        year: 2008,
    }],
    params: &[POINTS, KNOWS, ORDERED, PEOPLE],
    doc: "\
`--other RELEASE` is another release of the same people, in the layout of the original or with its \
manifest beside it. Of each person `points` steps of the original path are drawn, and the paths \
that have them are looked for in both releases, as by `known-points`. A path of the first stays a \
candidate if some candidate of the other has the same sensitive values and is nowhere else at the \
same time. One of those that stay is taken at random; it is right once in as many times as there \
are, if one of them can be that person's. Where no two go together, or nothing that is known is in \
the other release, the attacker goes by the first, and where nothing is in the first guesses.

The baseline is the rate of the same attacker with the first release alone. Columns beside a path \
that --qi names aren't used. Each release may keep its promise, and the two together none: the \
ledger guards against that, and this counts what it would cost not to.
",
    ..Info::DEFAULT
};

impl Attack<PathStage> for TwoReleases {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["suppressed"]
    }
    fn lacks(&self, _: &Params, stage: &PathStage) -> Option<String> {
        stage.other.is_none().then(|| "another release of the same people (--other RELEASE)".into())
    }
    fn play(&self, params: &Params, stage: &PathStage, chance: &mut Chance) -> Result<Outcome> {
        let Some(other) = &stage.other else { return Ok(Outcome::default()) };
        let first = Knowledge::over(stage, &stage.published, params)?;
        let second = Knowledge::over(stage, &other.published, params)?;
        let (people, everybody) = stage.people(params, chance);
        let points = usize::try_from(params.count("points")).unwrap_or(usize::MAX);
        let known: Vec<Vec<u32>> =
            people.iter().map(|person| first.draw(stage, *person, points, chance)).collect();
        let pair = Pair { stage, other, is_somewhere: is_somewhere(&stage.original) };
        let look = |(person, known): (&u32, &Vec<u32>)| {
            let (one, two) = (first.candidates(known), second.candidates(known));
            let alone = pair.found(*person, one.as_deref());
            let both = match (one, two) {
                (Some(one), Some(two)) => {
                    // Somebody may be left out of the other release.
                    let left = pair.that_go_together(&one, &two);
                    Some(if left.is_empty() { one } else { left })
                }
                (one, _) => one,
            };
            (alone, pair.found(*person, both.as_deref()))
        };
        let found: Vec<(Found, Found)> = people.par_iter().zip(&known).map(look).collect();
        let mut score = Score::default();
        found.iter().for_each(|(_, both)| score.add(both.right));
        let alone = found.iter().map(|(alone, _)| alone.right).sum::<f64>();
        let certain = |of: fn(&(Found, Found)) -> bool| found.iter().filter(|one| of(one)).count();
        let mut outcome = Outcome {
            score,
            baseline: alone / people.len().max(1) as f64,
            everybody,
            worst: Outcome::worst_of(people.iter().zip(&found).map(|(person, (_, both))| Worst {
                record: u64::from(*person) + 1,
                chance: both.right,
            })),
            ..Outcome::default()
        };
        if !stage.values.is_empty() {
            outcome.remarks.push(format!(
                "the sensitive value of {} people is certain by both releases, of {} by the first \
                 alone",
                certain(|(_, both)| both.is_certain),
                certain(|(alone, _)| alone.is_certain)
            ));
        }
        Ok(outcome)
    }
}

/// Whether somebody is at one place at a time, so that two paths can contradict each other.
fn is_somewhere(original: &PathData) -> bool {
    !original.times.is_empty() && !original.is_at_several()
}

/// What an attacker comes to about a person.
#[derive(Clone, Copy, Default)]
struct Found {
    /// How likely the path that is taken is theirs.
    right: f64,
    /// Whether all candidates have the person's own value in the first sensitive column.
    is_certain: bool,
}

/// Two releases of the same people.
struct Pair<'a> {
    stage: &'a PathStage,
    other: &'a OtherPaths,
    is_somewhere: bool,
}

impl Pair<'_> {
    /// The paths of the first release that go together with one of the other.
    fn that_go_together(&self, first: &[u32], second: &[u32]) -> Vec<u32> {
        let goes = |one: &&u32| second.iter().any(|two| self.go_together(**one, *two));
        first.iter().filter(goes).copied().collect()
    }

    fn go_together(&self, one: u32, two: u32) -> bool {
        let columns = self.stage.values.iter().zip(&self.other.values);
        let mut values =
            columns.map(|(first, second)| (&first[one as usize], &second[two as usize]));
        values.all(|(first, second)| first == second) && !self.contradict(one, two)
    }

    /// Whether the two are at different places at one time. Steps are in the order of their codes.
    fn contradict(&self, one: u32, two: u32) -> bool {
        if !self.is_somewhere {
            return false;
        }
        let steps = &self.stage.original.steps;
        let of = |code: &u32| steps[*code as usize];
        let (first, second) =
            (self.stage.published.get(one as usize), self.other.published.get(two as usize));
        let mut at = 0;
        first.iter().map(of).any(|step| {
            while at < second.len() && of(&second[at]).time < step.time {
                at += 1;
            }
            second
                .get(at)
                .map(of)
                .is_some_and(|other| other.time == step.time && other.place != step.place)
        })
    }

    fn found(&self, person: u32, candidates: Option<&[u32]>) -> Found {
        let stage = self.stage;
        let Some(candidates) = candidates else {
            let right = 1.0 / stage.published.len().max(1) as f64;
            return Found { right, is_certain: false };
        };
        let is_there = candidates.iter().any(|path| stage.may_be(*path, person));
        let own = stage
            .original
            .sensitive
            .first()
            .map(|column| column.values[column.of_record[person as usize] as usize].as_str());
        let has = |path: &u32| Some(stage.values[0][*path as usize].as_str()) == own;
        Found {
            right: if is_there { 1.0 / candidates.len() as f64 } else { 0.0 },
            is_certain: is_there && !stage.values.is_empty() && candidates.iter().all(has),
        }
    }
}
