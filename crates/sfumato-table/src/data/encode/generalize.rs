//! How a column may be generalized: by a hierarchy from a builder or from a saved recoding, or by
//! its natural order without one.

use sfumato_core::column::RawColumn;
use sfumato_core::dataset::{Column, Domain, Hierarchy, LevelTable, Role, ValueKind};
use sfumato_core::registry::{Call, Params};
use sfumato_core::traits::BuildInput;
use sfumato_core::{Error, Result};
use sfumato_hierarchy::{Attached, Unknown, attach};
use sfumato_io::read_text;

use super::spellings::Spellings;
use super::values::Sorted;
use crate::job::{ColumnSpec, Job};
use sfumato_engine::paths::resolve;

/// How a column is generalized, in words.
#[derive(Debug, Clone, Default)]
pub struct ColumnNote {
    /// The builder as written, or a description of what was done without one.
    pub hierarchy: String,
    /// Whether published labels are made from data cells.
    pub is_data_bearing: bool,
    /// What was found about the spellings of its values.
    pub spellings: Spellings,
}

impl ColumnNote {
    /// What there is to say about the spellings of a column. Those of a quasi column count for
    /// nobody, since it is generalized.
    pub fn remarks(&self, column: &Column) -> Vec<String> {
        match column.role {
            Role::Sensitive => self.spellings.remarks(&column.name, column.role),
            _ => Vec::new(),
        }
    }
}

/// Hierarchies of a saved recoding, by column name, and what happens to unknown values.
#[derive(Debug, Clone, Default)]
pub struct SavedLevels {
    /// The table of each column that has one.
    pub tables: Vec<(String, LevelTable)>,
    /// The ends of saved ranges of columns without a table. They become values of the new domain,
    /// so that a region is published as it was saved, whatever the new rows hold.
    pub bounds: Vec<(String, Vec<String>)>,
    /// Whether values that a table doesn't have go to its root. Otherwise they stop the run.
    pub unknown_to_root: bool,
}

/// How a column is generalized.
pub struct Generalization {
    /// The tree, if there is one.
    pub hierarchy: Option<Hierarchy>,
    /// The values, in the order of the tree's leaves.
    pub domain: Domain,
    /// For each value of the data, its leaf. `None` if the order stays.
    pub to_leaf: Option<Vec<u32>>,
    /// The generalization in words.
    pub note: ColumnNote,
}

impl Generalization {
    fn attached(attached: Attached, note: ColumnNote) -> Self {
        Generalization {
            hierarchy: Some(attached.hierarchy),
            domain: attached.domain,
            to_leaf: Some(attached.code_of),
            note,
        }
    }
}

/// The hierarchy of a column: saved, built, or none.
pub fn generalize(
    job: &Job,
    spec: &ColumnSpec,
    saved: &SavedLevels,
    raw: &RawColumn,
    sorted: &Sorted,
    counts: &[u64],
) -> Result<Generalization> {
    let with_rows = |levels: &LevelTable, error: Error| with_first_rows(error, levels, raw, sorted);
    if let Some((_, levels)) = saved.tables.iter().find(|(name, _)| *name == raw.name) {
        let root = levels.levels.last().filter(|top| !top.is_empty()).map_or("*", |top| top.get(0));
        let unknown = if saved.unknown_to_root && spec.role == Role::Quasi {
            Unknown::Node(root.to_string())
        } else {
            Unknown::Refuse
        };
        let attached =
            attach(levels, &sorted.domain, counts, &raw.name, "of the saved recoding", unknown)
                .map_err(|error| {
                    let error = with_rows(levels, error);
                    Error::infeasible(error.message).hint(
                        "--unseen extend puts such rows into the region that grows least, --unseen \
                        drop suppresses them",
                    )
                })?;
        let note = ColumnNote { hierarchy: "saved recoding".into(), ..ColumnNote::default() };
        return Ok(Generalization::attached(attached, note));
    }
    let Some(call) = &spec.hierarchy else { return without_hierarchy(spec, &sorted.domain) };
    let built = build_levels(job, call, &sorted.domain, counts)
        .map_err(|error| with_odd_row(in_column(error, &raw.name), raw, sorted))?;
    let unknown = spec.unknown.as_ref().map_or(built.unknown, |label| Unknown::Node(label.clone()));
    let is_refused = matches!(unknown, Unknown::Refuse);
    let attached =
        attach(&built.levels, &sorted.domain, counts, &raw.name, &call.to_string(), unknown)
            .map_err(|error| if is_refused { with_rows(&built.levels, error) } else { error })?;
    let note = ColumnNote {
        hierarchy: call.to_string(),
        is_data_bearing: built.is_data_bearing,
        ..ColumnNote::default()
    };
    Ok(Generalization::attached(attached, note))
}

/// The generalization without a hierarchy: ranges if values have an order, a flat tree for words.
fn without_hierarchy(spec: &ColumnSpec, domain: &Domain) -> Result<Generalization> {
    let (is_quasi, ordered) = (spec.role == Role::Quasi, domain.kind.is_ordered());
    let words = match (is_quasi, domain.is_empty(), ordered) {
        (false, _, _) => "",
        (true, true, _) => "all values are missing",
        (true, false, true) => "none given: ranges between data values",
        (true, false, false) => "none given: a flat one-level hierarchy (value or *)",
    };
    let flat = is_quasi && !ordered && !domain.is_empty();
    let mut domain = domain.clone();
    if domain.is_empty() {
        // Nothing to generalize: as an ordered column without values it needs no tree.
        domain.kind = ValueKind::Integer;
    }
    Ok(Generalization {
        hierarchy: if flat { Some(Hierarchy::flat(domain.len(), &domain.texts())?) } else { None },
        domain,
        to_leaf: None,
        note: ColumnNote {
            hierarchy: words.into(),
            is_data_bearing: is_quasi && ordered,
            ..ColumnNote::default()
        },
    })
}

/// Add the first rows of the values that a hierarchy lacks to an error.
fn with_first_rows(
    mut error: Error,
    levels: &LevelTable,
    raw: &RawColumn,
    sorted: &Sorted,
) -> Error {
    const SHOWN: usize = 3;
    let Ok(missing) = sfumato_hierarchy::missing_values(levels, &sorted.domain, "") else {
        return error;
    };
    let is_missing = |code: u32| {
        sorted.code_of[code as usize].is_some_and(|code| missing.binary_search(&code).is_ok())
    };
    let is_missing: Vec<bool> = (0..raw.values.len() as u32).map(is_missing).collect();
    let rows = raw.codes.iter().enumerate().filter(|(_, code)| is_missing[*code as usize]);
    let rows: Vec<String> = rows.take(SHOWN).map(|(row, _)| (row + 1).to_string()).collect();
    if !rows.is_empty() {
        let word = if rows.len() == 1 { "row" } else { "rows" };
        error.message += &format!(", first in {word} {}", rows.join(", "));
    }
    error
}

/// Say of a column of texts, most of which are numbers or dates, in which row the first other one
/// is: a builder that needs numbers was probably asked for because of the others.
fn with_odd_row(mut error: Error, raw: &RawColumn, sorted: &Sorted) -> Error {
    if sorted.domain.kind != ValueKind::Text {
        return error;
    }
    let texts = sorted.domain.texts();
    let kinds = [ValueKind::Float, ValueKind::Date, ValueKind::DateTime, ValueKind::Time];
    let is_of = |kind: ValueKind, code: u32| {
        let known = sorted.code_of[code as usize];
        known.is_none_or(|known| kind.parse(texts.get(known)).is_some())
    };
    for (kind, words) in kinds.into_iter().zip(["numbers", "dates", "dates with times", "times"]) {
        let fits: Vec<bool> = (0..raw.values.len() as u32).map(|code| is_of(kind, code)).collect();
        let n_odd = raw.codes.iter().filter(|code| !fits[*code as usize]).count();
        let first = raw.codes.iter().position(|code| !fits[code as usize]);
        if let Some(first) = first.filter(|_| n_odd * 2 < raw.codes.len()) {
            error.message +=
                &format!("; most are {words}, and row {} isn't one of them", first + 1);
            return error.hint("correct that row, or name what means missing with --missing");
        }
    }
    error
}

/// What a builder made.
pub struct Built {
    /// The hierarchy as a table.
    pub levels: LevelTable,
    /// What it does with unknown values.
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
    Ok(Built {
        levels,
        unknown: sfumato_hierarchy::unknown(&params),
        is_data_bearing: builder.is_data_bearing(),
    })
}

fn in_column(mut error: Error, column: &str) -> Error {
    error.message = format!("column '{column}': {}", error.message);
    error
}
