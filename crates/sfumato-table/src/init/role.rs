//! Guesses the role of a column, how it writes its values, and its hierarchy.
//!
//! Guesses err on the side of protection: a column that isn't known to be harmless becomes quasi,
//! and a person must check it.

use std::fmt::Write as _;

use sfumato_core::column::{Dictionary, RawColumn};
use sfumato_core::dataset::{Guessed, Role, ValueKind, Written};

use super::Guess;
use crate::data::encode::{Sorted, count, sort_domain};
use crate::job::ColumnSpec;

/// Words in names that suggest a role, the most reliable first.
const TELLING: [(Role, &[&str]); 5] = [
    (
        Role::Identifier,
        &[
            "name",
            "firstname",
            "lastname",
            "surname",
            "fullname",
            "nom",
            "prénom",
            "prenom",
            "vorname",
            "nachname",
            "nombre",
            "apellido",
            "cognome",
            "adresse",
            "telefon",
            "email",
            "mail",
            "phone",
            "telephone",
            "mobile",
            "address",
            "street",
            "ssn",
            "passport",
            "iban",
            "licence",
            "license",
            "account",
            "uuid",
            "ip",
        ],
    ),
    (
        Role::Subject,
        &[
            "person",
            "subject",
            "pid",
            "patient",
            "customer",
            "member",
            "user",
            "userid",
            "personid",
            "patientid",
        ],
    ),
    (
        Role::Sensitive,
        &[
            "disease",
            "maladie",
            "krankheit",
            "enfermedad",
            "salaire",
            "revenu",
            "gehalt",
            "lohn",
            "einkommen",
            "diagnosis",
            "diagnose",
            "icd",
            "hiv",
            "salary",
            "income",
            "wage",
            "cost",
            "charge",
            "religion",
            "crime",
            "debt",
            "drug",
            "medication",
            "treatment",
            "surgery",
            "result",
            "lab",
            "grade",
            "score",
        ],
    ),
    (
        Role::Quasi,
        &[
            "age",
            "alter",
            "edad",
            "sex",
            "sexe",
            "sexo",
            "gender",
            "geschlecht",
            "naissance",
            "geburtsdatum",
            "nacimiento",
            "ville",
            "stadt",
            "ort",
            "ciudad",
            "cp",
            "zip",
            "zipcode",
            "postcode",
            "postal",
            "plz",
            "birth",
            "dob",
            "birthdate",
            "race",
            "ethnicity",
            "marital",
            "education",
            "occupation",
            "job",
            "profession",
            "country",
            "nationality",
            "city",
            "town",
            "state",
            "region",
            "county",
            "admission",
            "discharge",
            "workclass",
            "relationship",
            "date",
        ],
    ),
    (Role::Target, &["class", "label", "target"]),
];

pub(super) fn guess_column(column: &RawColumn, n_rows: usize, missing: &[String]) -> Guess {
    let (plain, written) = written(column, missing);
    let column = plain.as_ref().unwrap_or(column);
    let is_missing: Vec<bool> = column
        .values
        .iter()
        .enumerate()
        .map(|(code, text)| {
            Some(code as u32) == column.null || text.is_empty() || missing.iter().any(|m| m == text)
        })
        .collect();
    let texts = column
        .values
        .iter()
        .zip(&is_missing)
        .filter(|(_, missing)| !**missing)
        .map(|(text, _)| text);
    let kind = ValueKind::infer(texts);
    let sorted: Sorted = sort_domain(&column.values, &is_missing, kind);
    let counts = count(&column.codes, &sorted);
    let distinct = sorted.domain.len();
    let told = telling_role(&column.name);
    let unique = distinct as f64 / n_rows as f64;
    // Dates and fractions are measured: nobody is called by them, though few share them. A whole
    // number that is nearly unique may be somebody's number.
    let is_measured = kind.is_ordered() && kind != ValueKind::Integer;
    let facts = format!("{} with {distinct} distinct values in {n_rows} rows", kind.name());

    let (role, reason, check) = match told {
        Some((Role::Identifier, word)) => {
            (Role::Identifier, format!("the name says '{word}'"), false)
        }
        Some((Role::Subject, word)) if distinct == n_rows => (
            Role::Identifier,
            format!("the name says '{word}' and every row has its own value"),
            false,
        ),
        Some((Role::Subject, word)) if distinct > 1 => (
            Role::Subject,
            format!("the name says '{word}' and rows share values: people are counted, not rows"),
            true,
        ),
        Some((Role::Sensitive, word)) if unique > 0.5 && is_measured => (
            Role::Quasi,
            format!(
                "the name says '{word}', but it is nearly unique and would name its record, so it \
                    is blurred; to publish it as it is: role = \"sensitive\", accept = true"
            ),
            true,
        ),
        Some((Role::Sensitive, word)) if unique > 0.5 => (
            Role::Identifier,
            format!(
                "the name says '{word}', but it is nearly unique and would name its record; to \
                    publish it all the same: role = \"sensitive\", accept = true"
            ),
            true,
        ),
        Some((Role::Sensitive, word)) => (Role::Sensitive, format!("the name says '{word}'"), true),
        Some((Role::Quasi, word)) => (Role::Quasi, format!("the name says '{word}'"), false),
        Some((Role::Target, word)) if distinct <= 20 => {
            (Role::Target, format!("the name says '{word}'"), true)
        }
        _ if n_rows > 20 && unique > 0.9 && is_measured => (
            Role::Quasi,
            "nearly every row has its own value, so it must be blurred or dropped".to_string(),
            true,
        ),
        _ if n_rows > 20 && unique > 0.9 => {
            (Role::Identifier, "nearly every row has its own value".to_string(), true)
        }
        _ if distinct <= 1 => (Role::Keep, "it has one value only".to_string(), false),
        _ => (Role::Quasi, "nothing says that it is harmless".to_string(), true),
    };
    let mut spec = ColumnSpec::of_role(role);
    let mut reason = format!("{}: {facts}; {reason}", role.name());
    if role == Role::Quasi {
        match sfumato_hierarchy::guess(&column.name, &sorted.domain, &counts) {
            Some((call, why)) => {
                spec.hierarchy = Some(call);
                let _ = write!(reason, "; {why}");
            }
            None if kind.is_ordered() => {
                reason.push_str("; without a hierarchy it becomes ranges of its own values")
            }
            None => reason.push_str("; without a hierarchy it is published exactly or as *"),
        }
    }
    let mut check = check;
    match written {
        Some(Guessed::One { written, reason: why }) => {
            spec.written = Some(written.to_string());
            let _ = write!(reason, "; {why}");
        }
        Some(Guessed::Several(forms)) => {
            let forms: Vec<String> = forms.iter().map(|form| format!("\"{form}\"")).collect();
            let _ = write!(
                reason,
                "; all values fit several forms: say written = {}",
                forms.join(" or ")
            );
            check = true;
        }
        None => {}
    }
    let missing = absent(column, &is_missing);
    let reason = reason.replace('\n', " ");
    Guess { spec, kind: kind.name(), distinct, missing, reason, check }
}

/// How many cells have no value.
fn absent(column: &RawColumn, is_missing: &[bool]) -> u64 {
    let counts = column.codes.counts(column.values.len());
    counts.iter().zip(is_missing).filter(|(_, missing)| **missing).map(|(count, _)| count).sum()
}

pub(super) fn telling_role(name: &str) -> Option<(Role, &'static str)> {
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    for (role, telling) in TELLING {
        if let Some(word) = telling.iter().find(|word| words.contains(word)) {
            return Some((role, word));
        }
    }
    // "id" alone or at an end: whose it is, the counts decide.
    (words.contains(&"id") || words.contains(&"nr")).then_some((Role::Subject, "id"))
}

/// The texts of a column that say something, given which mean missing.
pub(super) fn told<'a>(
    column: &'a RawColumn,
    missing: &'a [String],
) -> impl Iterator<Item = &'a str> + Clone {
    let null = column.null;
    (0u32..)
        .zip(column.values.iter())
        .filter(move |(code, text)| {
            Some(*code) != null && !text.is_empty() && !missing.iter().any(|word| word == text)
        })
        .map(|(_, text)| text)
}

/// How a column of texts writes dates or numbers, and the column in their plain form.
fn written(column: &RawColumn, missing: &[String]) -> (Option<RawColumn>, Option<Guessed>) {
    if ValueKind::infer(told(column, missing)) != ValueKind::Text {
        return (None, None);
    }
    let guessed = Written::guess(told(column, missing));
    let Some(Guessed::One { written, .. }) = &guessed else { return (None, guessed) };
    let plain = |text: &str| written.plain(text).unwrap_or_else(|| text.to_string());
    let values: Dictionary = column.values.iter().map(plain).collect();
    (Some(RawColumn { values, ..column.clone() }), guessed)
}
