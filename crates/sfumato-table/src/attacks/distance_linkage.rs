//! Distance linkage: whoever knows a person's values takes the row that is nearest to them.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::attribute_inference::QUERIES;
use super::nearest::Nearest;
use super::record_linkage::known;

/// The attack `distance-linkage`, an entry of the registry.
pub struct DistanceLinkage;

static INFO: Info = Info {
    name: "distance-linkage",
    summary: "takes the row nearest to a person's values for theirs",
    papers: &[Paper {
        authors: "Josep Domingo-Ferrer, Vicenç Torra",
        title: "Disclosure risk assessment in statistical microdata protection via advanced record \
                linkage",
        venue: "Statistics and Computing 13(4)",
        year: 2003,
    }],
    params: &[
        ParamSpec::optional(
            "known",
            ParamKind::List,
            "the quasi columns that the attacker knows; all of them without it",
        ),
        QUERIES,
    ],
    doc: include_str!("distance_linkage.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for DistanceLinkage {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "perturbed", "microaggregated"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        let none = "a column that is published as it is, to tell whether a row is the person's";
        (stage.sensitive.is_empty() && stage.kept.is_empty()).then(|| none.into())
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let nearest = Nearest::new(stage, &known(params, stage)?);
        let agrees = |row: u32, person: usize| {
            let row = row as usize;
            stage.sensitive.iter().all(|column| column.rows[row] == column.people[person])
                && stage.kept.iter().all(|column| column.rows[row] == column.people[person])
        };
        // One of the nearest rows at random.
        let right = |person: usize| {
            let classes = nearest.of(person);
            let rows = classes.iter().flat_map(|class| &stage.classes[*class as usize].rows);
            let (mut all, mut agreeing) = (0u64, 0u64);
            for row in rows {
                all += 1;
                agreeing += u64::from(agrees(*row, person));
            }
            agreeing as f64 / all.max(1) as f64
        };
        let people = chance.sample(params.count("queries") as usize, stage.n);
        let chances: Vec<f64> = people.par_iter().map(|person| right(*person as usize)).collect();
        let by_chance = |person: &u32| {
            let rows = 0..stage.n_rows as u32;
            rows.filter(|row| agrees(*row, *person as usize)).count() as f64 / stage.n_rows as f64
        };
        let baseline = people.par_iter().map(by_chance).collect::<Vec<f64>>().iter().sum::<f64>()
            / people.len().max(1) as f64;
        let named = people.iter().zip(&chances);
        let worst =
            named.map(|(person, chance)| Worst { record: u64::from(*person) + 1, chance: *chance });
        Ok(Outcome {
            score: Score::new(chances.iter().sum(), chances.len() as u64),
            baseline,
            everybody: people.len() == stage.n,
            worst: Outcome::worst_of(worst),
            remarks: vec![
                "a row is right if its columns that weren't changed are the person's".into(),
            ],
            ..Outcome::default()
        })
    }
}
