//! What stands beside paths: what must not be learned, and what may be known.

use sfumato_core::{Error, FastMap, Result};

/// A column beside paths: one value for each record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SensitiveColumn {
    /// The name of the column.
    pub name: String,
    /// The different values.
    pub values: Vec<String>,
    /// The value of each record.
    pub of_record: Vec<u32>,
    /// Whether a value means that none is there.
    pub is_missing: Vec<bool>,
    /// The type in the file.
    pub native_type: Option<String>,
}

impl SensitiveColumn {
    /// The values of some records.
    pub fn part(&self, records: &[u32]) -> SensitiveColumn {
        let of_record = records.iter().map(|record| self.of_record[*record as usize]).collect();
        SensitiveColumn { of_record, ..self.clone() }
    }
}

/// The sensitive values that count, as numbers, of each record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// The values in words.
    pub names: Vec<String>,
    of_record: super::Paths,
}

impl Labels {
    /// The sensitive values of all columns, or those that are named. A name that no column has is
    /// an error: a mistyped one would guard nothing. A missing value is none.
    pub fn of(columns: &[SensitiveColumn], named: Option<&[String]>) -> Result<Labels> {
        let mut names: Vec<String> = Vec::new();
        let mut label_of: Vec<Vec<Option<u32>>> = Vec::new();
        for column in columns {
            let mut of_value = Vec::with_capacity(column.values.len());
            for (value, is_missing) in column.values.iter().zip(&column.is_missing) {
                let counts = !is_missing && named.is_none_or(|named| named.contains(value));
                of_value.push(counts.then(|| {
                    names.push(match columns.len() {
                        1 => value.clone(),
                        _ => format!("{}={value}", column.name),
                    });
                    names.len() as u32 - 1
                }));
            }
            label_of.push(of_value);
        }
        if let Some(named) = named {
            let known: FastMap<&str, ()> = columns
                .iter()
                .flat_map(|column| column.values.iter().map(|value| (value.as_str(), ())))
                .collect();
            if let Some(name) = named.iter().find(|name| !known.contains_key(name.as_str())) {
                let message = match columns.is_empty() {
                    true => "values are named, and no column is sensitive".to_string(),
                    false => format!("no record has the sensitive value '{name}'"),
                };
                return Err(Error::params(message).hint(
                    "name sensitive columns with --sensitive, and values as they are in it",
                ));
            }
        }
        let n_records = columns.first().map_or(0, |column| column.of_record.len());
        let of_record = (0..n_records)
            .map(|record| {
                let labels = columns.iter().zip(&label_of);
                let label = |(column, of_value): (&SensitiveColumn, &Vec<Option<u32>>)| {
                    of_value[column.of_record[record] as usize]
                };
                labels.filter_map(label).collect::<Vec<u32>>()
            })
            .collect();
        Ok(Labels { names, of_record })
    }

    /// Those of some records.
    pub fn part(&self, records: &[u32]) -> Labels {
        let of_record = match self.of_record.is_empty() {
            true => super::Paths::new(),
            false => self.of_record.part(records),
        };
        Labels { names: self.names.clone(), of_record }
    }

    /// Whether no value counts.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The values of a record.
    #[inline]
    pub fn get(&self, record: usize) -> &[u32] {
        if self.of_record.is_empty() { &[] } else { self.of_record.get(record) }
    }
}
