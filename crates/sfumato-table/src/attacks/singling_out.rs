//! Singling out: a condition made from the release that exactly one person meets.

use rayon::prelude::*;
use sfumato_core::registry::{Info, ParamKind, ParamSpec, Params};
use sfumato_core::{FastSet, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::TableStage;
use super::attribute_inference::{GIOMI, QUERIES};

/// The attack `singling-out`, an entry of the registry.
pub struct SinglingOut;

static INFO: Info = Info {
    name: "singling-out",
    summary: "makes conditions from published rows that exactly one person meets",
    papers: &[GIOMI],
    params: &[
        ParamSpec::with_default(
            "columns",
            ParamKind::Integer { min: 1, max: 64 },
            "4",
            "how many columns a condition is about",
        ),
        QUERIES,
    ],
    doc: include_str!("singling_out.md"),
    ..Info::DEFAULT
};

/// A condition: a column and what it asks for. Columns are the quasi ones by the number of a
/// published text, then the sensitive ones by a code.
type Condition = Vec<(usize, u32)>;

impl Attack<TableStage> for SinglingOut {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let queries = params.count("queries") as usize;
        // Rows of linked tables don't say which sensitive value is theirs.
        let secrets = if stage.form == "buckets" { 0 } else { stage.sensitive.len() };
        let all = stage.quasi.len() + secrets;
        let columns = (params.count("columns") as usize).min(all);
        let conditions = drawn(stage, chance, (columns, all), queries, false);
        let mixed = drawn(stage, chance, (columns, all), queries, true);
        let people = 0..stage.n;
        let singled = |conditions: &[Condition], people: &std::ops::Range<usize>| {
            let is_one = |condition: &&Condition| is_single(stage, condition, people.clone());
            let hits = conditions.par_iter().filter(is_one).count();
            Score::new(hits as f64, conditions.len() as u64)
        };
        let control = stage.control.clone();
        Ok(Outcome {
            score: singled(&conditions, &people),
            baseline: singled(&mixed, &people).rate().unwrap_or(0.0),
            control: (!control.is_empty()).then(|| singled(&conditions, &control)),
            sought: Some(queries as u64),
            ..Outcome::default()
        })
    }
}

/// Different conditions, each from a row at random; mixed ones take each column from another row.
fn drawn(
    stage: &TableStage,
    chance: &mut Chance,
    (columns, all): (usize, usize),
    queries: usize,
    is_mixed: bool,
) -> Vec<Condition> {
    let mut known: FastSet<Condition> = FastSet::default();
    let mut conditions = Vec::new();
    for _ in 0..queries * 3 {
        if conditions.len() >= queries {
            break;
        }
        let row = chance.below(stage.n_rows);
        let of_row = |column: usize, row: usize| match stage.quasi.get(column) {
            Some(quasi) => quasi.text_of_class[stage.class_of_row[row] as usize],
            None => stage.sensitive[column - stage.quasi.len()].rows[row],
        };
        let chosen = chance.sample(columns, all);
        let mut condition = Vec::with_capacity(columns);
        for column in chosen {
            let row = if is_mixed { chance.below(stage.n_rows) } else { row };
            condition.push((column as usize, of_row(column as usize, row)));
        }
        if known.insert(condition.clone()) {
            conditions.push(condition);
        }
    }
    conditions
}

/// Whether exactly one of some people meets a condition.
fn is_single(stage: &TableStage, condition: &Condition, people: std::ops::Range<usize>) -> bool {
    let meets = |person: &usize| {
        condition.iter().all(|(column, asked)| match stage.quasi.get(*column) {
            Some(quasi) => quasi.covers[*asked as usize].has(quasi.people[*person]),
            None => stage.sensitive[*column - stage.quasi.len()].people[*person] == *asked,
        })
    };
    let mut found = people.filter(meets);
    found.next().is_some() && found.next().is_none()
}
