//! Delta-presence: whether it can be told who of a population is in the data, or isn't.

use sfumato_core::Result;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::guess::one_if;
use super::membership::{NERGIZ, presence};

/// The attack `delta-presence`, an entry of the registry.
pub struct DeltaPresence;

static INFO: Info = Info {
    name: "delta-presence",
    summary: "counts people of a population whose presence in the data is too sure, or too unlikely",
    papers: &[NERGIZ],
    params: &[
        ParamSpec::with_default(
            "min",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0",
            "the least chance with which somebody may be in the data",
        ),
        ParamSpec::optional(
            "max",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the largest chance with which somebody may be in the data; must be said",
        ),
    ],
    doc: "\
(dmin,dmax)-presence: given a public table of a population, everybody in it is in the data with a \
chance from `min` to `max`. The
chance of a person is, over the classes that cover the person, the rows of the class over the \
people of the population whom it
covers. The rate is the share of the population outside these bounds: the model holds if it is 0. \
In a job, `[attack]` with this
attack, `population` and `max_rate = 0` publishes nothing that breaks it.

With `min` above 0, nobody of the population may be outside all classes.
",
    ..Info::DEFAULT
};

impl Attack<TableStage> for DeltaPresence {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, params: &Params, stage: &TableStage) -> Option<String> {
        if stage.population.is_empty() {
            return Some("a population of whom some are in the data (--population)".into());
        }
        let none = params.optional_number("max").is_none();
        none.then(|| "the largest chance allowed: 'delta-presence(max=0.8)'".into())
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let (min, max) = (params.number("min"), params.optional_number("max").unwrap_or(1.0));
        let presence = presence(stage);
        let is_outside = |chance: f64| chance < min - 1e-9 || chance > max + 1e-9;
        let mut score = Score::default();
        presence.iter().for_each(|chance| score.add(one_if(is_outside(*chance))));
        let outside = presence.iter().enumerate().filter(|(_, chance)| is_outside(**chance));
        let worst = outside.map(|(at, chance)| Worst { record: at as u64 + 1, chance: *chance });
        let least = presence.iter().copied().fold(1.0, f64::min);
        let most = presence.iter().copied().fold(0.0, f64::max);
        Ok(Outcome {
            score,
            everybody: true,
            worst: Outcome::worst_of(worst),
            remarks: vec![
                format!(
                    "people of the population are in the data with chances {least:.4} to {most:.4}"
                ),
                "worst records are rows of the population".into(),
            ],
            ..Outcome::default()
        })
    }
}
