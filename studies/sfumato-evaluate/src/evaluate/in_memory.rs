//! A dataset from texts in memory, for experiments on data that no file holds.

use sfumato_core::column::{CodesBuilder, Dictionary, Provenance, RawColumn, RawTable};
use sfumato_core::dataset::Role;
use sfumato_core::{Error, FastMap, Result};

use sfumato_table::data::assign_roles::assign_roles;
use sfumato_table::data::read::Dataset;
use sfumato_table::job::Job;
use sfumato_table::pseudonyms::Pseudonyms;

/// A dataset of rows of texts, one per name of the header, with the roles that a job gives to the
/// names. What is read from a file that holds these texts is the same.
pub fn dataset_of_texts<R, S>(
    job: &Job,
    header: &[String],
    rows: impl IntoIterator<Item = R>,
) -> Result<Dataset>
where
    R: AsRef<[S]>,
    S: AsRef<str>,
{
    let roles = assign_roles(job, header)?;
    let mut columns: Vec<(FastMap<String, u32>, Dictionary, CodesBuilder)> = header
        .iter()
        .map(|_| (FastMap::default(), Dictionary::new(), CodesBuilder::new()))
        .collect();
    let mut n_rows = 0;
    for row in rows {
        let row = row.as_ref();
        if row.len() != header.len() {
            return Err(Error::input(format!(
                "a row has {} cells, not {}",
                row.len(),
                header.len()
            )));
        }
        for ((index, values, codes), text) in columns.iter_mut().zip(row) {
            let text = text.as_ref();
            let code = match index.get(text) {
                Some(code) => *code,
                None => {
                    index.insert(text.to_string(), values.len() as u32);
                    values.push(text)
                }
            };
            codes.push(code);
        }
        n_rows += 1;
    }
    let named =
        header.iter().zip(&roles).zip(columns).filter(|((_, role), _)| **role != Role::Identifier);
    let columns = named.map(|((name, _), (_, values, codes))| RawColumn {
        name: name.clone(),
        codes: codes.finish(),
        values,
        null: None,
        native_type: None,
    });
    let raw = RawTable {
        columns: columns.collect(),
        n_rows,
        header: header.to_vec(),
        source: Provenance::default(),
    };
    Ok(Dataset { raw, roles, pseudonyms: Pseudonyms::default() })
}
