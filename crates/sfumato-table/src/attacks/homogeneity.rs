//! Homogeneity: a class in which everybody has the same sensitive value gives it away.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;
use super::guess::{CERTAINTY, ON, everybody, is_sure, one_if, sensitive, without_release};
use super::links::chance_of;

/// The attack `homogeneity`, an entry of the registry.
pub struct Homogeneity;

/// The paper that shows it.
pub const MACHANAVAJJHALA: Paper = Paper {
    authors: "Ashwin Machanavajjhala, Daniel Kifer, Johannes Gehrke, Muthuramakrishnan \
              Venkitasubramaniam",
    title: "l-diversity: privacy beyond k-anonymity",
    venue: "ACM Transactions on Knowledge Discovery from Data 1(1)",
    year: 2007,
};

static INFO: Info = Info {
    name: "homogeneity",
    summary: "learns the sensitive value of people whose rows agree about it",
    papers: &[MACHANAVAJJHALA],
    params: &[ON, CERTAINTY],
    doc: include_str!("homogeneity.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for Homogeneity {
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
        let (column, certainty) = (sensitive(params, stage)?, params.number("certainty"));
        let (links, secret) = (stage.links_by_all(), &stage.sensitive[column]);
        let overall = secret.overall_belief();
        let baseline = without_release(stage, |person| {
            one_if(is_sure(chance_of(&overall, secret.people[person]), certainty))
        });
        Ok(everybody(stage, baseline, |person| {
            let belief = stage.belief(column, &links.of(person));
            one_if(is_sure(chance_of(&belief, secret.people[person]), certainty))
        }))
    }
}
