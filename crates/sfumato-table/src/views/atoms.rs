//! Which values there can be in each column, as far as views tell them apart.
//!
//! A column that is compared as numbers has an atom for each number that views speak of and one for
//! each gap between them. Any other has one for each text, and one for all others: whoever has the
//! views doesn't know which values there are besides.

use sfumato_core::dataset::ValueKind;
use sfumato_core::{Error, FastMap, Result};

use super::sql::{Comparison, Condition, View};

/// The atoms of one column.
#[derive(Debug, Clone)]
pub struct Atoms {
    /// The name of the column.
    pub name: String,
    /// Where the column is one of numbers, the keys that views speak of.
    keys: Option<Vec<i64>>,
    /// The texts that views speak of, with their atoms.
    texts: FastMap<String, usize>,
    labels: Vec<String>,
}

const NUMBER: ValueKind = ValueKind::Decimal { scale: 6 };

impl Atoms {
    /// The atoms of a column with these texts.
    fn new(name: &str, texts: Vec<String>) -> Self {
        let keys: Option<Vec<i64>> = texts.iter().map(|text| NUMBER.parse(text)).collect();
        let mut atoms =
            Atoms { name: name.into(), keys: None, texts: FastMap::default(), labels: Vec::new() };
        match keys.filter(|keys| !keys.is_empty()) {
            Some(keys) => {
                let of_key: FastMap<i64, &String> = keys.iter().copied().zip(&texts).collect();
                let mut sorted: Vec<i64> = of_key.keys().copied().collect();
                sorted.sort_unstable();
                for key in &sorted {
                    atoms.labels.extend(["another number".to_string(), of_key[key].clone()]);
                }
                atoms.labels.push("another number".into());
                for (text, key) in texts.iter().zip(&keys) {
                    let at = sorted.partition_point(|other| other < key);
                    atoms.texts.insert(text.clone(), 2 * at + 1);
                }
                atoms.keys = Some(sorted);
            }
            None => {
                for text in texts {
                    let next = atoms.labels.len();
                    if *atoms.texts.entry(text.clone()).or_insert(next) == next {
                        atoms.labels.push(text);
                    }
                }
                atoms.labels.push("another value".into());
            }
        }
        atoms
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }
    /// Whether there is none, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }
    /// What an atom is called.
    pub fn label(&self, atom: usize) -> &str {
        &self.labels[atom]
    }
    /// Whether an atom is one value, and not all that views don't speak of.
    pub fn is_value(&self, atom: usize) -> bool {
        match &self.keys {
            Some(_) => atom % 2 == 1,
            None => atom + 1 < self.labels.len(),
        }
    }
    /// The atom of a text that a view shows.
    pub fn of_text(&self, text: &str) -> Option<usize> {
        self.texts.get(text).copied()
    }

    /// The atoms that compare so with a value.
    fn compared(&self, how: Comparison, value: &str) -> Result<Vec<bool>> {
        let own = self.of_text(value);
        match (how, own) {
            (Comparison::Equal, Some(own)) => Ok((0..self.len()).map(|at| at == own).collect()),
            (Comparison::Below, Some(own)) if self.keys.is_some() => {
                Ok((0..self.len()).map(|at| at < own).collect())
            }
            (Comparison::Above, Some(own)) if self.keys.is_some() => {
                Ok((0..self.len()).map(|at| at > own).collect())
            }
            _ => Err(Error::input(format!(
                "column '{}' isn't one of numbers: below and above say nothing of it",
                self.name
            ))),
        }
    }
}

/// The atoms of all columns that views speak of. `shown` has, for each view, the rows that it
/// shows.
pub fn atoms(views: &[View], shown: &[Vec<Vec<String>>]) -> Vec<Atoms> {
    let mut names: Vec<&str> = Vec::new();
    for view in views {
        let mut spoken: Vec<&str> = view.columns.iter().map(String::as_str).collect();
        mentioned(&view.condition, &mut |column, _| spoken.push(column));
        for name in spoken {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let of_column = |name: &&str| {
        let mut texts = Vec::new();
        for (view, rows) in views.iter().zip(shown) {
            for (place, _) in view.columns.iter().enumerate().filter(|(_, own)| own == name) {
                texts.extend(rows.iter().map(|row| row[place].clone()));
            }
            mentioned(&view.condition, &mut |column, value| {
                if column == *name {
                    texts.push(value.to_string());
                }
            });
        }
        Atoms::new(name, texts)
    };
    names.iter().map(of_column).collect()
}

/// The columns and values of a condition.
fn mentioned<'a>(condition: &'a Condition, say: &mut dyn FnMut(&'a str, &'a str)) {
    match condition {
        Condition::All => {}
        Condition::Compare(column, _, value) => say(column, value),
        Condition::And(all) | Condition::Or(all) => {
            all.iter().for_each(|inner| mentioned(inner, say));
        }
        Condition::Not(inner) => mentioned(inner, say),
    }
}

/// A set of records: for each column, which atoms its value may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records(pub Vec<Vec<bool>>);

impl Records {
    /// All records.
    pub fn all(atoms: &[Atoms]) -> Self {
        Records(atoms.iter().map(|atoms| vec![true; atoms.len()]).collect())
    }
    /// Those of both; `None` if there can be none.
    pub fn and(&self, other: &Records) -> Option<Self> {
        let both = |(a, b): (&Vec<bool>, &Vec<bool>)| -> Vec<bool> {
            a.iter().zip(b).map(|(a, b)| *a && *b).collect()
        };
        let both: Vec<Vec<bool>> = self.0.iter().zip(&other.0).map(both).collect();
        both.iter().all(|column| column.contains(&true)).then_some(Records(both))
    }
}

/// The records that meet a condition, or with `is_not` that don't: each is in one of the sets.
pub fn meeting(condition: &Condition, is_not: bool, atoms: &[Atoms]) -> Result<Vec<Records>> {
    let all = || vec![Records::all(atoms)];
    match (condition, is_not) {
        (Condition::All, false) => Ok(all()),
        (Condition::All, true) => Ok(Vec::new()),
        (Condition::Not(inner), _) => meeting(inner, !is_not, atoms),
        (Condition::Compare(column, how, value), _) => {
            let place = place(column, atoms)?;
            let compared = atoms[place].compared(*how, value)?;
            let mut records = Records::all(atoms);
            records.0[place] = compared.into_iter().map(|met| met != is_not).collect();
            Ok(if records.0[place].contains(&true) { vec![records] } else { Vec::new() })
        }
        (Condition::And(inner), false) | (Condition::Or(inner), true) => {
            let mut found = all();
            for inner in inner {
                let own = meeting(inner, is_not, atoms)?;
                found = found
                    .iter()
                    .flat_map(|one| own.iter().filter_map(|other| one.and(other)))
                    .collect();
            }
            Ok(found)
        }
        (Condition::And(inner), true) | (Condition::Or(inner), false) => {
            let found: Result<Vec<_>> =
                inner.iter().map(|inner| meeting(inner, is_not, atoms)).collect();
            Ok(found?.concat())
        }
    }
}

/// The place of a column.
pub fn place(column: &str, atoms: &[Atoms]) -> Result<usize> {
    let found = atoms.iter().position(|atoms| atoms.name == column);
    found.ok_or_else(|| Error::internal(format!("no view speaks of column '{column}'")))
}
