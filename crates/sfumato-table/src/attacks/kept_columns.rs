//! Kept columns: what is published as it is links rows to whoever knows it.

use rayon::prelude::*;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;

/// The attack `kept-columns`, an entry of the registry.
pub struct KeptColumns;

static INFO: Info = Info {
    name: "kept-columns",
    summary: "guesses which row is a person's by quasi values and by columns published as they are",
    papers: &[],
    params: &[ParamSpec::optional(
        "known",
        ParamKind::List,
        "the columns published as they are that the attacker knows; all without it",
    )],
    doc: include_str!("kept_columns.md"),
    ..Info::DEFAULT
};

impl TableStage {
    /// The person of each row, if the columns that are published as they are tell people apart.
    /// They judge attacks; an attacker doesn't know them.
    pub fn person_of_row(&self) -> Option<Vec<u32>> {
        let key = |of: &dyn Fn(&super::stage::Kept) -> u32| -> Vec<u32> {
            self.kept.iter().map(of).collect()
        };
        let mut person_of: FastMap<Vec<u32>, u32> = FastMap::default();
        for person in 0..self.n {
            let known = person_of.insert(key(&|kept| kept.people[person]), person as u32);
            if known.is_some() {
                return None;
            }
        }
        let row = |row: usize| person_of.get(&key(&|kept| kept.rows[row])).copied();
        let people: Option<Vec<u32>> = (0..self.n_rows).map(row).collect();
        people.filter(|_| !self.kept.is_empty())
    }
}

impl Attack<TableStage> for KeptColumns {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets", "perturbed", "microaggregated"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        let none = "a column that is neither quasi nor sensitive and that the original has, too";
        stage.kept.is_empty().then(|| none.into())
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let known = match params.list("known") {
            None => (0..stage.kept.len()).collect(),
            Some(names) => names
                .iter()
                .map(|name| {
                    let place = stage.kept.iter().position(|column| column.name == *name);
                    place.ok_or_else(|| {
                        Error::params(format!("no column '{name}' is published as it is"))
                    })
                })
                .collect::<Result<Vec<usize>>>()?,
        };
        let key_of_row = |row: usize| -> Vec<u32> {
            known.iter().map(|place| stage.kept[*place].rows[row]).collect()
        };
        let mut rows: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
        (0..stage.n_rows).for_each(|row| rows.entry(key_of_row(row)).or_default().push(row as u32));
        // Perturbed values cover nobody: there only the kept columns link.
        let is_perturbed = ["perturbed", "microaggregated"].contains(&stage.form);
        let chance = |person: usize| {
            let key: Vec<u32> =
                known.iter().map(|place| stage.kept[*place].people[person]).collect();
            let fits = |row: &&u32| {
                is_perturbed || stage.covers(stage.class_of_row[**row as usize], person)
            };
            match rows.get(&key).map_or(0, |rows| rows.iter().filter(fits).count()) {
                0 => 0.0,
                rows => 1.0 / rows as f64,
            }
        };
        let chances: Vec<f64> = (0..stage.n).into_par_iter().map(chance).collect();
        Ok(Outcome::of_everybody(&chances, 1.0 / stage.n_rows as f64))
    }
}
