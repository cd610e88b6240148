//! Takes some rows of a dataset as if the others had never been read: the dictionaries have only
//! values of these rows.

use sfumato_core::column::{Codes, Dictionary, RawColumn, RawTable};

use sfumato_table::data::read::Dataset;
use sfumato_table::pseudonyms::Pseudonyms;

/// The rows given, in their order.
pub fn take_rows(dataset: &Dataset, rows: &[u32]) -> Dataset {
    let columns = dataset.raw.columns.iter().map(|column| take_column(column, rows)).collect();
    let raw = RawTable {
        columns,
        n_rows: rows.len(),
        header: dataset.raw.header.clone(),
        source: dataset.raw.source.clone(),
    };
    Dataset { raw, roles: dataset.roles.clone(), pseudonyms: Pseudonyms::default() }
}

fn take_column(column: &RawColumn, rows: &[u32]) -> RawColumn {
    const UNSEEN: u32 = u32::MAX;
    let mut new_of_old = vec![UNSEEN; column.values.len()];
    let mut values = Dictionary::new();
    let mut codes = Vec::with_capacity(rows.len());
    for row in rows {
        let old = column.codes.get(*row as usize);
        if new_of_old[old as usize] == UNSEEN {
            new_of_old[old as usize] = values.push(column.values.get(old));
        }
        codes.push(new_of_old[old as usize]);
    }
    let null = column.null.map(|null| new_of_old[null as usize]).filter(|null| *null != UNSEEN);
    RawColumn {
        name: column.name.clone(),
        codes: Codes::from_iter(values.len(), codes.into_iter()),
        values,
        null,
        native_type: column.native_type.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_other_rows_hold_is_gone() {
        let column = RawColumn {
            name: "a".into(),
            codes: Codes::U8(vec![0, 1, 2, 1, 3]),
            values: ["x", "y", "", "z"].iter().collect(),
            null: Some(2),
            native_type: Some("Utf8".into()),
        };
        let taken = take_column(&column, &[4, 1, 3]);
        assert_eq!(taken.values.iter().collect::<Vec<_>>(), ["z", "y"]);
        assert_eq!(taken.codes, Codes::U8(vec![0, 1, 1]));
        assert_eq!(taken.null, None);
        assert_eq!(take_column(&column, &[2, 0]).null, Some(0));
    }
}
