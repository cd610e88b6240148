//! Record linkage: whoever knows a person's quasi values looks for the rows that may be theirs.

use rayon::prelude::*;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::TableStage;

/// The attack `record-linkage`, an entry of the registry.
pub struct RecordLinkage;

/// The paper that shows it.
pub const SWEENEY: Paper = Paper {
    authors: "Latanya Sweeney",
    title: "k-anonymity: a model for protecting privacy",
    venue: "International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5)",
    year: 2002,
};

static INFO: Info = Info {
    name: "record-linkage",
    summary: "guesses which row is that of a person whose quasi values are known",
    papers: &[SWEENEY],
    params: &[ParamSpec::optional(
        "known",
        ParamKind::List,
        "the quasi columns that the attacker knows; all of them without it",
    )],
    doc: include_str!("record_linkage.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for RecordLinkage {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized"]
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let links = stage.links(&known(params, stage)?);
        let chance = |person: usize| match stage.rows_of(&links.of(person)) {
            0 => 0.0,
            rows => 1.0 / rows as f64,
        };
        let chances: Vec<f64> = (0..stage.n).into_par_iter().map(chance).collect();
        let mut outcome = Outcome::of_everybody(&chances, 1.0 / stage.n_rows as f64);
        // Whoever isn't in the release has no row there: every guess is wrong.
        let n_control = stage.control.len() as u64;
        outcome.control = (n_control > 0).then(|| Score::new(0.0, n_control));
        let nobody = chances.iter().filter(|chance| **chance == 0.0).count();
        if nobody > 0 {
            outcome.remarks.push(format!("{nobody} people are in no row"));
        }
        Ok(outcome)
    }
}

/// The places of the quasi columns that an attacker knows.
pub fn known(params: &Params, stage: &TableStage) -> Result<Vec<usize>> {
    let Some(names) = params.list("known") else {
        return Ok((0..stage.quasi.len()).collect());
    };
    let place = |name: &String| {
        stage.quasi.iter().position(|column| column.name == *name).ok_or_else(|| {
            let names: Vec<&str> = stage.quasi.iter().map(|column| column.name.as_str()).collect();
            Error::params(format!("there is no quasi column '{name}'"))
                .hint(format!("these are {}", names.join(", ")))
        })
    };
    names.iter().map(place).collect()
}
