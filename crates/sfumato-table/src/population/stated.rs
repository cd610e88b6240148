//! What a release says of a population: whom of it each class may be about, by the texts that are
//! published.

use std::path::Path;

use rayon::prelude::*;
use sfumato_core::column::{Codes, RawTable};
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::observer::{Observer, Unobserved};
use sfumato_core::population::{Among, Fitting, Population, Presence};
use sfumato_core::{Error, FastMap, Result};

use super::{outside, read_people};
use sfumato_engine::input::read_options;
use sfumato_engine::verify::cant_read_back;

use crate::attacks::labels::{Labels, is_readable};
use crate::audit::matches::{Covering, CoveringColumn};
use crate::audit::{PublishedColumn, TableAuditRequest, hierarchy_of, published};
use crate::data::class_index::ClassIndex;
use crate::data::encode::encode;
use crate::data::read::Dataset;
use crate::forms::generalized::cover::Cover;
use crate::job::{ColumnSpec, InputSpec, Job};
use crate::pseudonyms::Pseudonyms;

/// What the classes of a release say of people.
fn classes_and_people(columns: Vec<CoveringColumn>, rows: Vec<u64>, n: usize) -> Presence {
    let covering = Covering::new(rows.len(), columns);
    let of_person: Vec<Vec<u32>> =
        (0..n).into_par_iter().map(|person| covering.of(person, usize::MAX)).collect();
    let mut classes: Vec<Among> = rows.into_iter().map(|rows| Among { rows, people: 0 }).collect();
    let mut alike: FastMap<Vec<u32>, u64> = FastMap::default();
    for mut fits in of_person {
        fits.sort_unstable();
        fits.iter().for_each(|class| classes[*class as usize].people += 1);
        *alike.entry(fits).or_insert(0) += 1;
    }
    let mut people: Vec<Fitting> =
        alike.into_iter().map(|(classes, people)| Fitting { classes, people }).collect();
    people.sort_by(|a, b| a.classes.cmp(&b.classes));
    let nobody = classes.iter().filter(|among| among.people == 0);
    let outside = nobody.map(|among| among.rows).sum();
    Presence { classes, people, outside }
}

/// The classes of published columns: their texts column by column, and their rows.
fn classes_of(columns: &[PublishedColumn], n_rows: usize) -> (Vec<Vec<u32>>, Vec<u64>) {
    let mut index = ClassIndex::new(columns.len());
    let slices: Vec<&[u32]> = columns.iter().map(|column| column.codes.as_slice()).collect();
    index.add(&slices, n_rows, None);
    let rows = index.sizes.clone();
    (index.into_class_table(None).keys, rows)
}

/// What is published of some columns, as cells that may be about codes of a table's columns.
fn covers(
    published: &PublishedColumn,
    (column, has_tree): (&Column, bool),
    (of_class, people): (Vec<u32>, &Codes),
) -> Result<CoveringColumn> {
    let labels = Labels::new(column);
    let mut found = Vec::with_capacity(published.texts.len());
    for text in &published.texts {
        let cover = text.as_ref().map_or_else(|| labels.of_null(), |text| labels.of_text(text));
        let is_read = text.as_ref().is_none_or(|text| is_readable(column, text, has_tree));
        if cover == Cover::nothing() && !is_read {
            return Err(Error::params(format!(
                "whom a label of column '{}' may be about isn't known: no value of the \
                 population, no range, not *",
                column.name
            ))
            .hint(format!("say what labels mean with --hierarchy {}=FILE", column.name)));
        }
        found.push(cover);
    }
    Ok(CoveringColumn { covers: found, published: of_class, original: people.iter().collect() })
}

fn stated(
    (published, n_rows): (&[PublishedColumn], usize),
    columns: &[(&Column, bool)],
    population: &Population,
) -> Result<Presence> {
    let (keys, rows) = classes_of(published, n_rows);
    let all = published.iter().zip(columns).zip(keys.into_iter().zip(&population.codes));
    let all = all.map(|((published, column), cells)| covers(published, *column, cells));
    Ok(classes_and_people(all.collect::<Result<_>>()?, rows, population.n))
}

/// What a draft says of the population of a job, whose codes are those of its table.
pub fn presence(
    table: &Table,
    population: &Population,
    path: &Path,
    input: &InputSpec,
) -> Result<Presence> {
    let quasi = table.quasi();
    let names: Vec<String> = quasi.iter().map(|column| column.name.clone()).collect();
    let mut select =
        |header: &[String]| Ok(header.iter().map(|name| names.contains(name)).collect());
    let options = read_options(input)?;
    let raw = sfumato_io::read(&path.display().to_string(), &options, &mut select, &Unobserved);
    let raw = raw.map_err(cant_read_back)?;
    let columns: Vec<(&Column, bool)> = quasi.into_iter().map(|column| (column, false)).collect();
    let in_order = in_order(published(&raw, &names), &names);
    let mut found = stated((&in_order, raw.n_rows), &columns, population)?;
    found.outside = found.outside.max(outside(table, population));
    Ok(found)
}

/// Published columns in the order of some names.
fn in_order(published: Vec<PublishedColumn>, names: &[String]) -> Vec<PublishedColumn> {
    let place = |column: &PublishedColumn| names.iter().position(|name| *name == column.name);
    let mut published = published;
    published.sort_by_key(place);
    published
}

/// What a release that was read says of a population table, by the hierarchies that were named.
pub fn of_release(
    request: &TableAuditRequest,
    path: &str,
    (quasi, raw): (&[String], &RawTable),
    observer: &dyn Observer,
) -> Result<Presence> {
    let mut job = Job { base: request.base.clone(), ..Job::default() };
    job.input = InputSpec { path: String::new(), ..request.input.clone() };
    for name in quasi {
        let written = request.written.iter().find(|(column, _)| column == name);
        let spec = ColumnSpec {
            hierarchy: hierarchy_of(request, name),
            written: written.map(|(_, form)| form.clone()),
            ..ColumnSpec::of_role(Role::Quasi)
        };
        job.columns.0.push((name.clone(), spec));
    }
    let people = read_people(&job, path, quasi, observer)?;
    let roles = vec![Role::Quasi; people.columns.len()];
    let n = people.n_rows;
    let dataset = Dataset { raw: people, roles, pseudonyms: Pseudonyms::default() };
    let table = encode(&job, dataset)?.table;
    let find = |name: &String| {
        let column = table.columns.iter().find(|column| column.name == *name);
        column.ok_or_else(|| Error::internal(format!("column '{name}' of the population is lost")))
    };
    let mut columns = Vec::with_capacity(quasi.len());
    for name in quasi {
        columns.push((find(name)?, hierarchy_of(request, name).is_some()));
    }
    let codes = columns.iter().map(|(column, _)| column.codes.clone()).collect();
    let in_order = in_order(published(raw, quasi), quasi);
    stated((&in_order, raw.n_rows), &columns, &Population { n, codes })
}
