//! Questions about a table that releases of it are asked to compare them: counts over one column,
//! and over two at once. The same data give the same questions.

use sfumato_core::Result;
use sfumato_core::dataset::{Column, Role};
use sfumato_core::observer::Observer;
use sfumato_core::workload::{Bound, Condition, Predicate};
use sfumato_engine::compare::Question;
use sfumato_engine::manifest::Manifest;

use crate::audit::read_columns;
use crate::data::encode::encode;
use crate::job::{ColumnSpec, Job};
use crate::query::{Aggregate, Query};

/// How many conditions there are on one column.
const PER_COLUMN: usize = 8;

/// How many columns are asked about two at once.
const PAIRED: usize = 8;

/// How many questions there are about two columns.
const PER_PAIR: usize = 4;

/// Questions about the quasi and sensitive columns of a table.
pub fn questions(
    original: &Job,
    manifest: Option<&Manifest>,
    observer: &dyn Observer,
) -> Result<Vec<Question>> {
    let is_asked = |role: Role| matches!(role, Role::Quasi | Role::Sensitive);
    let asked = original.columns.0.iter().filter(|(_, spec)| is_asked(spec.role));
    let mut columns: Vec<(String, ColumnSpec)> = asked.cloned().collect();
    if let Some(manifest) = manifest.filter(|_| columns.is_empty()) {
        for name in manifest.details_of("quasi").into_iter().chain(manifest.details_of("sensitive"))
        {
            columns.push((name, ColumnSpec::of_role(Role::Quasi)));
        }
    }
    let mut job = Job { input: original.input.clone(), ..Job::default() };
    for (name, spec) in columns {
        // Values are asked for as they are: what is above them doesn't matter here.
        let (kind, written) = (spec.kind, spec.written);
        job.columns
            .0
            .push((name, ColumnSpec { kind, written, ..ColumnSpec::of_role(Role::Quasi) }));
    }
    if job.columns.0.is_empty() {
        return Ok(Vec::new());
    }
    let table = encode(&job, read_columns(&mut job.clone(), observer)?)?.table;
    let conditions: Vec<(&str, Vec<Condition>)> =
        table.columns.iter().map(|column| (column.name.as_str(), conditions(column))).collect();
    let question = |about: String, conditions: Vec<Condition>| {
        let predicate = Some(Predicate { conditions });
        let query = Query { aggregate: Aggregate::Count, column: None, predicate };
        Question { about, query: query.to_string() }
    };
    let mut questions: Vec<Question> = Vec::new();
    for (name, of_column) in &conditions {
        questions.extend(of_column.iter().map(|c| question(name.to_string(), vec![c.clone()])));
    }
    let paired = &conditions[..conditions.len().min(PAIRED)];
    for (place, (_, one)) in paired.iter().enumerate() {
        for (_, other) in &paired[place + 1..] {
            // Neighbouring ranks of both, so that frequent things are asked for with frequent ones.
            let pairs = (0..PER_PAIR).filter_map(|n| {
                Some(vec![one.get(n / 2)?.clone(), other.get(n.div_ceil(2))?.clone()])
            });
            questions.extend(pairs.map(|both| question("two columns at once".into(), both)));
        }
    }
    Ok(questions)
}

/// Conditions on a column: its most frequent values, or ranges with about equally many records.
fn conditions(column: &Column) -> Vec<Condition> {
    let len = column.domain.len();
    let counts = column.codes.counts(len + 1);
    let label = |code: usize| column.domain.label(code as u32).to_string();
    let condition = |bound: Bound| Condition { column: column.name.clone(), bound };
    if !column.domain.kind.is_ordered() || len <= PER_COLUMN {
        let mut codes: Vec<usize> = (0..len).filter(|code| counts[*code] > 0).collect();
        codes.sort_by_key(|code| (std::cmp::Reverse(counts[*code]), *code));
        codes.truncate(PER_COLUMN);
        return codes.into_iter().map(|code| condition(Bound::Is(label(code)))).collect();
    }
    let total: u64 = counts[..len].iter().sum();
    let share = total.div_ceil(PER_COLUMN as u64).max(1);
    let mut found = Vec::new();
    let (mut first, mut records) = (0, 0);
    for (code, count) in counts[..len].iter().enumerate() {
        records += count;
        if records >= share || code + 1 == len {
            found.push(condition(Bound::Between(label(first), label(code))));
            (first, records) = (code + 1, 0);
        }
    }
    found
}
