//! Turns texts into codes whose order means something, and attaches the hierarchies.
//!
//! All work here is on distinct values; the rows are touched once, to renumber their codes.

use sfumato_core::column::{Codes, Dictionary, RawColumn};
use sfumato_core::dataset::{Column, Domain, Hierarchy, LevelTable, Missing, Role, Table, ValueKind};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::BuildInput;
use sfumato_core::{Error, FastMap, Result};
use sfumato_hierarchy::{Unknown, attach};
use sfumato_io::read_text;

use crate::job::{ColumnSpec, Job};
use crate::paths::resolve;
use crate::stage::read::Dataset;

/// The encoded data, with what the report says about how it came about.
#[derive(Debug)]
pub struct Encoded {
    /// What algorithms see.
    pub table: Table,
    /// One remark per column of the table, in its order.
    pub notes: Vec<ColumnNote>,
    /// Where the data came from.
    pub source: sfumato_core::column::Source,
    /// All column names of the file.
    pub header: Vec<String>,
    /// The role of each column of the file.
    pub roles: Vec<Role>,
}

/// How a column is generalized, in words.
#[derive(Debug, Clone, Default)]
pub struct ColumnNote {
    /// The builder as written, or what was done without one.
    pub hierarchy: String,
    /// Whether published labels are made from data cells.
    pub is_data_bearing: bool,
}

/// Hierarchies that don't come from the job but from a saved recoding: by column name, and where unknown values go.
#[derive(Debug, Clone, Default)]
pub struct SavedLevels {
    /// The table of each column that has one.
    pub tables: Vec<(String, LevelTable)>,
    /// Whether values that a table doesn't have go to its root; otherwise they stop the run.
    pub unknown_to_root: bool,
}

/// Encode a dataset.
pub fn encode(job: &Job, dataset: Dataset) -> Result<Encoded> {
    encode_with(job, dataset, &SavedLevels::default())
}

/// Encode a dataset, with saved hierarchies in place of the job's.
pub fn encode_with(job: &Job, dataset: Dataset, saved: &SavedLevels) -> Result<Encoded> {
    let Dataset { raw, roles } = dataset;
    let mut table = Table { n_rows: raw.n_rows, columns: Vec::new(), subject: None };
    let mut notes = Vec::new();
    for column in raw.columns {
        let spec = job.columns.get(&column.name).expect("assign_roles gave every column a role");
        match spec.role {
            Role::Identifier => {}
            Role::Subject => table.subject = Some(encode_subject(job, column)?),
            Role::Keep | Role::Target => {
                table.columns.push(pass_through(column, spec));
                notes.push(ColumnNote::default());
            }
            Role::Quasi | Role::Sensitive => {
                let (column, note) = encode_column(job, column, spec, saved)?;
                table.columns.push(column);
                notes.push(note);
            }
        }
    }
    Ok(Encoded { table, notes, source: raw.source, header: raw.header, roles })
}

/// A row without a subject belongs to nobody we can count: each such row would have to be a person of its own, which
/// the data doesn't say.
fn encode_subject(job: &Job, column: RawColumn) -> Result<Codes> {
    let missing = |code: u32| Some(code) == column.null || is_missing(job, column.values.get(code));
    let counts = column.codes.counts(column.values.len());
    let n_missing: u64 =
        (0..column.values.len() as u32).filter(|code| missing(*code)).map(|code| counts[code as usize]).sum();
    if n_missing > 0 {
        return Err(Error::input(format!("subject column '{}' is missing in {n_missing} rows", column.name))
            .hint("every row must say which person it belongs to"));
    }
    Ok(column.codes)
}

/// A column that is published as it is: texts untouched, codes in the order first seen.
fn pass_through(column: RawColumn, spec: &ColumnSpec) -> Column {
    let RawColumn { name, codes, values, null, native_type } = column;
    let (codes, values) = match null {
        None => (codes, values),
        Some(null) => {
            // Null moves behind all texts, where every column has its missing.
            let last = values.len() as u32 - 1;
            let table: Vec<u32> = (0..=last)
                .map(|code| match code {
                    code if code == null => last,
                    code if code > null => code - 1,
                    code => code,
                })
                .collect();
            let kept = (0..=last).filter(|code| *code != null).map(|code| values.get(code)).collect();
            (codes.remap(&table, values.len()), kept)
        }
    };
    Column {
        name,
        role: spec.role,
        codes,
        domain: Domain { kind: ValueKind::Text, labels: values, keys: Vec::new() },
        hierarchy: None,
        weight: spec.weight,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type,
    }
}

fn is_missing(job: &Job, text: &str) -> bool {
    text.is_empty() || job.input.missing.iter().any(|token| token == text)
}

fn encode_column(
    job: &Job,
    raw: RawColumn,
    spec: &ColumnSpec,
    saved: &SavedLevels,
) -> Result<(Column, ColumnNote)> {
    let missing_of = |code: u32| Some(code) == raw.null || is_missing(job, raw.values.get(code));
    let missing: Vec<bool> = (0..raw.values.len() as u32).map(missing_of).collect();
    let missing_text = (0..raw.values.len() as u32)
        .find(|code| missing[*code as usize] && Some(*code) != raw.null)
        .map_or(String::new(), |code| raw.values.get(code).to_string());
    let kind = column_kind(&raw, spec, &missing)?;
    let sorted = sort_domain(&raw.values, &missing, kind);
    let counts = count(&raw.codes, &sorted);
    let saved_table = saved.tables.iter().find(|(name, _)| *name == raw.name);
    let (hierarchy, domain, to_leaf, note) = match saved_table {
        Some((_, table)) => {
            let root = table.levels.last().filter(|top| !top.is_empty()).map_or("*", |top| top.get(0));
            let unknown =
                if saved.unknown_to_root { Unknown::Node(root.to_string()) } else { Unknown::Refuse };
            let attached = attach(table, &sorted.domain, &counts, &raw.name, "the saved recoding", unknown)?;
            let note = ColumnNote { hierarchy: "saved recoding".into(), is_data_bearing: false };
            (Some(attached.hierarchy), attached.domain, Some(attached.code_of), note)
        }
        None => generalization(job, &raw.name, spec, &sorted.domain, &counts)?,
    };

    let missing_code = domain.missing();
    let table: Vec<u32> = sorted
        .code_of
        .iter()
        .map(|code| match code {
            Some(code) => to_leaf.as_ref().map_or(*code, |leaf| leaf[*code as usize]),
            None => missing_code,
        })
        .collect();
    let codes = raw.codes.remap(&table, domain.len() + 1);
    let column = Column {
        name: raw.name,
        role: spec.role,
        codes,
        domain,
        hierarchy,
        weight: spec.weight,
        missing: spec.missing,
        missing_text,
        native_type: raw.native_type,
    };
    Ok((column, note))
}

fn column_kind(raw: &RawColumn, spec: &ColumnSpec, missing: &[bool]) -> Result<ValueKind> {
    let texts = raw.values.iter().zip(missing).filter(|(_, missing)| !**missing).map(|(text, _)| text);
    let inferred = ValueKind::infer(texts.clone());
    let Some(asked) = &spec.kind else { return Ok(inferred) };
    let kind = match asked.as_str() {
        "text" => return Ok(ValueKind::Text),
        "integer" => ValueKind::Integer,
        "decimal" if matches!(inferred, ValueKind::Integer) => ValueKind::Decimal { scale: 0 },
        "decimal" => match inferred {
            ValueKind::Decimal { .. } => inferred,
            _ => ValueKind::Decimal { scale: 9 },
        },
        "float" => ValueKind::Float,
        "date" => ValueKind::Date,
        "datetime" => ValueKind::DateTime,
        "time" => ValueKind::Time,
        other => {
            return Err(Error::params(format!("there is no type '{other}'"))
                .hint("types are integer, decimal, float, date, datetime, time and text"));
        }
    };
    let wrong = texts.filter(|text| kind.parse(text).is_none()).count();
    if wrong > 0 {
        let counts = raw.codes.counts(raw.values.len());
        let is_wrong =
            |code: u32| !missing[code as usize] && kind.parse(raw.values.get(code)).is_none();
        let row = raw.codes.iter().position(is_wrong).unwrap_or(0);
        let records: u64 =
            (0..raw.values.len() as u32).filter(|c| is_wrong(*c)).map(|c| counts[c as usize]).sum();
        return Err(Error::input(format!(
            "column '{}' is not {asked}: {records} records have another form, the first in row {}",
            raw.name,
            row + 1
        ))
        .hint("leave the type out to have it guessed, or name missing values with --missing"));
    }
    Ok(kind)
}

/// The distinct values of a column in order.
pub struct Sorted {
    /// The values.
    pub domain: Domain,
    /// For each raw code its place in the domain, or `None` if it means missing.
    pub code_of: Vec<Option<u32>>,
}

/// Order the distinct values: by number, date or text. Texts of the same number become one value, written in the
/// shortest way; otherwise "1.5" and "1.50" would count as two sensitive values.
pub fn sort_domain(values: &Dictionary, missing: &[bool], kind: ValueKind) -> Sorted {
    let mut present: Vec<(i64, u32)> = (0..values.len() as u32)
        .filter(|code| !missing[*code as usize])
        .map(|code| (kind.parse(values.get(code)).unwrap_or(0), code))
        .collect();
    present.sort_unstable_by(|a, b| {
        let (left, right) = (values.get(a.1), values.get(b.1));
        a.0.cmp(&b.0).then_with(|| match kind {
            ValueKind::Text => left.cmp(right),
            _ => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
        })
    });
    let mut domain = Domain { kind, labels: Dictionary::new(), keys: Vec::new() };
    let mut code_of = vec![None; values.len()];
    for (key, code) in present {
        let same = kind.is_ordered() && domain.keys.last() == Some(&key);
        if !same {
            domain.labels.push(values.get(code));
            if kind.is_ordered() {
                domain.keys.push(key);
            }
        }
        code_of[code as usize] = Some(domain.len() as u32 - 1);
    }
    Sorted { domain, code_of }
}

/// How often each value of the domain occurs.
pub fn count(codes: &Codes, sorted: &Sorted) -> Vec<u64> {
    let mut counts = vec![0; sorted.domain.len()];
    for (raw, n) in codes.counts(sorted.code_of.len()).into_iter().enumerate() {
        if let Some(code) = sorted.code_of[raw] {
            counts[code as usize] += n;
        }
    }
    counts
}

type Generalization = (Option<Hierarchy>, Domain, Option<Vec<u32>>, ColumnNote);

fn generalization(
    job: &Job,
    name: &str,
    spec: &ColumnSpec,
    domain: &Domain,
    counts: &[u64],
) -> Result<Generalization> {
    if domain.is_empty() && spec.hierarchy.is_none() {
        let note = ColumnNote { hierarchy: "all values are missing".into(), is_data_bearing: false };
        return Ok((None, domain.clone(), None, note));
    }
    let Some(call) = &spec.hierarchy else {
        let ordered = domain.kind.is_ordered();
        let flat = !ordered && spec.role == Role::Quasi;
        let hierarchy = if flat { Some(Hierarchy::flat(domain.len(), &domain.labels)?) } else { None };
        let words = match (spec.role, ordered) {
            (Role::Quasi, true) => "none given: ranges between data values",
            (Role::Quasi, false) => "none given: a flat one-level hierarchy (value or *)",
            _ => "",
        };
        let note = ColumnNote {
            hierarchy: words.into(),
            is_data_bearing: spec.role == Role::Quasi && ordered,
        };
        return Ok((hierarchy, domain.clone(), None, note));
    };
    let built = build_levels(job, call, domain, counts).map_err(|error| in_column(error, name))?;
    let unknown = spec.unknown.as_ref().map_or(built.unknown, |label| Unknown::Node(label.clone()));
    let attached = attach(&built.levels, domain, counts, name, &call.to_string(), unknown)?;
    let note = ColumnNote { hierarchy: call.to_string(), is_data_bearing: built.is_data_bearing };
    Ok((Some(attached.hierarchy), attached.domain, Some(attached.code_of), note))
}

/// What a builder made.
pub struct Built {
    /// The hierarchy as a table.
    pub levels: LevelTable,
    /// Where it wants values it doesn't have.
    pub unknown: Unknown,
    /// Whether its labels are made from data cells.
    pub is_data_bearing: bool,
}

/// Run the builder that a job names.
pub fn build_levels(job: &Job, call: &Call, domain: &Domain, counts: &[u64]) -> Result<Built> {
    let builder = sfumato_hierarchy::find(&call.name)?;
    let params = Params::check(builder.info(), &call.args)?;
    let read = |path: &str| read_text(&resolve(&job.base, path));
    let levels = builder.build(&params, &BuildInput { domain, counts, read_text: &read })?;
    Ok(Built { levels, unknown: sfumato_hierarchy::unknown(&params), is_data_bearing: builder.is_data_bearing() })
}

fn in_column(mut error: Error, column: &str) -> Error {
    error.message = format!("column '{column}': {}", error.message);
    error
}

/// Texts to codes, for the stages that read published files back.
pub fn index_labels(labels: &Dictionary) -> FastMap<&str, u32> {
    labels.iter().enumerate().map(|(code, label)| (label, code as u32)).collect()
}
