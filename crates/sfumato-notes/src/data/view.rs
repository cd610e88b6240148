//! The identifier view: what the notes of each person say of every attribute.
//!
//! Extraction and linking are repeated: a name that one note of a person gives away is looked for
//! in the person's other notes, and what is found there may link further notes.

use std::collections::BTreeMap;

use rayon::prelude::*;
use sfumato_core::column::RawTable;
use sfumato_core::dataset::Role;
use sfumato_text::data::{fold, tokens};

use super::attribute::own_value;
use super::lend::cell;
use super::link::{Identifiers, Linked, link};
use super::parts::{Extractor, Names, Part};
use crate::job::Job;

/// What the texts say of people.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// The parts of each text that say something of a person.
    pub parts: Vec<Vec<Part>>,
    /// Whom each note is about, and how that was found.
    pub linked: Linked,
    /// Whether a column says whom notes are about.
    pub is_by_column: bool,
    /// How often texts were looked through.
    pub rounds: u64,
    /// For each attribute the value of each note, in the form in which values are compared.
    pub values: Vec<Vec<Option<String>>>,
    /// For each attribute that only the text has what its column says of each note.
    pub shown: Vec<Option<Vec<String>>>,
}

/// Classes of which a person has one of their own.
const NUMBERS: [&str; 12] = [
    "MEDICAL_RECORD_NUMBER",
    "US_SSN",
    "EMAIL_ADDRESS",
    "PHONE_NUMBER",
    "HEALTH_PLAN_NUMBER",
    "ACCOUNT_NUMBER",
    "PASSPORT_NUMBER",
    "US_DRIVER_LICENSE",
    "LICENSE_NUMBER",
    "IBAN_CODE",
    "CREDIT_CARD",
    "TAX_NUMBER",
];
/// Words before the name of somebody whom a note isn't about.
const OTHERS: [&str; 8] = ["dr", "doctor", "prof", "professor", "nurse", "physician", "md", "by"];
/// How often texts are looked through at most.
const ROUNDS: u64 = 5;

/// Make the view of notes.
pub fn view(
    job: &Job,
    table: &RawTable,
    texts: &[String],
    subject_at: Option<usize>,
    extractor: &Extractor,
) -> View {
    let named: Vec<usize> = job
        .columns
        .0
        .iter()
        .filter(|(_, spec)| spec.role == Role::Identifier)
        .filter_map(|(name, _)| table.columns.iter().position(|column| column.name == *name))
        .collect();
    let mut linked = first(table, texts.len(), subject_at);
    let is_linking = subject_at.is_none() && job.view.link.as_deref() != Some("none");
    let mut names = vec![Names::default(); texts.len()];
    for (record, names) in names.iter_mut().enumerate() {
        for column in &named {
            names.add(cell(&table.columns[*column], record));
        }
    }
    let mut rounds = 0;
    let parts = loop {
        rounds += 1;
        let parts: Vec<Vec<Part>> = texts
            .par_iter()
            .zip(&names)
            .map(|(text, names)| extractor.find(text, Some(names)))
            .collect();
        let own = |at: usize| identifiers(extractor, table, &named, (&texts[at], at), &parts[at]);
        if is_linking {
            let records: Vec<Identifiers> = (0..texts.len()).map(own).collect();
            linked = link(&records);
        }
        if rounds == ROUNDS || !share_names(texts, &parts, &linked.person, &mut names) {
            break parts;
        }
    };
    let (values, shown) = consolidated(table, texts, &parts, &linked.person, extractor);
    View { parts, linked, is_by_column: subject_at.is_some(), rounds, values, shown }
}

/// Whom notes are about before anything is linked: as a column says, or each about another.
fn first(table: &RawTable, n: usize, subject_at: Option<usize>) -> Linked {
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    let person: Vec<u32> = match subject_at {
        None => (0..n as u32).collect(),
        Some(column) => {
            let column = &table.columns[column];
            let of = |row: usize| *known.entry(cell(column, row)).or_insert(row as u32);
            (0..n).map(of).collect()
        }
    };
    let people = if subject_at.is_some() { known.len() } else { n } as u64;
    Linked { person, people, ..Linked::default() }
}

/// Tell the notes of a person the names that are in the others. Returns whether any was new.
fn share_names(texts: &[String], parts: &[Vec<Part>], person: &[u32], names: &mut [Names]) -> bool {
    let mut of_person: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (at, own) in parts.iter().enumerate() {
        for part in own.iter().filter(|part| part.span.class == "PERSON") {
            if !is_of_another(&texts[at], part.span.start) {
                let name = &texts[at][part.span.start..part.span.end];
                of_person.entry(person[at]).or_default().push(name);
            }
        }
    }
    let mut is_new = false;
    for (at, names) in names.iter_mut().enumerate() {
        for name in of_person.get(&person[at]).into_iter().flatten() {
            is_new |= names.add(name);
        }
    }
    is_new
}

/// Whether a name is that of a doctor or another who isn't the subject of the note.
fn is_of_another(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '.']);
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    OTHERS.contains(&fold(word).as_str())
}

fn identifiers(
    extractor: &Extractor,
    table: &RawTable,
    named: &[usize],
    (text, at): (&str, usize),
    parts: &[Part],
) -> Identifiers {
    let folded = |text: &str| -> Vec<String> {
        tokens(text).iter().map(|token| fold(&text[token.start..token.end])).collect()
    };
    let mut found = Identifiers::default();
    for part in parts {
        let inner = &text[part.span.start..part.span.end];
        if NUMBERS.contains(&part.span.class.as_ref()) {
            let signs: String = fold(inner).chars().filter(|c| c.is_alphanumeric()).collect();
            found.numbers.push((part.span.class.to_string(), signs));
        } else if part.span.class == "PERSON" && !is_of_another(text, part.span.start) {
            found.names.push(folded(inner));
        }
        for attribute in &part.of {
            found.values.push((*attribute, extractor.attributes[*attribute].value(inner)));
        }
    }
    for column in named {
        let words = folded(cell(&table.columns[*column], at));
        if (2..=5).contains(&words.len()) {
            found.names.push(words);
        }
    }
    for (place, attribute) in extractor.attributes.iter().enumerate() {
        found.values.extend(own_value(attribute, table, at).map(|value| (place, value)));
    }
    found
}

type Values = (Vec<Vec<Option<String>>>, Vec<Option<Vec<String>>>);

/// One value of each attribute for each note: that of its column, or what the notes of the person
/// say most often.
fn consolidated(
    table: &RawTable,
    texts: &[String],
    parts: &[Vec<Part>],
    person: &[u32],
    extractor: &Extractor,
) -> Values {
    let mut values = Vec::new();
    let mut shown = Vec::new();
    for (place, attribute) in extractor.attributes.iter().enumerate() {
        if attribute.column.is_some() {
            values.push((0..texts.len()).map(|row| own_value(attribute, table, row)).collect());
            shown.push(None);
            continue;
        }
        // The number of times, and the first text that says it.
        let mut said: BTreeMap<u32, BTreeMap<String, (i64, usize, String)>> = BTreeMap::new();
        for (at, own) in parts.iter().enumerate() {
            for part in own.iter().filter(|part| part.of.contains(&place)) {
                let inner = &texts[at][part.span.start..part.span.end];
                let of_person = said.entry(person[at]).or_default();
                let new = || (0, at, attribute.shown(inner));
                of_person.entry(attribute.value(inner)).or_insert_with(new).0 -= 1;
            }
        }
        let chosen: BTreeMap<u32, (String, String)> = said
            .into_iter()
            .filter_map(|(person, said)| {
                let (value, (_, _, shown)) =
                    said.into_iter().min_by_key(|(_, (n, at, _))| (*n, *at))?;
                Some((person, (value, shown)))
            })
            .collect();
        let of = |at: usize| chosen.get(&person[at]);
        values.push((0..texts.len()).map(|at| of(at).map(|(value, _)| value.clone())).collect());
        let column = |at: usize| of(at).map(|(_, shown)| shown.clone()).unwrap_or_default();
        shown.push(Some((0..texts.len()).map(column).collect()));
    }
    (values, shown)
}
