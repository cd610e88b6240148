//! Linkability: whether the release tells that two partial records are of one person.

use rayon::prelude::*;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::attribute_inference::{GIOMI, QUERIES};
use super::nearest::Nearest;

/// The attack `linkability`, an entry of the registry.
pub struct Linkability;

static INFO: Info = Info {
    name: "linkability",
    summary: "finds that two files with different columns have the same person",
    papers: &[GIOMI],
    params: &[
        ParamSpec::optional(
            "left",
            ParamKind::List,
            "the quasi columns of the first file; the first half without it",
        ),
        ParamSpec::optional(
            "right",
            ParamKind::List,
            "the quasi columns of the second file; the others without it",
        ),
        QUERIES,
    ],
    doc: include_str!("linkability.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for Linkability {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "perturbed", "microaggregated"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        (stage.quasi.len() < 2).then(|| "at least two quasi columns".into())
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let (left, right) = sides(params, stage)?;
        let (left, right) = (Nearest::new(stage, &left), Nearest::new(stage, &right));
        let queries = params.count("queries") as usize;
        // One row is drawn of those nearest on each side: the chance that it is the same.
        let linked = |person: usize| {
            let (one, two) = (left.of(person), right.of(person));
            let both: Vec<u32> =
                one.iter().filter(|class| two.binary_search(class).is_ok()).copied().collect();
            let rows = |classes: &[u32]| stage.rows_of(classes) as f64;
            rows(&both) / (rows(&one) * rows(&two)).max(1.0)
        };
        let people = chance.sample(queries, stage.n);
        let chances: Vec<f64> = people.par_iter().map(|person| linked(*person as usize)).collect();
        let control = chance.sample(queries, stage.control.len());
        let controls: Vec<f64> = control
            .par_iter()
            .map(|person| linked(stage.control.start + *person as usize))
            .collect();
        let named = people.iter().zip(&chances);
        let worst =
            named.map(|(person, chance)| Worst { record: u64::from(*person) + 1, chance: *chance });
        Ok(Outcome {
            score: Score::new(chances.iter().sum(), chances.len() as u64),
            baseline: 1.0 / stage.n_rows as f64,
            control: (!controls.is_empty())
                .then(|| Score::new(controls.iter().sum(), controls.len() as u64)),
            everybody: people.len() == stage.n,
            worst: Outcome::worst_of(worst),
            ..Outcome::default()
        })
    }
}

/// The columns of both files.
fn sides(params: &Params, stage: &TableStage) -> Result<(Vec<usize>, Vec<usize>)> {
    let place = |name: &String| {
        let found = stage.quasi.iter().position(|column| column.name == *name);
        found.ok_or_else(|| Error::params(format!("there is no quasi column '{name}'")))
    };
    let named = |side: &str| -> Result<Option<Vec<usize>>> {
        params.list(side).map(|names| names.iter().map(place).collect()).transpose()
    };
    let all = stage.quasi.len();
    let (left, right) = (named("left")?, named("right")?);
    let others = |side: &[usize]| (0..all).filter(|place| !side.contains(place)).collect();
    let (left, right): (Vec<usize>, Vec<usize>) = match (left, right) {
        (Some(left), Some(right)) => (left, right),
        (Some(left), None) => (left.clone(), others(&left)),
        (None, Some(right)) => (others(&right), right),
        (None, None) => ((0..all / 2).collect(), (all / 2..all).collect()),
    };
    match left.is_empty() || right.is_empty() || left.iter().any(|place| right.contains(place)) {
        false => Ok((left, right)),
        true => Err(Error::params("left and right must be different columns, and neither empty")),
    }
}
