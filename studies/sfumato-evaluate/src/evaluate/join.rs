//! Joins two datasets with the same columns, so that rows of another file can be tested on.

use sfumato_core::column::{Codes, RawColumn};
use sfumato_core::{Error, FastMap, Result};

use sfumato_table::data::read::Dataset;
use sfumato_table::pseudonyms::Pseudonyms;

/// The rows of the first, then those of the second. The second may have its columns in another
/// order, and others too.
pub fn join_rows(first: Dataset, second: Dataset) -> Result<Dataset> {
    // Nothing is learnt from pseudonyms: they aren't taken along.
    let Dataset { mut raw, roles, .. } = first;
    let mut columns = Vec::with_capacity(raw.columns.len());
    for column in raw.columns {
        let more = second.raw.column(&column.name).ok_or_else(|| {
            Error::input(format!("the test rows have no column '{}'", column.name))
                .in_file(second.raw.source.path.clone())
        })?;
        columns.push(join(column, more));
    }
    raw.columns = columns;
    raw.n_rows += second.raw.n_rows;
    Ok(Dataset { raw, roles, pseudonyms: Pseudonyms::default() })
}

fn join(mut column: RawColumn, more: &RawColumn) -> RawColumn {
    let mut new_of_old = known_codes(&column, more);
    for (old, new) in new_of_old.iter_mut().enumerate().filter(|(_, new)| **new == u32::MAX) {
        *new = match (more.null == Some(old as u32), column.null) {
            (true, Some(null)) => null,
            (is_null, _) => {
                let code = column.values.push(more.values.get(old as u32));
                if is_null {
                    column.null = Some(code);
                }
                code
            }
        };
    }
    let codes = column.codes.iter().chain(more.codes.iter().map(|code| new_of_old[code as usize]));
    column.codes = Codes::from_iter(column.values.len(), codes.collect::<Vec<_>>().into_iter());
    column
}

/// For each code of the second its code in the first, or `u32::MAX`.
fn known_codes(column: &RawColumn, more: &RawColumn) -> Vec<u32> {
    let texts = column.values.iter().zip(0..).filter(|(_, code)| Some(*code) != column.null);
    let known: FastMap<&str, u32> = texts.collect();
    let code = |(text, old): (&str, u32)| match more.null == Some(old) {
        true => u32::MAX,
        false => known.get(text).copied().unwrap_or(u32::MAX),
    };
    more.values.iter().zip(0..).map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str], null: Option<u32>, codes: &[u8]) -> RawColumn {
        RawColumn {
            name: "a".into(),
            codes: Codes::U8(codes.to_vec()),
            values: texts.iter().collect(),
            null,
            native_type: None,
        }
    }

    #[test]
    fn texts_of_both_are_one_dictionary() {
        let joined = join(
            column(&["x", "y"], None, &[0, 1]),
            &column(&["z", "y", "x"], None, &[0, 1, 2, 0]),
        );
        assert_eq!(joined.values.iter().collect::<Vec<_>>(), ["x", "y", "z"]);
        assert_eq!(joined.codes.iter().collect::<Vec<_>>(), [0, 1, 2, 1, 0, 2]);
        let joined =
            join(column(&["x", ""], Some(1), &[0, 1]), &column(&["", "x"], Some(0), &[0, 1]));
        assert_eq!(
            (joined.codes.iter().collect::<Vec<_>>(), joined.null),
            (vec![0, 1, 1, 0], Some(1))
        );
        let joined = join(column(&["x"], None, &[0]), &column(&["x", ""], Some(1), &[1]));
        assert_eq!((joined.codes.iter().collect::<Vec<_>>(), joined.null), (vec![0, 1], Some(1)));
    }
}
