//! A holder's rows as numbers that mean the same to all holders: whole numbers are themselves, and
//! words the place of their leaf in the hierarchy that all of them have.

use sfumato_core::column::RawColumn;
use sfumato_core::dataset::{Domain, Hierarchy, Role, ValueKind};
use sfumato_core::{Error, FastMap, Result};
use sfumato_table::data::encode::build_levels;
use sfumato_table::sealed::cell;
use sha2::{Digest, Sha256};

use crate::holder::Holding;
use crate::job::Agreement;

/// A quasi column.
#[derive(Debug, Clone)]
pub struct Quasi {
    /// The name.
    pub name: String,
    /// The leaves in their order, if it is one of words.
    pub leaves: Option<Vec<String>>,
    /// The tree over them.
    pub tree: Option<Hierarchy>,
    /// The number of each row.
    pub of_row: Vec<i64>,
}

/// A sensitive column.
#[derive(Debug, Clone)]
pub struct Sensitive {
    /// The name.
    pub name: String,
    /// Its values, which the job lists.
    pub values: Vec<String>,
    /// The value of each row.
    pub of_row: Vec<u32>,
}

/// A holder's rows.
#[derive(Debug, Clone)]
pub struct Numbers {
    /// The quasi columns, in the order of their names, or in that of the job.
    pub quasi: Vec<Quasi>,
    /// The sensitive columns.
    pub sensitive: Vec<Sensitive>,
    /// The column that recipients predict, where the job lists its values.
    pub target: Option<Sensitive>,
    /// How many rows there are.
    pub n_rows: usize,
}

/// The least and the greatest whole number of a column.
pub const BOUND: i64 = 1 << 40;

impl Numbers {
    /// The rows of a holder.
    pub fn of(holding: &Holding, agreement: &Agreement) -> Result<Self> {
        let n_rows = holding.n_rows();
        let rows: Vec<u32> = (0..n_rows as u32).collect();
        let raw = holding.gather(&rows);
        let mut schema = holding.schema();
        let order = &agreement.collaboration.order;
        let place =
            |name: &str| order.iter().position(|other| other == name).unwrap_or(order.len());
        schema.sort_by(|a, b| (place(&a.name), &a.name).cmp(&(place(&b.name), &b.name)));
        let mut numbers =
            Numbers { quasi: Vec::new(), sensitive: Vec::new(), target: None, n_rows };
        for note in &schema {
            let column = raw.iter().find(|column| column.name == note.name);
            let column = column.ok_or_else(|| Error::internal("a column was lost"))?;
            match note.role {
                Role::Quasi => numbers.quasi.push(quasi(holding, column, n_rows)?),
                Role::Sensitive => {
                    let values = agreement.collaboration.values.get(&note.name);
                    let values = values.ok_or_else(|| {
                        Error::params(format!(
                            "the job doesn't list the values of the sensitive column '{}'",
                            note.name
                        ))
                        .hint(
                            "say values = { disease = [\"flu\", \"cough\"] } in [collaboration]: \
                             sums are counted for each",
                        )
                    })?;
                    numbers.sensitive.push(sensitive(column, values, n_rows)?);
                }
                Role::Target => {
                    let values = agreement.collaboration.values.get(&note.name);
                    let is_asked = agreement.collaboration.target.as_ref() == Some(&note.name);
                    if let Some(values) = values.filter(|_| is_asked) {
                        numbers.target = Some(sensitive(column, values, n_rows)?);
                    }
                }
                _ => {}
            }
        }
        match numbers.quasi.is_empty() {
            true => Err(Error::params("the holders have no quasi column")),
            false => Ok(numbers),
        }
    }

    /// A hash of what numbers mean.
    pub fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        for Quasi { name, leaves, .. } in &self.quasi {
            add(name);
            add(if leaves.is_some() { "words" } else { "numbers" });
            leaves.iter().flatten().for_each(|leaf| add(leaf));
        }
        for Sensitive { name, values, .. } in self.sensitive.iter().chain(&self.target) {
            add(name);
            values.iter().for_each(|value| add(value));
        }
        hash.finalize().into()
    }
}

fn text_of(column: &RawColumn, row: usize) -> Result<&str> {
    match cell(column, row).map(str::trim) {
        Some(text) if !text.is_empty() => Ok(text),
        _ => Err(Error::unsupported(format!("the column '{}' has an empty cell", column.name))
            .at_line(row as u64 + 2)
            .hint("leave the row out, or write a word for it that the hierarchy has")),
    }
}

fn quasi(holding: &Holding, column: &RawColumn, n: usize) -> Result<Quasi> {
    let name = column.name.clone();
    let call = holding.spec(&name).and_then(|spec| spec.hierarchy.as_ref());
    let Some(call) = call else {
        let number = |row: usize| {
            let text = text_of(column, row)?;
            let number = text.parse::<i64>().ok().filter(|n| (-BOUND..=BOUND).contains(n));
            // Another spelling of a number would be another text in the release.
            number.filter(|number| number.to_string() == text).ok_or_else(|| {
                Error::unsupported(format!(
                    "the column '{name}' has a cell that is no whole number"
                ))
                .at_line(row as u64 + 2)
                .hint("give the column a hierarchy file, the same for all holders")
            })
        };
        let of_row = (0..n).map(number).collect::<Result<_>>()?;
        return Ok(Quasi { name, leaves: None, tree: None, of_row });
    };
    if call.name != "file" {
        return Err(Error::unsupported(format!(
            "the hierarchy of '{name}' is made from one holder's values"
        ))
        .hint("give all holders the same hierarchy file"));
    }
    let job = holding.job.table_job(|_, _| false, Vec::new());
    let nothing = Domain { kind: ValueKind::Text, ..Domain::of_texts(std::iter::empty::<&str>()) };
    let built = build_levels(&job, call, &nothing, &[])?;
    let (tree, _) = Hierarchy::from_levels(&built.levels)?;
    let leaves: Vec<String> =
        (0..tree.n_leaves() as u32).map(|code| tree.label(tree.leaf(code)).into()).collect();
    let place: FastMap<&str, i64> =
        leaves.iter().enumerate().map(|(place, leaf)| (leaf.as_str(), place as i64)).collect();
    let number = |row: usize| {
        place.get(text_of(column, row)?).copied().ok_or_else(|| {
            Error::input(format!("the hierarchy of '{name}' doesn't have a value"))
                .at_line(row as u64 + 2)
                .hint("add it to the hierarchy file of all holders")
        })
    };
    let of_row: Vec<i64> = (0..n).map(number).collect::<Result<_>>()?;
    drop(place);
    Ok(Quasi { name, leaves: Some(leaves), tree: Some(tree), of_row })
}

fn sensitive(column: &RawColumn, values: &[String], n: usize) -> Result<Sensitive> {
    let mut values = values.to_vec();
    values.sort();
    values.dedup();
    let of_row = (0..n)
        .map(|row| {
            let text = cell(column, row).map(str::trim).unwrap_or_default().to_string();
            values.binary_search(&text).map(|place| place as u32).map_err(|_| {
                Error::input(format!("the job doesn't list a value of '{}'", column.name))
                    .at_line(row as u64 + 2)
                    .hint("add it to 'values' in [collaboration]")
            })
        })
        .collect::<Result<_>>()?;
    Ok(Sensitive { name: column.name.clone(), values, of_row })
}
