//! Freeform: rules from any values that can be seen to any value that is secret, whatever columns
//! they are of (FF-anonymity).

use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score};

use super::TableStage;

/// The attack `freeform`, an entry of the registry.
pub struct Freeform;

static INFO: Info = Info {
    name: "freeform",
    summary: "counts rows whose values that can be seen tell a secret value too surely",
    papers: &[Paper {
        authors: "Ke Wang, Yabo Xu, Ada W. C. Fu, Raymond C. W. Wong",
        title: "FF-anonymity: when quasi-identifiers are missing",
        venue: "IEEE International Conference on Data Engineering",
        year: 2009,
    }],
    params: &[
        ParamSpec::optional(
            "secret",
            ParamKind::List,
            "the secret values, as [illness:hiv, job:banker]; all others can be seen; must be said",
        ),
        ParamSpec::with_default(
            "size",
            ParamKind::Integer { min: 0, max: 6 },
            "3",
            "how many values of a person the attacker sees at most",
        ),
        ParamSpec::with_default(
            "h",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "0.5",
            "how sure a secret value may be",
        ),
    ],
    doc: "\
FF-anonymity draws the line between what is seen and what is secret through values, not through \
columns: some diseases are secret and
others aren't. For every set X of up to `size` published values that can be seen, of any columns, \
and every secret value s of another
column, at most a share `h` of the rows with X has s. The rate is the share of rows that have some \
X for which that isn't so; the model
holds, for this size, if it is 0. Values are the published texts: a range is one value.
",
    ..Info::DEFAULT
};

/// The most groupings that are made.
const MOST_SETS: usize = 20_000;

impl Attack<TableStage> for Freeform {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized"]
    }
    fn lacks(&self, params: &Params, _: &TableStage) -> Option<String> {
        let none = params.list("secret").is_none_or(|list| list.is_empty());
        none.then(|| "the secret values: 'freeform(secret=[illness:hiv])'".into())
    }
    fn play(&self, params: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let columns = columns(stage);
        let mut secret: Vec<(usize, u32)> = Vec::new();
        for text in params.list("secret").unwrap_or_default() {
            secret.push(find(stage, &text)?);
        }
        let table: Vec<Vec<u32>> = columns;
        let (size, h) = (params.count("size") as usize, params.number("h"));
        let breached = breached(&table, &secret, size, h)?;
        let n = breached.iter().filter(|is| **is).count();
        Ok(Outcome {
            score: Score::new(n as f64, stage.n_rows as u64),
            everybody: true,
            remarks: vec![format!("{n} rows have values that tell a secret one surer than {h}")],
            ..Outcome::default()
        })
    }
}

/// The published values of all columns, by row: the quasi columns, then the sensitive ones.
fn columns(stage: &TableStage) -> Vec<Vec<u32>> {
    let quasi = stage.quasi.iter().map(|column| {
        let text = |class: &u32| column.text_of_class[*class as usize];
        stage.class_of_row.iter().map(text).collect()
    });
    quasi.chain(stage.sensitive.iter().map(|column| column.rows.clone())).collect()
}

/// The column and the code of `column:value`.
fn find(stage: &TableStage, text: &str) -> Result<(usize, u32)> {
    let wrong = |why: String| Err(Error::params(format!("freeform: {why}")));
    let Some((name, value)) = text.split_once(':') else {
        return wrong(format!("a secret value is written column:value, not '{text}'"));
    };
    let (name, value) = (name.trim(), value.trim());
    let quasi = stage.quasi.iter().map(|column| (&column.name, &column.texts));
    let sensitive = stage.sensitive.iter().map(|column| (&column.name, &column.labels));
    match quasi.chain(sensitive).enumerate().find(|(_, (column, _))| *column == name) {
        None => wrong(format!("there is no quasi or sensitive column '{name}'")),
        Some((at, (_, texts))) => match texts.iter().position(|text| text == value) {
            Some(code) => Ok((at, code as u32)),
            None => wrong(format!("'{value}' isn't a published value of '{name}'")),
        },
    }
}

/// Which rows have values that tell a secret one surer than h.
fn breached(
    columns: &[Vec<u32>],
    secret: &[(usize, u32)],
    size: usize,
    h: f64,
) -> Result<Vec<bool>> {
    let n_rows = columns.first().map_or(0, Vec::len);
    let mut breached = vec![false; n_rows];
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    let mut next = 0;
    while next < sets.len() {
        let set = sets[next].clone();
        next += 1;
        if set.len() < size {
            let from = set.last().map_or(0, |last| last + 1);
            sets.extend((from..columns.len()).map(|column| [&set[..], &[column]].concat()));
        }
        if sets.len() > MOST_SETS {
            return Err(Error::unsupported(format!(
                "there are more than {MOST_SETS} sets of up to {size} columns"
            ))
            .hint("take a smaller size"));
        }
        let mut groups: FastMap<Vec<u32>, Vec<u32>> = FastMap::default();
        let key = |row: usize| set.iter().map(|column| columns[*column][row]).collect();
        let is_seen = |row: &usize| {
            !set.iter().any(|column| secret.contains(&(*column, columns[*column][*row])))
        };
        for row in (0..n_rows).filter(is_seen) {
            groups.entry(key(row)).or_default().push(row as u32);
        }
        for rows in groups.values() {
            for (column, code) in secret.iter().filter(|(column, _)| !set.contains(column)) {
                let has = |row: &&u32| columns[*column][**row as usize] == *code;
                let count = rows.iter().filter(has).count();
                if count as f64 > h * rows.len() as f64 + 1e-9 {
                    rows.iter().for_each(|row| breached[*row as usize] = true);
                }
            }
        }
    }
    Ok(breached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(80))]
        #[test]
        fn rules_are_those_of_the_definition(
            rows in prop::collection::vec(prop::collection::vec(0u32..3, 3), 1..12),
            secret in prop::collection::vec((0usize..3, 0u32..3), 1..3),
            size in 0usize..4, h in 0.05f64..1.0,
        ) {
            let columns: Vec<Vec<u32>> =
                (0..3).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
            let found = breached(&columns, &secret, size, h).unwrap();
            for (at, row) in rows.iter().enumerate() {
                // Every set of values that can be seen of this row.
                let is_breached = (0u32..8).any(|mask| {
                    let has = |column: usize| mask >> column & 1 == 1;
                    if mask.count_ones() as usize > size
                        || (0..3).any(|c| has(c) && secret.contains(&(c, row[c]))) {
                        return false;
                    }
                    let alike: Vec<&Vec<u32>> = rows.iter()
                        .filter(|other| (0..3).all(|c| !has(c) || other[c] == row[c])).collect();
                    secret.iter().any(|(c, code)| !has(*c) && {
                        let n = alike.iter().filter(|other| other[*c] == *code).count();
                        n as f64 > h * alike.len() as f64 + 1e-9
                    })
                });
                prop_assert_eq!(found[at], is_breached);
            }
        }
    }
}
