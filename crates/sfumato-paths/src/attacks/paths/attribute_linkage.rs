//! Attribute linkage: whoever knows some steps of somebody takes the sensitive value that most
//! paths with these steps have.

use std::collections::BTreeMap;

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::{BESIDE, KNOWS, Knowledge, ORDERED, PEOPLE, POINTS, PathStage};

/// The attack.
pub struct AttributeLinkage;

static INFO: Info = Info {
    name: "attribute-linkage",
    summary: "guesses the sensitive value of a person of whom some steps are known",
    params: &[POINTS, KNOWS, ORDERED, BESIDE, PEOPLE],
    doc: "\
As `known-points`, but the attacker guesses the value of the first sensitive column: the one that \
most of the paths found have, and of several such the first by name. The baseline is an attacker \
who takes the most common value of the release for everybody, and so is whoever finds no path.
",
    ..Info::DEFAULT
};

impl Attack<PathStage> for AttributeLinkage {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["suppressed"]
    }
    fn lacks(&self, _: &Params, stage: &PathStage) -> Option<String> {
        let is_there = !stage.values.is_empty() && !stage.original.sensitive.is_empty();
        (!is_there).then(|| "a sensitive column (--sensitive)".into())
    }
    fn play(&self, params: &Params, stage: &PathStage, chance: &mut Chance) -> Result<Outcome> {
        let knowledge = Knowledge::new(stage, params)?;
        let (people, everybody) = stage.people(params, chance);
        let points = usize::try_from(params.count("points")).unwrap_or(usize::MAX);
        let found = knowledge.ask(stage, &people, points, chance);
        let (values, column) = (&stage.values[0], &stage.original.sensitive[0]);
        let all: Vec<u32> = (0..stage.published.len() as u32).collect();
        let usual = most_common(values, &all).unwrap_or_default();
        let mut score = Score::default();
        let mut by_guess = 0.0;
        for (person, found) in people.iter().zip(&found) {
            let own = &column.values[column.of_record[*person as usize] as usize];
            let guess = found.as_ref().and_then(|paths| most_common(values, paths));
            let guess = guess.unwrap_or(usual);
            score.add(if guess == own { 1.0 } else { 0.0 });
            by_guess += if usual == own { 1.0 } else { 0.0 };
        }
        let baseline = by_guess / people.len().max(1) as f64;
        Ok(Outcome { score, baseline, everybody, ..Outcome::default() })
    }
}

/// The value that most of some paths have; of several such the first by name.
fn most_common<'a>(values: &'a [String], paths: &[u32]) -> Option<&'a str> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    paths.iter().for_each(|path| *counts.entry(&values[*path as usize]).or_default() += 1);
    let best = counts.into_iter().reduce(|one, other| if other.1 > one.1 { other } else { one });
    best.map(|(value, _)| value)
}
