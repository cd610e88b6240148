//! Defines tuples from what was found in the first pass: the frame, and how each cell of the file
//! becomes a word.

use sfumato_core::column::{Codes, RawColumn};
use sfumato_core::dataset::{Canonical, Column, Domain, Labels, Missing, Role, Table, ValueKind};
use sfumato_core::{Error, FastMap, Result};

use super::cuts::asks_for_cuts;
use super::survey::{Observed, Survey};
use crate::data::encode::{
    ColumnNote, Described, SavedLevels, canonical, describe_column, describe_unchanged,
    is_missing_in, kind_asked,
};
use crate::data::tuples::{Cells, Frame, TupleColumn};
use crate::job::{ColumnSpec, Job};

/// What the tuples of a job are.
pub struct Layout {
    /// The columns of tuples.
    pub frame: Frame,
    /// How the cells of each column of the frame become words.
    pub encoders: Vec<Encoder>,
    /// For each column of the frame its place among the columns of the file.
    pub places: Vec<usize>,
    /// One remark per column of the release.
    pub notes: Vec<ColumnNote>,
    /// What there is to say about the spellings of people and sensitive values.
    pub remarks: Vec<String>,
    /// For each column of the release: the number of different values (approximate if they weren't
    /// stored), and the number of rows without one.
    pub facts: Vec<Facts>,
    /// For each column of the release how often each code occurs, missing last; empty for keys.
    pub counts: Vec<Vec<u64>>,
    /// For each column of the release the number of bytes of the texts of all rows, if they wait in
    /// a file.
    pub text_bytes: Vec<u64>,
    /// The number of tuples.
    pub n_rows: u64,
    /// The number of people; approximate if there are many.
    pub people: u64,
}

/// What the report says about a column.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// What its values are.
    pub kind: ValueKind,
    /// The number of different values.
    pub distinct: u64,
    /// Whether that number is exact.
    pub is_exact: bool,
    /// The number of rows without a value.
    pub missing: u64,
}

/// How a cell becomes a word.
#[derive(Debug, Clone)]
pub enum Encoder {
    /// The cell is parsed. Missing has the largest word.
    Keys {
        /// The kind of values that the texts are.
        kind: ValueKind,
        /// The least key.
        least: i64,
        /// The word of missing.
        missing: u64,
        /// Whether the column is published as it is.
        passes: bool,
    },
    /// The cell is looked up.
    Codes {
        /// The code of each text.
        of_text: FastMap<Box<str>, u32>,
        /// The code of each number of a typed column.
        of_number: FastMap<i64, u32>,
        /// The code of null.
        null: u32,
        /// Whether the column is published as it is.
        passes: bool,
    },
    /// The cell is a text that waits in a file, and its word is its place there.
    Texts {
        /// The word of missing.
        missing: u64,
        /// Whether the column is published as it is, so that texts that mean missing are texts.
        passes: bool,
    },
    /// A person, who can only be compared for equality.
    Subject(Canonical),
}

/// Decide what the tuples are.
pub fn lay_out(job: &Job, survey: &Survey) -> Result<Layout> {
    let mut layout = Layout {
        frame: Frame::default(),
        encoders: Vec::new(),
        places: Vec::new(),
        notes: Vec::new(),
        remarks: Vec::new(),
        facts: Vec::new(),
        counts: Vec::new(),
        text_bytes: Vec::new(),
        n_rows: survey.n_rows,
        people: survey.n_rows,
    };
    let mut subject = None;
    let read = survey
        .header
        .iter()
        .enumerate()
        .filter(|(place, _)| survey.roles[*place] != Role::Identifier);
    for (((place, name), observed), native_type) in
        read.zip(&survey.columns).zip(&survey.native_types)
    {
        let spec = job.columns.get(name).expect("assign_roles gave every column a role");
        if spec.role == Role::Subject {
            subject = Some((place, observed, canonical(spec).unwrap_or_default()));
            continue;
        }
        let planned = plan_column(job, spec, observed, native_type.clone())?;
        layout.facts.push(facts(observed, &planned));
        layout.remarks.extend(planned.note.remarks(&planned.column));
        layout.text_bytes.push(match planned.cells {
            Cells::Texts { .. } => observed.text_bytes,
            _ => 0,
        });
        layout.frame.columns.push(TupleColumn { column: planned.column, cells: planned.cells });
        layout.encoders.push(planned.encoder);
        layout.notes.push(planned.note);
        layout.counts.push(planned.counts);
        layout.places.push(place);
    }
    if let Some((place, observed, canonical)) = subject {
        if observed.missing > 0 {
            let message = format!(
                "subject column '{}' is missing in {} rows",
                observed.name, observed.missing
            );
            return Err(Error::input(message).hint("every row must say which person it belongs to"));
        }
        layout.people = match &observed.values {
            // The survey holds people by their canonical form.
            Some(values) => values.texts.len() as u64,
            None => observed.distinct.estimate(),
        };
        layout.frame.subject = Some(layout.frame.columns.len());
        let column = empty_column(&observed.name, Role::Subject, ValueKind::Text);
        layout.frame.columns.push(TupleColumn { column, cells: Cells::Subject });
        layout.encoders.push(Encoder::Subject(canonical));
        layout.remarks.extend(observed.spellings().remarks(&observed.name, Role::Subject));
        layout.places.push(place);
    }
    Ok(layout)
}

impl Layout {
    /// The columns of the release without rows, to which models and workloads are bound.
    pub fn template(&self) -> Table {
        let released = self
            .frame
            .columns
            .iter()
            .enumerate()
            .filter(|(place, _)| Some(*place) != self.frame.subject);
        Table {
            n_rows: self.n_rows as usize,
            columns: released.map(|(_, column)| column.column.clone()).collect(),
            subject: self.frame.subject.map(|_| Codes::for_domain(1)),
        }
    }
}

struct Planned {
    column: Column,
    cells: Cells,
    encoder: Encoder,
    note: ColumnNote,
    counts: Vec<u64>,
}

fn plan_column(
    job: &Job,
    spec: &ColumnSpec,
    observed: &Observed,
    native_type: Option<String>,
) -> Result<Planned> {
    let kind = kind_of(spec, observed)?;
    let passes = matches!(spec.role, Role::Keep | Role::Target);
    let by_keys = kind.is_ordered()
        && spec.hierarchy.is_none()
        && match spec.role {
            Role::Quasi => observed.values.is_none() || !asks_for_cuts(job),
            // What passes through is written as it was, so its texts must follow from its keys.
            Role::Keep => observed.kinds.resolve(kind).plain && observed.missing_text.is_none(),
            _ => false,
        };
    match &observed.values {
        Some(_) if !by_keys => by_codes(job, spec, observed, native_type, passes),
        None if !by_keys
            && (spec.role == Role::Keep
                || (spec.role == Role::Sensitive && !kind.is_ordered())) =>
        {
            Ok(texts(spec, observed, native_type))
        }
        None if !by_keys && spec.role != Role::Sensitive && spec.role != Role::Target => {
            Err(Error::resources(format!(
                "column '{}' has more different texts than the memory allowed can hold",
                observed.name
            ))
            .hint("raise --memory, or leave the column out"))
        }
        _ => keys(spec, observed, kind, native_type),
    }
}

fn kind_of(spec: &ColumnSpec, observed: &Observed) -> Result<ValueKind> {
    let inferred = observed.kinds.inferred();
    let Some(asked) = &spec.kind else { return Ok(inferred) };
    let kind = kind_asked(asked, inferred)?;
    if kind != ValueKind::Text
        && !observed.kinds.all(kind)
        && matches!(spec.role, Role::Quasi | Role::Sensitive)
    {
        let (records, first) = observed.wrong.unwrap_or((0, 0));
        return Err(Error::input(format!(
            "column '{}' is not {asked}: {records} records have another form, the first in row {}",
            observed.name,
            first + 1
        ))
        .hint("leave the type out to have it guessed, or name missing values with --missing"));
    }
    Ok(kind)
}

/// A column whose values are all in memory.
fn by_codes(
    job: &Job,
    spec: &ColumnSpec,
    observed: &Observed,
    native_type: Option<String>,
    passes: bool,
) -> Result<Planned> {
    let values = observed
        .values
        .as_ref()
        .ok_or_else(|| Error::internal("the values of a column were forgotten"))?;
    let (mut texts, mut counts) = (values.texts.clone(), values.counts.clone());
    // Null is a value of its own, behind all texts.
    let null = observed.has_null.then(|| texts.push(""));
    if null.is_some() {
        let told: u64 = (0..)
            .zip(values.texts.iter())
            .filter(|(_, text)| is_missing_in(job, spec, text))
            .map(|(code, _): (usize, &str)| values.counts[code])
            .sum();
        counts.push(observed.missing - told);
    }
    let raw = RawColumn {
        name: observed.name.clone(),
        codes: Codes::for_domain(1),
        values: texts,
        null,
        native_type,
    };
    let Described { column, note, code_of } = match passes {
        true => describe_unchanged(job, &raw, &counts, spec),
        false => describe_column(job, &raw, &counts, spec, &SavedLevels::default())?,
    };
    let mut of_code = vec![0u64; column.domain.len() + 1];
    code_of.iter().zip(&counts).for_each(|(code, n)| of_code[*code as usize] += n);
    let of_text = raw
        .values
        .iter()
        .zip(&code_of)
        .take(values.texts.len())
        .map(|(text, code)| (text.into(), *code));
    let of_text: FastMap<Box<str>, u32> = of_text.collect();
    let numbers = of_text.iter().map(|(text, code)| (ValueKind::Integer.parse(text), *code));
    let of_number = numbers.filter_map(|(number, code)| Some((number?, code))).collect();
    let null = null.map_or(column.domain.missing(), |null| code_of[null as usize]);
    Ok(Planned {
        column,
        cells: Cells::Codes,
        encoder: Encoder::Codes { of_text, of_number, null, passes },
        note,
        counts: of_code,
    })
}

/// A column whose cells are keys.
fn keys(
    spec: &ColumnSpec,
    observed: &Observed,
    kind: ValueKind,
    native_type: Option<String>,
) -> Result<Planned> {
    let resolved = observed.kinds.resolve(kind);
    let (least, n_words) = match resolved.bounds {
        None => (0, 0),
        Some((least, most)) => {
            let span = most.wrapping_sub(least) as u64;
            let n_words = span.checked_add(1).filter(|n| *n < u64::MAX).ok_or_else(|| {
                Error::unsupported(format!(
                    "the numbers of column '{}' lie too far apart",
                    observed.name
                ))
            })?;
            (least, n_words)
        }
    };
    let mut column = empty_column(
        &observed.name,
        spec.role,
        if n_words == 0 { ValueKind::Integer } else { kind },
    );
    column.domain.labels = Labels::Spelled { digits: resolved.digits };
    column.weight = spec.weight;
    column.missing = spec.missing;
    column.missing_text = observed.missing_text.clone().unwrap_or_default();
    column.native_type = native_type;
    let hierarchy = match (spec.role, n_words) {
        (Role::Quasi, 0) => "all values are missing",
        (Role::Quasi, _) => "none given: ranges between data values",
        _ => "",
    };
    let is_data_bearing = spec.role == Role::Quasi;
    let note = ColumnNote { hierarchy: hierarchy.into(), is_data_bearing, ..ColumnNote::default() };
    let encoder = Encoder::Keys {
        kind: column.domain.kind,
        least,
        missing: n_words,
        passes: observed.passes,
    };
    Ok(Planned { column, cells: Cells::Keys { least, n_words }, encoder, note, counts: Vec::new() })
}

/// A column whose texts wait in a file. Models can't count them; whoever needs that refuses it.
fn texts(spec: &ColumnSpec, observed: &Observed, native_type: Option<String>) -> Planned {
    let passes = spec.role == Role::Keep;
    let mut column = empty_column(&observed.name, spec.role, ValueKind::Text);
    column.weight = spec.weight;
    column.native_type = native_type;
    // Of what passes through only null is missing: a text that means it is written as it was.
    column.missing_text = match passes {
        true => String::new(),
        false => observed.missing_text.clone().unwrap_or_default(),
    };
    let missing = observed.text_bytes.max(1);
    Planned {
        column,
        cells: Cells::Texts { n_bytes: missing },
        encoder: Encoder::Texts { missing, passes },
        note: ColumnNote::default(),
        counts: Vec::new(),
    }
}

fn empty_column(name: &str, role: Role, kind: ValueKind) -> Column {
    Column {
        name: name.into(),
        role,
        codes: Codes::for_domain(1),
        domain: Domain { kind, ..Domain::of_texts(std::iter::empty::<&str>()) },
        hierarchy: None,
        weight: 1.0,
        missing: Missing::Value,
        missing_text: String::new(),
        native_type: None,
    }
}

fn facts(observed: &Observed, planned: &Planned) -> Facts {
    let (distinct, is_exact) = match (&observed.values, planned.cells) {
        (_, Cells::Codes) => {
            let values = planned.counts.len().saturating_sub(1);
            (planned.counts[..values].iter().filter(|n| **n > 0).count() as u64, true)
        }
        (Some(values), _) => {
            let n_missing = usize::from(observed.missing_text.is_some());
            ((values.texts.len() - n_missing) as u64, true)
        }
        (None, _) => (observed.distinct.estimate(), observed.distinct.is_exact()),
    };
    Facts { kind: planned.column.domain.kind, distinct, is_exact, missing: observed.missing }
}
