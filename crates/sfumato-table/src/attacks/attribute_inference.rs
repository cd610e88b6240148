//! Attribute inference: a model that is trained on the release guesses a person's sensitive value.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::bayes::Bayes;
use super::guess::{ON, sensitive, without_release};
use super::links::right_guess;
use super::nearest::Nearest;
use super::record_linkage::known;

/// The attack `attribute-inference`, an entry of the registry.
pub struct AttributeInference;

/// The paper that shows it, and linkability and singling out.
pub const GIOMI: Paper = Paper {
    authors: "Matteo Giomi, Franziska Boenisch, Christoph Wehmeyer, Borbála Tasnádi",
    title: "A unified framework for quantifying privacy risk in synthetic data",
    venue: "Proceedings on Privacy Enhancing Technologies 2023(2)",
    year: 2023,
};

/// How many people are asked about.
pub const QUERIES: ParamSpec = ParamSpec::with_default(
    "queries",
    ParamKind::Integer { min: 1, max: 1_000_000 },
    "2000",
    "how many queries the attacker poses",
);

static INFO: Info = Info {
    name: "attribute-inference",
    summary: "guesses a person's sensitive value by a model that is trained on the release",
    papers: &[GIOMI],
    params: &[
        ON,
        ParamSpec::optional(
            "known",
            ParamKind::List,
            "the quasi columns that the attacker knows; all of them without it",
        ),
        ParamSpec::with_default(
            "by",
            ParamKind::Choice(&["bayes", "nearest"]),
            "bayes",
            "a naive Bayes classifier, or the rows that are nearest to the person",
        ),
        QUERIES,
    ],
    doc: include_str!("attribute_inference.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for AttributeInference {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets", "perturbed", "microaggregated"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        stage.lacks_sensitive()
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let (column, known) = (sensitive(params, stage)?, known(params, stage)?);
        let secret = &stage.sensitive[column];
        let queries = params.count("queries") as usize;
        let model = match params.text("by") {
            Some("nearest") => Model::Nearest(Nearest::new(stage, &known)),
            _ => Model::Bayes(Box::new(Bayes::new(stage, &known, column))),
        };
        let right = |person: usize| {
            let belief = match &model {
                Model::Nearest(nearest) => stage.belief(column, &nearest.of(person)),
                Model::Bayes(bayes) => bayes.belief(stage, person),
            };
            right_guess(&belief, secret.people[person])
        };
        let people = chance.sample(queries, stage.n);
        let rights: Vec<f64> = people.par_iter().map(|person| right(*person as usize)).collect();
        let control = chance.sample(queries, stage.control.len());
        let controls: Vec<f64> = control
            .par_iter()
            .map(|person| right(stage.control.start + *person as usize))
            .collect();
        let overall = secret.overall_belief();
        let named = people.iter().zip(&rights);
        let worst =
            named.map(|(person, chance)| Worst { record: u64::from(*person) + 1, chance: *chance });
        Ok(Outcome {
            score: Score::new(rights.iter().sum(), rights.len() as u64),
            baseline: without_release(stage, |person| right_guess(&overall, secret.people[person])),
            control: (!controls.is_empty())
                .then(|| Score::new(controls.iter().sum(), controls.len() as u64)),
            everybody: people.len() == stage.n,
            worst: Outcome::worst_of(worst),
            remarks: vec![format!("about column '{}'", secret.name)],
            ..Outcome::default()
        })
    }
}

enum Model<'a> {
    Nearest(Nearest<'a>),
    Bayes(Box<Bayes>),
}
