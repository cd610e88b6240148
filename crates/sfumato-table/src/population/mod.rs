//! A population table: the people among whom those of the data are, as an attacker has them, too.
//!
//! Its values get the codes of the data, so that algorithms compare people with regions. What a
//! release says of these people is read from its texts alone, by other code.

mod stated;

pub use stated::{of_release, presence};

use std::sync::Arc;

use sfumato_core::column::{Codes, RawColumn, RawTable};
use sfumato_core::dataset::{Role, Table};
use sfumato_core::observer::Observer;
use sfumato_core::population::Population;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::paths::resolve;

use crate::data::encode::Encoded;
use crate::data::read::{Dataset, options_of};
use crate::job::{InputSpec, Job};

/// The job that reads a file of people as the input is read. The ending says its format.
fn job_of_people(job: &Job, path: &str) -> Job {
    let input = InputSpec { path: path.into(), format: None, ..job.input.clone() };
    Job { input, ..job.clone() }
}

/// Read some columns of people.
pub fn read_people(
    job: &Job,
    path: &str,
    quasi: &[String],
    observer: &dyn Observer,
) -> Result<RawTable> {
    let path = resolve(&job.base, path);
    let mut select = |header: &[String]| {
        if let Some(name) = quasi.iter().find(|name| !header.contains(name)) {
            return Err(Error::input(format!("the population table has no column '{name}'"))
                .in_file(&path)
                .hint(format!("its columns are {}", header.join(", "))));
        }
        Ok(header.iter().map(|name| quasi.contains(name)).collect())
    };
    let options = options_of(&job_of_people(job, &path))?;
    let raw = sfumato_io::read(&path, &options, &mut select, observer)?;
    match raw.n_rows {
        0 => Err(Error::input("the file has a header and no rows").in_file(path)),
        _ => Ok(raw),
    }
}

/// Put the people of a job's population behind the records of the data, in the quasi columns alone.
/// Says how many there are; none where the job names no population.
pub fn join(job: &Job, dataset: &mut Dataset, observer: &dyn Observer) -> Result<Option<usize>> {
    let Some(spec) = &job.population else { return Ok(None) };
    let is_quasi = |name: &str| job.columns.get(name).is_some_and(|spec| spec.role == Role::Quasi);
    let columns = dataset.raw.columns.iter().map(|column| column.name.clone());
    let quasi: Vec<String> = columns.filter(|name| is_quasi(name)).collect();
    let people = read_people(job, &spec.path, &quasi, observer)?;
    for column in dataset.raw.columns.iter_mut().filter(|column| is_quasi(&column.name)) {
        if let Some(more) = people.column(&column.name) {
            append(column, more);
        }
    }
    Ok(Some(people.n_rows))
}

/// Put the cells of a column behind those of another.
fn append(column: &mut RawColumn, more: &RawColumn) {
    let mut known: FastMap<String, u32> = FastMap::default();
    for code in 0..column.values.len() as u32 {
        if Some(code) != column.null {
            known.insert(column.values.get(code).to_string(), code);
        }
    }
    let mut code_of = Vec::with_capacity(more.values.len());
    for code in 0..more.values.len() as u32 {
        code_of.push(match (Some(code) == more.null, column.null) {
            (true, Some(null)) => null,
            // An empty text means missing, as null does.
            (is_null, _) => {
                let text = if is_null { "" } else { more.values.get(code) };
                *known.entry(text.into()).or_insert_with(|| column.values.push(text))
            }
        });
    }
    let codes = column.codes.iter().chain(more.codes.iter().map(|code| code_of[code as usize]));
    column.codes = Codes::from_iter(column.values.len(), codes);
}

/// Say of an error of encoding which rows are whose, where people stand behind the records.
pub fn tell_rows(error: Error, n_rows: usize, people: Option<usize>) -> Error {
    if people.is_none() || !error.message.contains("row") {
        return error;
    }
    let message =
        format!("{}; rows after row {n_rows} are those of the population table", error.message);
    Error { message, ..error }
}

/// Take the people from behind the records of the data.
pub fn part(encoded: &mut Encoded, people: Option<usize>) -> Option<Arc<Population>> {
    let n = people?;
    let table: &mut Table = &mut encoded.table;
    let n_rows = table.n_rows;
    let mut codes = Vec::new();
    for column in table.columns.iter_mut().filter(|column| column.role == Role::Quasi) {
        let n_codes = column.domain.len() + 1;
        let all = std::mem::replace(&mut column.codes, Codes::for_domain(1));
        column.codes = Codes::from_iter(n_codes, all.iter().take(n_rows));
        codes.push(Codes::from_iter(n_codes, all.iter().skip(n_rows)));
    }
    Some(Arc::new(Population { n, codes }))
}

/// How many records of a table aren't in a population: as many as have quasi values that fewer
/// people have.
pub fn outside(table: &Table, population: &Population) -> u64 {
    let quasi = table.quasi();
    let mut left: FastMap<Vec<u32>, u64> = FastMap::default();
    for person in 0..population.n {
        let key = population.codes.iter().map(|codes| codes.get(person)).collect();
        *left.entry(key).or_insert(0) += 1;
    }
    let is_outside = |row: &usize| {
        let key: Vec<u32> = quasi.iter().map(|column| column.codes.get(*row)).collect();
        match left.get_mut(&key).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                false
            }
            None => true,
        }
    };
    (0..table.n_rows).filter(is_outside).count() as u64
}
