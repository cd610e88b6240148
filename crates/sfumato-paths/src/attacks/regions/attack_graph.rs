//! Attack graph: whoever knows where somebody was at their known times takes one of the tracks that
//! may be theirs.

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::RegionStage;

/// The attack.
pub struct AttackGraphPlay;

static INFO: Info = Info {
    name: "attack-graph",
    summary: "guesses among the published tracks that may be a person's, by where they were at \
              their known times",
    papers: &[Paper {
        authors: "R. Yarovoy, F. Bonchi, L. V. S. Lakshmanan, W. H. Wang",
        title: "Anonymizing moving objects: how to hide a MOB in a crowd?",
        venue: "EDBT",
        year: 2009,
    }],
    params: &[ParamSpec::with_default(
        "assigns",
        ParamKind::Flag,
        "true",
        "whether the attacker strikes out tracks that are somebody's in no assignment of all \
         tracks \
         to people",
    )],
    doc: "\
The attacker knows of everybody where they were at their known times, and all published tracks. Of \
the tracks that fit, those that can't be the person's because others need them are struck out, and \
one of the rest is taken at random. The times that are known are those in the file that the \
`known` of `mob-k-anonymity` names, if the attack is told the model, and else all. The baseline is \
a guess among all tracks.
",
    ..Info::DEFAULT
};

impl Attack<RegionStage> for AttackGraphPlay {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["regions"]
    }
    fn play(&self, params: &Params, stage: &RegionStage, _: &mut Chance) -> Result<Outcome> {
        let graph = &stage.graph;
        let possible = match params.flag("assigns") {
            false => graph.fitting.clone(),
            true => graph.possible(&[]).ok_or_else(|| {
                Error::input("the published tracks can't be those of these people")
                    .hint("name the data that the release was made from with --original")
            })?,
        };
        let chance =
            |tracks: &Vec<u32>| if tracks.is_empty() { 0.0 } else { 1.0 / tracks.len() as f64 };
        let chances: Vec<f64> = possible.iter().map(chance).collect();
        let found = possible.iter().filter(|tracks| tracks.len() == 1).count();
        let mut outcome = Outcome::of_everybody(&chances, 1.0 / graph.n_records.max(1) as f64);
        outcome.remarks.push(format!("{found} people have a single track that may be theirs"));
        Ok(outcome)
    }
}
