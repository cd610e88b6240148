//! Unicity: what share of people some random steps single out.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::{BESIDE, KNOWS, Knowledge, ORDERED, PEOPLE, POINTS, PathStage};

/// The attack.
pub struct Unicity;

static INFO: Info = Info {
    name: "unicity",
    summary: "counts the people of whom some known steps are in one published path alone",
    papers: &[Paper {
        authors: "Y.-A. de Montjoye, C. A. Hidalgo, M. Verleysen, V. D. Blondel",
        title: "Unique in the crowd: the privacy bounds of human mobility",
        venue: "Scientific Reports",
        year: 2013,
    }],
    params: &[POINTS, KNOWS, ORDERED, BESIDE, PEOPLE],
    doc: "\
Of each person `points` steps of the original path are drawn. The rate is the share of people for \
whom exactly one published path has all of them that are published at all, and can be theirs. \
Played with 1, 2, 3 and more points it gives the curve of de Montjoye et al. Played with the \
original as the release it gives the curve before anything was done.
",
    ..Info::DEFAULT
};

impl Attack<PathStage> for Unicity {
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
        let mut score = Score::default();
        for (person, found) in people.iter().zip(&found) {
            let is_alone = match found.as_deref() {
                Some([one]) => stage.may_be(*one, *person),
                _ => false,
            };
            score.add(if is_alone { 1.0 } else { 0.0 });
        }
        Ok(Outcome { score, everybody, ..Outcome::default() })
    }
}
