//! Turns columns into Arrow arrays: the distinct texts become values of their type once, then the
//! values of rows are taken.
//!
//! An array holds the values of its rows and nothing else: no text that no row has may reach a
//! file.

use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, UInt32Array, new_null_array};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use arrow_select::take::take;
use sfumato_core::{Error, Result};

use crate::readers::arrow::{UTC, retype};
use crate::writers::WriteColumn;

/// The number of bytes of distinct texts beyond which offsets need 64 bits.
const LARGE: usize = 1 << 30;

/// The type of a column of lists of texts, for columns to be written: a text of such a column is
/// the texts of its list with [`BETWEEN`] between them.
pub const LISTS: &str = "List";
/// What stands between the texts of a list.
pub const BETWEEN: char = '\u{1f}';

/// Whether a type, as Arrow names it, is a type of numbers.
pub(crate) fn is_numeric(native_type: &str) -> bool {
    DataType::from_str(native_type).is_ok_and(|data_type| data_type.is_numeric())
}

/// A column whose distinct values have been converted.
pub(crate) struct ReadyColumn<'a> {
    column: WriteColumn<'a>,
    /// The type in the file.
    data_type: DataType,
    /// The value of each code: of the file's type, or text for all text types.
    values: ArrayRef,
}

impl<'a> ReadyColumn<'a> {
    /// Convert the values of a column.
    pub(crate) fn new(column: WriteColumn<'a>) -> Result<Self> {
        let data_type = data_type(column.name, column.native_type)?;
        let texts = column
            .values
            .iter()
            .enumerate()
            .map(|(code, text)| (column.null != Some(code as u32)).then_some(text));
        let texts: ArrayRef = if column.values.bytes() > LARGE {
            Arc::new(texts.collect::<LargeStringArray>())
        } else {
            Arc::new(texts.collect::<StringArray>())
        };
        let values = match &data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(texts),
            DataType::Null => Ok(new_null_array(&DataType::Null, texts.len())),
            DataType::List(_) => Ok(lists(&column)),
            DataType::Timestamp(unit, Some(_)) => {
                // The zone is a name for readers; the instants don't depend on its rules.
                let utc = DataType::Timestamp(*unit, Some(UTC.into()));
                cast(&texts, &utc).and_then(|instants| retype(&instants, &data_type))
            }
            other => cast(&texts, other),
        };
        let values = values.map_err(|e| {
            Error::unsupported(format!(
                "column '{}' can't be written as {data_type}: {e}",
                column.name
            ))
        })?;
        Ok(ReadyColumn { column, data_type, values })
    }

    /// The values of some rows.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Result<ArrayRef> {
        let mut codes = Vec::with_capacity(rows.len());
        self.column.source.codes(rows, &mut codes);
        let nulls = codes.iter().filter(|&&code| Some(code) == self.column.null).count();
        let name = self.column.name;
        let failed = |e| Error::internal(format!("taking rows of column '{name}': {e}"));
        let taken = take(&self.values, &UInt32Array::from(codes), None).map_err(failed)?;
        // A text that isn't a value of the type became null when it was cast.
        if taken.logical_null_count() != nulls {
            let message =
                format!("column '{name}' holds texts that aren't of type {}", self.data_type);
            return Err(Error::unsupported(message));
        }
        // Text is taken first and changed after, because views would share the buffer of all
        // distinct texts.
        if taken.data_type() == &self.data_type {
            Ok(taken)
        } else {
            cast(&taken, &self.data_type).map_err(failed)
        }
    }
}

/// The list of each code.
fn lists(column: &WriteColumn<'_>) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for (code, text) in column.values.iter().enumerate() {
        text.split(BETWEEN)
            .filter(|item| !item.is_empty())
            .for_each(|item| lists.values().append_value(item));
        lists.append(column.null != Some(code as u32));
    }
    Arc::new(lists.finish())
}

fn data_type(column: &str, native_type: Option<&str>) -> Result<DataType> {
    let Some(name) = native_type else { return Ok(DataType::Utf8) };
    if name == LISTS {
        return Ok(DataType::new_list(DataType::Utf8, true));
    }
    DataType::from_str(name)
        .map_err(|e| Error::internal(format!("column '{column}' has the unknown type {name}: {e}")))
}

/// The field of the schema for a column.
pub(crate) fn field(name: &str, native_type: Option<&str>) -> Result<Field> {
    Ok(Field::new(name, data_type(name, native_type)?, true))
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use sfumato_core::column::{Codes, Dictionary};

    use super::*;

    #[test]
    fn lists_are_written_beside_other_columns() {
        let values: Dictionary = ["a\u{1f}b", "", "c", "d"].into_iter().collect();
        let codes = Codes::U8(vec![2, 0, 1]);
        let native_type = Some(LISTS);
        let column =
            WriteColumn { name: "a", values: &values, null: None, native_type, source: &codes };
        let array = ReadyColumn::new(column).unwrap().rows(0..3).unwrap();
        let lists = array.as_list::<i32>();
        let of = |row: usize| -> Vec<String> {
            let list = lists.value(row);
            list.as_string::<i32>().iter().flatten().map(String::from).collect()
        };
        assert_eq!([of(0), of(1), of(2)], [vec!["c"], vec!["a", "b"], vec![]]);
    }

    #[test]
    fn only_used_texts_must_be_values() {
        let values: Dictionary = ["1", "", "*", "2"].into_iter().collect();
        let codes = Codes::U8(vec![3, 1, 0, 2]);
        let column = WriteColumn {
            name: "a",
            values: &values,
            null: Some(1),
            native_type: Some("Int32"),
            source: &codes,
        };
        let ready = ReadyColumn::new(column).unwrap();
        let array = ready.rows(0..3).unwrap();
        assert_eq!(array.as_primitive::<arrow_array::types::Int32Type>().value(0), 2);
        assert!(array.is_null(1));
        let error = ready.rows(2..4).unwrap_err();
        assert_eq!(error.message, "column 'a' holds texts that aren't of type Int32");
        let unknown =
            ReadyColumn::new(WriteColumn { native_type: Some("Float7"), ..column }).err().unwrap();
        assert_eq!(unknown.kind, sfumato_core::ErrorKind::Internal);
    }
}
