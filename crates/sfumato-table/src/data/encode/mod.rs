//! Turns texts into codes whose order means something, and attaches the hierarchies.
//!
//! All work here is on distinct values; the rows are touched once, to renumber their codes.

mod formulas;
mod generalize;
mod spellings;
mod values;

pub use generalize::{Built, ColumnNote, SavedLevels, build_levels};
pub use spellings::{Spellings, canonical, count_near, is_missing_in};
pub use values::{Sorted, count, count_sorted, kind_asked, sort_domain};

use sfumato_core::column::{Codes, RawColumn};
use sfumato_core::dataset::{Column, Domain, Missing, Role, Table, ValueKind};
use sfumato_core::{Error, Result};

use crate::data::read::Dataset;
use crate::job::{ColumnSpec, Job};
use crate::pseudonyms::Pseudonyms;
use formulas::{check_name, guard};
use generalize::{Generalization, generalize};
use values::{column_kind, sort_domain_by};

/// The encoded data, with notes for the report.
#[derive(Debug)]
pub struct Encoded {
    /// The table that algorithms see.
    pub table: Table,
    /// One note per column of the table, in its order.
    pub notes: Vec<ColumnNote>,
    /// What there is to say about the spellings of people and sensitive values.
    pub remarks: Vec<String>,
    /// The file that the data were read from.
    pub source: sfumato_core::column::Provenance,
    /// All column names of the file.
    pub header: Vec<String>,
    /// The role of each column of the file.
    pub roles: Vec<Role>,
    /// The pseudonyms that stand in place of identifiers.
    pub pseudonyms: Pseudonyms,
    /// What each person of the subject column is called, where a ledger may ask.
    pub people: Vec<String>,
    /// How many records of the table are made up: they were added behind those that were read.
    pub made_up: usize,
}

impl Encoded {
    /// Other rows of the same columns.
    pub fn with_table(&self, table: Table) -> Self {
        Encoded {
            table,
            notes: self.notes.clone(),
            remarks: self.remarks.clone(),
            source: self.source.clone(),
            header: self.header.clone(),
            roles: self.roles.clone(),
            pseudonyms: self.pseudonyms.clone(),
            people: self.people.clone(),
            made_up: self.made_up,
        }
    }
}

/// Encode a dataset.
pub fn encode(job: &Job, dataset: Dataset) -> Result<Encoded> {
    encode_with(job, dataset, &SavedLevels::default())
}

/// Encode a dataset, with saved hierarchies in place of the job's.
pub fn encode_with(job: &Job, dataset: Dataset, saved: &SavedLevels) -> Result<Encoded> {
    let Dataset { raw, roles, pseudonyms } = dataset;
    let mut table = Table { n_rows: raw.n_rows, columns: Vec::new(), subject: None };
    let (mut notes, mut remarks, mut people) = (Vec::new(), Vec::new(), Vec::new());
    for column in raw.columns {
        let spec = job.columns.get(&column.name).expect("assign_roles gave every column a role");
        check_name(&column.name, job.output.guard_formulas && spec.role.is_published())?;
        match spec.role {
            // What was read of an identifier is its pseudonyms, and nothing else.
            Role::Identifier if pseudonyms.has(&column.name) => {
                let spec = ColumnSpec::of_role(Role::Keep);
                table.columns.push(pass_through(job, column, &spec));
                notes.push(ColumnNote::default());
            }
            Role::Identifier => {}
            Role::Subject => {
                let name = column.name.clone();
                if job.ledger.is_some() {
                    people = people_of(&column, spec);
                }
                let (codes, spellings) = encode_subject(job, column, spec)?;
                remarks.extend(spellings.remarks(&name, Role::Subject));
                table.subject = Some(codes);
            }
            Role::Keep | Role::Target => {
                table.columns.push(pass_through(job, column, spec));
                notes.push(ColumnNote::default());
            }
            Role::Guard => {
                // The texts are labels of nodes, whatever they look like.
                let spec = ColumnSpec { kind: Some("text".into()), ..spec.clone() };
                let (column, note) = encode_column(job, column, &spec, saved)?;
                table.columns.push(column);
                notes.push(note);
            }
            Role::Quasi | Role::Sensitive => {
                let (column, note) = encode_column(job, column, spec, saved)?;
                remarks.extend(note.remarks(&column));
                table.columns.push(column);
                notes.push(note);
            }
        }
    }
    let (source, header) = (raw.source, raw.header);
    let made_up = 0;
    Ok(Encoded { table, notes, remarks, source, header, roles, pseudonyms, people, made_up })
}

/// What each person is called, by the person's code.
fn people_of(column: &RawColumn, spec: &ColumnSpec) -> Vec<String> {
    let canonical = canonical(spec).unwrap_or_default();
    let name = |text: &str| canonical.of(text).into_owned();
    match canonical.number(&column.values) {
        Some(numbered) => numbered.first.iter().map(|at| name(column.values.get(*at))).collect(),
        None => column.values.iter().map(name).collect(),
    }
}

/// Encode the subject column. A row without a subject is an error: each such row would have to be a
/// person of its own, which the data don't say. Spellings of one person get one code.
fn encode_subject(job: &Job, column: RawColumn, spec: &ColumnSpec) -> Result<(Codes, Spellings)> {
    let missing =
        |code: u32| Some(code) == column.null || is_missing_in(job, spec, column.values.get(code));
    let counts = column.codes.counts(column.values.len());
    let n_missing: u64 = (0..column.values.len() as u32)
        .filter(|code| missing(*code))
        .map(|code| counts[code as usize])
        .sum();
    if n_missing > 0 {
        return Err(Error::input(format!(
            "subject column '{}' is missing in {n_missing} rows",
            column.name
        ))
        .hint("every row must say which person it belongs to"));
    }
    let canonical = canonical(spec).unwrap_or_default();
    let spellings = Spellings::of_subject(canonical, &column.values);
    let codes = match canonical.number(&column.values) {
        Some(numbered) => column.codes.remap(&numbered.of_text, numbered.first.len()),
        None => column.codes,
    };
    Ok((codes, spellings))
}

/// A column that is published as it is.
fn pass_through(job: &Job, column: RawColumn, spec: &ColumnSpec) -> Column {
    let counts = column.codes.counts(column.values.len());
    let Described { column: mut described, code_of, .. } =
        describe_unchanged(job, &column, &counts, spec);
    let n_codes = column.values.len();
    described.codes =
        if code_of.is_sorted() { column.codes } else { column.codes.remap(&code_of, n_codes) };
    described
}

/// A column that is published as it is, without its rows: texts untouched, codes in the order first
/// seen, those that mean missing behind the others and null last. Where a task may want its
/// numbers, each code that isn't missing has its key, in that order and not in that of the numbers.
pub fn describe_unchanged(
    job: &Job,
    column: &RawColumn,
    counts: &[u64],
    spec: &ColumnSpec,
) -> Described {
    let is_null = |code: &u32| Some(*code) == column.null;
    let missing: Vec<bool> = (0..column.values.len() as u32)
        .map(|code| is_null(&code) || is_missing(job, column.values.get(code)))
        .collect();
    let kind = match spec.role == Role::Target || !job.workload.tasks.is_empty() {
        // A type that doesn't fit the texts is no reason to refuse what is only passed through.
        true => column_kind(column, counts, spec, &missing).unwrap_or(ValueKind::Text),
        false => ValueKind::Text,
    };
    let mut order: Vec<u32> = (0..column.values.len() as u32).collect();
    order.sort_by_key(|code| (is_null(code), missing[*code as usize]));
    let mut code_of = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(old, new)| code_of[*old as usize] = new);
    let RawColumn { name, values, null, native_type, .. } = column;
    let guards = job.output.guard_formulas;
    let labels = order.iter().filter(|code| Some(**code) != *null);
    let labels = labels.map(|code| guard(values.get(*code), guards)).collect();
    let present = order.iter().take_while(|code| !missing[**code as usize]);
    let keys = present.filter_map(|code| kind.parse(values.get(*code))).collect();
    let column = Column {
        name: name.clone(),
        role: spec.role,
        codes: Codes::for_domain(1),
        domain: Domain { kind, labels, keys },
        hierarchy: None,
        weight: spec.weight,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: native_type.clone(),
    };
    Described { column, note: ColumnNote::default(), code_of }
}

/// Whether a text means a missing value.
pub fn is_missing(job: &Job, text: &str) -> bool {
    text.is_empty() || job.input.missing.iter().any(|token| token == text)
}

fn encode_column(
    job: &Job,
    mut raw: RawColumn,
    spec: &ColumnSpec,
    saved: &SavedLevels,
) -> Result<(Column, ColumnNote)> {
    for (_, bounds) in saved.bounds.iter().filter(|(name, _)| *name == raw.name) {
        for bound in bounds {
            raw.values.push(bound);
        }
    }
    let counts = raw.codes.counts(raw.values.len());
    let Described { mut column, note, code_of } = describe_column(job, &raw, &counts, spec, saved)?;
    column.codes = raw.codes.remap(&code_of, column.domain.len() + 1);
    Ok((column, note))
}

/// A column without rows, and what each of its raw codes becomes.
pub struct Described {
    /// The column; it has no rows.
    pub column: Column,
    /// How it is generalized.
    pub note: ColumnNote,
    /// For each raw code, the code in the column's domain.
    pub code_of: Vec<u32>,
}

/// Order the distinct values of a quasi or sensitive column and attach its hierarchy. `counts` says
/// how often each occurs; the rows are only looked at to say where a value stands that the
/// hierarchy lacks.
pub fn describe_column(
    job: &Job,
    raw: &RawColumn,
    raw_counts: &[u64],
    spec: &ColumnSpec,
    saved: &SavedLevels,
) -> Result<Described> {
    let missing_of =
        |code: u32| Some(code) == raw.null || is_missing_in(job, spec, raw.values.get(code));
    let missing: Vec<bool> = (0..raw.values.len() as u32).map(missing_of).collect();
    let missing_text = (0..raw.values.len() as u32)
        .find(|code| missing[*code as usize] && Some(*code) != raw.null)
        .map_or(String::new(), |code| raw.values.get(code).to_string());
    let kind = column_kind(raw, raw_counts, spec, &missing)?;
    let has_ranges =
        saved.bounds.iter().any(|(name, bounds)| *name == raw.name && !bounds.is_empty());
    if has_ranges && !kind.is_ordered() {
        return Err(Error::input(format!(
            "column '{}' has ranges in the recoding, and the new rows have values in it that are \
                no numbers, dates or times",
            raw.name
        ))
        .hint("correct these values, or leave their rows out"));
    }
    let mut sorted = sort_domain_by(&raw.values, &missing, kind, canonical(spec));
    let counts = count_sorted(raw_counts, &sorted);
    // Labels of a tree come from its file: what they look like is up to whoever wrote it.
    let has_tree =
        spec.hierarchy.is_some() || saved.tables.iter().any(|(name, _)| *name == raw.name);
    if job.output.guard_formulas && !has_tree && kind == ValueKind::Text {
        let labels = sorted.domain.labels();
        sorted.domain.labels = labels.map(|label| guard(&label, true).into_owned()).collect();
    }
    let Generalization { hierarchy, domain, to_leaf, note } =
        generalize(job, spec, saved, raw, &sorted, &counts)?;

    let missing_code = domain.missing();
    let code_of: Vec<u32> = sorted
        .code_of
        .iter()
        .map(|code| match code {
            Some(code) => to_leaf.as_ref().map_or(*code, |leaf| leaf[*code as usize]),
            None => missing_code,
        })
        .collect();
    let column = Column {
        name: raw.name.clone(),
        role: spec.role,
        codes: Codes::for_domain(1),
        domain,
        hierarchy,
        weight: spec.weight,
        missing: spec.missing,
        missing_text,
        native_type: raw.native_type.clone(),
    };
    let spellings = sorted.code_of.iter().flatten().count();
    let is_word = spec.role == Role::Sensitive && kind == ValueKind::Text;
    let spellings = Spellings {
        merged: spellings - sorted.domain.len(),
        near: if is_word { count_near(sorted.domain.labels()) } else { 0 },
    };
    Ok(Described { column, note: ColumnNote { spellings, ..note }, code_of })
}
