//! Record swapping: records, or households, exchange some of their values with others that agree
//! with them in what must be kept.

use sfumato_core::dataset::Column;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::{Error, FastMap, Result};

use super::values::recoded;
use super::{Draws, Perturbing, PerturbingAlgorithm, Takes};

/// The algorithm `record-swapping`, an entry of the registry.
pub struct RecordSwapping;

static INFO: Info = Info {
    name: "record-swapping",
    summary: "the riskiest records or households exchange values with others that agree with them",
    papers: &[
        Paper {
            authors: "Tore Dalenius, Steven P. Reiss",
            title: "Data-swapping: a technique for disclosure control",
            venue: "Journal of Statistical Planning and Inference",
            year: 1982,
        },
        Paper {
            authors: "Keith Spicer, Caroline Tudor, George Cornish",
            title: "Intruder testing: demonstrating practical evidence of disclosure protection in \
                    2011 UK Census",
            venue: "UNECE Work Session on Statistical Data Confidentiality",
            year: 2013,
        },
    ],
    params: &[
        ParamSpec::optional(
            "columns",
            ParamKind::List,
            "the quasi columns whose values are exchanged, such as the region; all without it",
        ),
        ParamSpec::optional(
            "match",
            ParamKind::List,
            "columns in which partners agree: tables of them with what is exchanged are kept",
        ),
        ParamSpec::with_default(
            "rate",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "0.05",
            "the share of records that look for a partner",
        ),
    ],
    doc: "Records are taken by their risk: those first that fewest others are like in all quasi \
          columns. Each exchanges the values of `columns` with a random record that agrees with it \
          in the columns `match`, has other values, and wasn't exchanged yet. With a subject \
          column, whose rows are then a household, whole households of the same size are \
          exchanged, whose rows agree one by one.\n\n\
          Every table of the columns `match` together with all of `columns` is kept exactly, and \
          that is checked in the file, as is that no more records changed than `rate` allows and \
          nothing else did. Nothing is promised: most records are as they were.",
    ..Info::DEFAULT
};

/// How often a partner is drawn before all are looked at.
const TRIES: usize = 16;

/// The columns of a parameter among some, or all of these without it.
fn named<'a>(
    params: &Params,
    name: &str,
    among: &[&'a Column],
    without: &[&'a Column],
) -> Result<Vec<&'a Column>> {
    let Some(names) = params.list(name) else { return Ok(without.to_vec()) };
    let find = |wanted: &String| {
        among.iter().find(|column| column.name == *wanted).copied().ok_or_else(|| {
            let known: Vec<&str> = among.iter().map(|column| column.name.as_str()).collect();
            Error::params(format!("record-swapping: there is no column '{wanted}' for {name}"))
                .hint(format!("it takes {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// What is exchanged, and what partners agree in.
fn asked<'a>(params: &Params, task: &Perturbing<'a>) -> Result<(Vec<&'a Column>, Vec<&'a Column>)> {
    let swapped = named(params, "columns", &task.columns, &task.columns)?;
    let published: Vec<&Column> = task.table.published().collect();
    let matched = named(params, "match", &published, &[])?;
    match matched.iter().find(|column| swapped.iter().any(|other| other.name == column.name)) {
        None => Ok((swapped, matched)),
        Some(column) => Err(Error::params(format!(
            "record-swapping: column '{}' can't be exchanged and agree, too",
            column.name
        ))
        .hint("name what is exchanged with columns=[...]")),
    }
}

fn key(columns: &[&Column], row: u32) -> Vec<u32> {
    columns.iter().map(|column| column.codes.get(row as usize)).collect()
}

/// Units that are exchanged whole: records, or the rows of a household in the order of what they
/// must agree in.
fn units(task: &Perturbing<'_>, matched: &[&Column]) -> Vec<Vec<u32>> {
    let rows = 0..task.table.n_rows as u32;
    let Some(subject) = &task.table.subject else { return rows.map(|row| vec![row]).collect() };
    let mut units: Vec<Vec<u32>> = Vec::new();
    for row in rows {
        let unit = subject.get(row as usize) as usize;
        if unit >= units.len() {
            units.resize(unit + 1, Vec::new());
        }
        units[unit].push(row);
    }
    units.retain(|unit| !unit.is_empty());
    units.iter_mut().for_each(|unit| unit.sort_by_cached_key(|row| (key(matched, *row), *row)));
    units
}

/// Which units exchange with which.
fn pairs(
    task: &Perturbing<'_>,
    (swapped, matched): (&[&Column], &[&Column]),
    (units, rate): (&[Vec<u32>], f64),
    draws: &mut Draws,
) -> Vec<(usize, usize)> {
    let mut alike: FastMap<Vec<u32>, u32> = FastMap::default();
    (0..task.table.n_rows as u32)
        .for_each(|row| *alike.entry(key(&task.columns, row)).or_default() += 1);
    let risk = |unit: &Vec<u32>| {
        unit.iter().map(|row| alike[&key(&task.columns, *row)]).min().unwrap_or(u32::MAX)
    };
    // The riskiest first; among equals by chance.
    let mut order: Vec<(u32, u64, usize)> = units
        .iter()
        .enumerate()
        .map(|(at, unit)| (risk(unit), draws.below(u64::MAX), at))
        .collect();
    order.sort_unstable();
    let profile = |unit: &[u32]| unit.iter().map(|row| key(matched, *row)).collect::<Vec<_>>();
    let values = |unit: &[u32]| unit.iter().map(|row| key(swapped, *row)).collect::<Vec<_>>();
    let mut pools: FastMap<Vec<Vec<u32>>, Vec<usize>> = FastMap::default();
    for (at, unit) in units.iter().enumerate() {
        pools.entry(profile(unit)).or_default().push(at);
    }
    let mut is_free = vec![true; units.len()];
    let mut budget = (rate * task.table.n_rows as f64).round() as usize;
    let mut found = Vec::new();
    for (_, _, one) in order {
        if budget < units[one].len() {
            break;
        }
        if !is_free[one] {
            continue;
        }
        budget -= units[one].len();
        let Some(pool) = pools.get(&profile(&units[one])) else { continue };
        let own = values(&units[one]);
        let suits = |other: &usize| is_free[*other] && values(&units[*other]) != own;
        let drawn = (0..TRIES).map(|_| pool[draws.below(pool.len() as u64) as usize]);
        let mut other = drawn.collect::<Vec<_>>().into_iter().find(suits);
        if other.is_none() {
            let all: Vec<usize> = pool.iter().copied().filter(suits).collect();
            other = (!all.is_empty()).then(|| all[draws.below(all.len() as u64) as usize]);
        }
        let Some(other) = other else { continue };
        (is_free[one], is_free[other]) = (false, false);
        found.push((one, other));
    }
    found
}

impl PerturbingAlgorithm for RecordSwapping {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn takes(&self) -> Takes {
        Takes::Any
    }

    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        draws: &mut Draws,
    ) -> Result<Vec<Column>> {
        let (swapped, matched) = asked(params, task)?;
        let units = units(task, &matched);
        let rate = params.number("rate");
        let pairs = pairs(task, (&swapped, &matched), (&units, rate), draws);
        let mut from: Vec<u32> = (0..task.table.n_rows as u32).collect();
        for (one, other) in pairs {
            for (a, b) in units[one].iter().zip(&units[other]) {
                (from[*a as usize], from[*b as usize]) = (*b, *a);
            }
        }
        let publish =
            |column: &&Column| match swapped.iter().any(|swapped| swapped.name == column.name) {
                true => recoded(column, from.iter().map(|row| column.codes.get(*row as usize))),
                false => (*column).clone(),
            };
        Ok(task.columns.iter().map(publish).collect())
    }

    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        let Ok((swapped, matched)) = asked(params, task) else {
            return Some("its columns aren't known".into());
        };
        let is_swapped = |column: &Column| swapped.iter().any(|other| other.name == column.name);
        let both = || task.columns.iter().zip(after);
        if let Some((column, _)) =
            both().find(|(before, after)| !is_swapped(before) && before.codes != after.codes)
        {
            return Some(format!("column '{}' changed and wasn't to be exchanged", column.name));
        }
        let new: Vec<&Column> =
            both().filter(|(before, _)| is_swapped(before)).map(|(_, after)| *after).collect();
        let counts = |columns: &[&Column]| {
            let mut rows: Vec<Vec<u32>> = (0..task.table.n_rows as u32)
                .map(|row| [key(&matched, row), key(columns, row)].concat())
                .collect();
            rows.sort_unstable();
            rows
        };
        let old: Vec<&Column> =
            task.columns.iter().filter(|column| is_swapped(column)).copied().collect();
        if counts(&old) != counts(&new) {
            return Some("a table of what is exchanged and what must agree isn't kept".into());
        }
        let changed = |row: &u32| key(&old, *row) != key(&new, *row);
        let changed = (0..task.table.n_rows as u32).filter(changed).count();
        let most = 2.0 * (params.number("rate") * task.table.n_rows as f64).round();
        (changed as f64 > most).then(|| format!("{changed} records changed, more than {most}"))
    }
}
