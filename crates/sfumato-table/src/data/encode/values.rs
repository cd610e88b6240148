//! The distinct values of a column: their type and their order.

use rayon::prelude::*;
use sfumato_core::column::{Codes, Dictionary, RawColumn};
use sfumato_core::dataset::{Canonical, Domain, ValueKind};
use sfumato_core::{Error, FastMap, Result};

use super::spellings::rank;
use crate::job::ColumnSpec;

/// The kind of a column's values: as the job says, or the most specific that all of them have.
pub fn column_kind(
    raw: &RawColumn,
    counts: &[u64],
    spec: &ColumnSpec,
    missing: &[bool],
) -> Result<ValueKind> {
    let texts =
        raw.values.iter().zip(missing).filter(|(_, missing)| !**missing).map(|(text, _)| text);
    let inferred = ValueKind::infer(texts.clone());
    let Some(asked) = &spec.kind else { return Ok(inferred) };
    let kind = kind_asked(asked, inferred)?;
    if kind == ValueKind::Text {
        return Ok(kind);
    }
    let wrong = texts.filter(|text| kind.parse(text).is_none()).count();
    if wrong > 0 {
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

/// The kind that a job names, although values look like another.
pub fn kind_asked(asked: &str, inferred: ValueKind) -> Result<ValueKind> {
    Ok(match asked {
        "text" => ValueKind::Text,
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
    })
}

/// The distinct values of a column in order.
pub struct Sorted {
    /// The values.
    pub domain: Domain,
    /// For each raw code its place in the domain, or `None` if it means missing.
    pub code_of: Vec<Option<u32>>,
}

/// Order the distinct values: by number, date or text. Texts of the same number become one value,
/// written in the shortest way; otherwise "1.5" and "1.50" would count as two sensitive values.
pub fn sort_domain(values: &Dictionary, missing: &[bool], kind: ValueKind) -> Sorted {
    sort_domain_by(values, missing, kind, None)
}

/// Order the distinct values, where texts with the same canonical form are one value too.
pub fn sort_domain_by(
    values: &Dictionary,
    missing: &[bool],
    kind: ValueKind,
    canonical: Option<Canonical>,
) -> Sorted {
    if let Some(canonical) = canonical.filter(|_| kind == ValueKind::Text)
        && let Some(numbered) = canonical.number(values)
    {
        return sort_merged(values, missing, canonical, &numbered.of_text);
    }
    let mut present: Vec<(i64, u32)> = (0..values.len() as u32)
        .filter(|code| !missing[*code as usize])
        .map(|code| (kind.parse(values.get(code)).unwrap_or(0), code))
        .collect();
    let by_text = |a: u32, b: u32| {
        let (left, right) = (values.get(a), values.get(b));
        match kind {
            ValueKind::Text => left.cmp(right),
            _ => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
        }
    };
    // Texts are looked at only where keys are equal: that's what makes a million numbers quick to
    // sort.
    present.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| by_text(a.1, b.1)));
    let (mut labels, mut keys) = (Dictionary::new(), Vec::new());
    let mut code_of = vec![None; values.len()];
    for (key, code) in present {
        let same = kind.is_ordered() && keys.last() == Some(&key);
        if !same {
            labels.push(values.get(code));
            if kind.is_ordered() {
                keys.push(key);
            }
        }
        code_of[code as usize] = Some(labels.len() as u32 - 1);
    }
    Sorted { domain: Domain { kind, labels: labels.into(), keys }, code_of }
}

/// Order words, of which some are spellings of one value: those with the same number.
fn sort_merged(
    values: &Dictionary,
    missing: &[bool],
    canonical: Canonical,
    numbers: &[u32],
) -> Sorted {
    let present = || (0..values.len() as u32).filter(|code| !missing[*code as usize]);
    let value_of = |code: u32| numbers[code as usize];
    let mut published: FastMap<u32, u32> = FastMap::default();
    for code in present() {
        let best = published.entry(value_of(code)).or_insert(code);
        let rank = |code: u32| rank(canonical, values.get(code));
        if rank(code) < rank(*best) {
            *best = code;
        }
    }
    let mut order: Vec<(u32, u32)> = published.into_iter().collect();
    order.sort_unstable_by_key(|(_, code)| values.get(*code));
    let labels: Dictionary = order.iter().map(|(_, code)| values.get(*code)).collect();
    let places: FastMap<u32, u32> =
        order.iter().zip(0..).map(|((value, _), place)| (*value, place)).collect();
    let mut code_of = vec![None; values.len()];
    present().for_each(|code| code_of[code as usize] = Some(places[&value_of(code)]));
    let domain = Domain { kind: ValueKind::Text, labels: labels.into(), keys: Vec::new() };
    Sorted { domain, code_of }
}

/// How often each value of the domain occurs.
pub fn count(codes: &Codes, sorted: &Sorted) -> Vec<u64> {
    count_sorted(&codes.counts(sorted.code_of.len()), sorted)
}

/// How often each value of the domain occurs, given how often each raw code occurs.
pub fn count_sorted(raw_counts: &[u64], sorted: &Sorted) -> Vec<u64> {
    let mut counts = vec![0; sorted.domain.len()];
    for (code, n) in sorted.code_of.iter().zip(raw_counts) {
        if let Some(code) = code {
            counts[*code as usize] += n;
        }
    }
    counts
}
