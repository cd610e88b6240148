//! Find a number: whoever knows somebody's number looks for the row that was made from it.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::Numbered;
use crate::forms::rounded::{counts, rounded};

/// The attack `find-number`, an entry of the registry.
pub struct FindNumber;

static INFO: Info = Info {
    name: "find-number",
    summary: "guesses which row is that of a person whose number is known",
    papers: &[],
    params: &[],
    doc: "Made up to show what an attack must bring.",
    ..Info::DEFAULT
};

impl Attack<Numbered> for FindNumber {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["rounded"]
    }
    fn lacks(&self, _: &Params, stage: &Numbered) -> Option<String> {
        stage.step.is_none().then(|| "the manifest, which says how far numbers were rounded".into())
    }
    fn play(&self, _: &Params, stage: &Numbered, _: &mut Chance) -> Result<Outcome> {
        let (counts, step) = (counts(&stage.published), stage.step.unwrap_or(1));
        let chance = |number: &i64| {
            counts.get(&rounded(*number, step)).map_or(0.0, |alike| 1.0 / *alike as f64)
        };
        let chances: Vec<f64> = stage.original.iter().map(chance).collect();
        // Whoever isn't in the release has no row: every guess is wrong.
        let control = stage.control.as_ref().map(|control| Score::new(0.0, control.len() as u64));
        let baseline = 1.0 / stage.published.len().max(1) as f64;
        Ok(Outcome { control, ..Outcome::of_everybody(&chances, baseline) })
    }
}
