//! Skewness: a class in which a value is much more frequent than in the whole release tells of it.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;
use super::guess::{ON, everybody, one_if, sensitive};
use super::links::chance_of;

/// The attack `skewness`, an entry of the registry.
pub struct Skewness;

/// The paper that shows it.
pub const LI: Paper = Paper {
    authors: "Ninghui Li, Tiancheng Li, Suresh Venkatasubramanian",
    title: "t-closeness: privacy beyond k-anonymity and l-diversity",
    venue: "IEEE International Conference on Data Engineering",
    year: 2007,
};

static INFO: Info = Info {
    name: "skewness",
    summary: "finds people whose value is much more likely in their class than in the release",
    papers: &[LI],
    params: &[
        ON,
        ParamSpec::with_default(
            "gain",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.2",
            "how much more likely it must be than among all rows",
        ),
    ],
    doc: include_str!("skewness.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for Skewness {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        stage.lacks_sensitive()
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let (column, gain) = (sensitive(params, stage)?, params.number("gain"));
        let (links, secret) = (stage.links_by_all(), &stage.sensitive[column]);
        let overall = secret.overall_belief();
        // Without the release nothing is more likely than among all rows.
        Ok(everybody(stage, 0.0, |person| {
            let truth = secret.people[person];
            let belief = stage.belief(column, &links.of(person));
            one_if(chance_of(&belief, truth) - chance_of(&overall, truth) > gain + 1e-9)
        }))
    }
}
