//! Known points: whoever knows some steps of somebody takes one of the paths that have them.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::{BESIDE, KNOWS, Knowledge, ORDERED, PEOPLE, POINTS, PathStage};

/// The attack.
pub struct KnownPoints;

static INFO: Info = Info {
    name: "known-points",
    summary: "guesses which path is that of a person of whom some steps are known",
    papers: &[Paper {
        authors: "B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu",
        title: "Introduction to privacy-preserving data publishing, chapter 14",
        venue: "CRC Press",
        year: 2010,
    }],
    params: &[POINTS, KNOWS, ORDERED, BESIDE, PEOPLE],
    doc: "\
Of each person `points` steps of the original path are drawn. The attacker looks for the published \
paths that have all of them, leaving aside steps that no published path has, and takes one at \
random. If none of the paths found can be that person's, because none is a part of their own, the \
guess is wrong; else it is taken to be right once in as many times as there are paths. Somebody of \
whom nothing known is published is guessed like by an attacker without the release.
",
    ..Info::DEFAULT
};

impl Attack<PathStage> for KnownPoints {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["suppressed"]
    }
    fn play(&self, params: &Params, stage: &PathStage, chance: &mut Chance) -> Result<Outcome> {
        let knowledge = Knowledge::new(stage, params)?;
        let (people, everybody) = stage.people(params, chance);
        let points = usize::try_from(params.count("points")).unwrap_or(usize::MAX);
        let found = knowledge.ask(stage, &people, points, chance);
        let baseline = 1.0 / stage.published.len().max(1) as f64;
        let mut score = Score::default();
        let mut worst = Vec::new();
        let mut nothing = 0;
        for (person, found) in people.iter().zip(&found) {
            let right = match found {
                None => {
                    nothing += 1;
                    baseline
                }
                Some(paths) if paths.iter().any(|path| stage.may_be(*path, *person)) => {
                    1.0 / paths.len() as f64
                }
                Some(_) => 0.0,
            };
            score.add(right);
            worst.push(Worst { record: u64::from(*person) + 1, chance: right });
        }
        let mut outcome = Outcome {
            score,
            baseline,
            everybody,
            worst: Outcome::worst_of(worst.into_iter()),
            ..Outcome::default()
        };
        if nothing > 0 {
            outcome.remarks.push(format!("of {nothing} people nothing that is known is published"));
        }
        Ok(outcome)
    }
}
