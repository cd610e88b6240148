//! Turns Arrow arrays into codes. The Parquet and the Arrow IPC reader share this: [`Columns`]
//! takes the arrays of all selected columns step by step and passes rows on, with merged or local
//! codes as the caller wants.

mod encode;
mod local;
mod merged;

use std::str::FromStr;

use arrow_array::ArrayRef;
use arrow_cast::can_cast_types;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};

use crate::readers::arrow::local::LocalColumns;
use crate::readers::arrow::merged::MergedColumns;
use crate::readers::merge::Read;
use crate::scan::Target;

/// The time zone in which instants are formatted: an instant stays the same without the rules of
/// its zone.
pub(crate) const UTC: &str = "+00:00";

/// Whether the columns of a type can be read.
fn readable(data_type: &DataType) -> bool {
    use DataType::*;
    match data_type {
        Dictionary(_, values) => readable(values),
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) | RunEndEncoded(..) => false,
        other => !other.is_nested() && can_cast_types(other, &Utf8),
    }
}

/// The type to write a column back with, if its texts can be parsed as that type again.
fn native_type(data_type: &DataType) -> Option<String> {
    match data_type {
        DataType::Dictionary(_, values) => native_type(values),
        other => {
            let name = other.to_string();
            let again = DataType::from_str(&name).is_ok_and(|parsed| parsed == *other);
            (again && can_cast_types(&DataType::Utf8, other)).then_some(name)
        }
    }
}

/// The same bits as an array of another type with the same layout.
pub(crate) fn retype(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    let data = array.to_data().into_builder().data_type(data_type.clone()).build()?;
    Ok(arrow_array::make_array(data))
}

/// All selected columns of a file, on their way to the receiver of the rows.
pub(crate) enum Columns<'a> {
    Merged(MergedColumns<'a>),
    Local(LocalColumns<'a>),
}

impl<'a> Columns<'a> {
    /// The selected columns of a schema. Columns that aren't plain values are refused by name.
    /// Who has a limit of memory is told what blocks take.
    pub(crate) fn new(
        schema: &SchemaRef,
        selected: &[usize],
        target: Target<'a>,
        memory: &Accountant,
    ) -> Result<Self> {
        for &column in selected {
            let field = schema.field(column);
            if !readable(field.data_type()) {
                let message = format!("column '{}' has type {}", field.name(), field.data_type());
                return Err(Error::input(message + ", which isn't one plain value per row")
                    .hint("leave the column out, or turn it into text or numbers before"));
            }
        }
        let names = selected.iter().map(|&column| schema.field(column).name().clone());
        Ok(match target {
            Target::Merged(consumer) => Columns::Merged(MergedColumns::new(names, consumer)),
            Target::Local(sink) => Columns::Local(LocalColumns::new(names, sink, memory)),
        })
    }

    /// Encode one step of every column in parallel. `next` returns the next array of a column, or
    /// `None` at its end. Columns may come in pieces of different lengths. Returns false when
    /// nothing was left.
    pub(crate) fn step<S: Send>(
        &mut self,
        sources: &mut [S],
        next: impl Fn(&mut S) -> Result<Option<ArrayRef>> + Sync,
        observer: &dyn Observer,
    ) -> Result<bool> {
        match self {
            Columns::Merged(columns) => columns.step(sources, next, observer),
            Columns::Local(columns) => columns.step(sources, next, observer),
        }
    }

    /// Pass on what is left. `n_rows` is used if no column was selected.
    pub(crate) fn finish(self, n_rows: Option<usize>, observer: &dyn Observer) -> Result<Read> {
        let read = match self {
            Columns::Merged(columns) => columns.finish(),
            Columns::Local(columns) => columns.finish(observer)?,
        };
        Ok(Read { n_rows: n_rows.unwrap_or(read.n_rows), ..read })
    }
}

/// The types to write some columns back with.
pub(crate) fn native_types(schema: &SchemaRef, selected: &[usize]) -> Vec<Option<String>> {
    selected.iter().map(|&column| native_type(schema.field(column).data_type())).collect()
}

/// The error for a step in which two columns don't fit together.
fn too_long(name: &str) -> Error {
    Error::input(format!("column '{name}' is longer than others"))
}
