//! What Python hands over: paths, frames, and sequences of baskets.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use sfumato::Data;

use crate::capsule;

/// The column of baskets that were handed over as Python sequences.
const ITEMS: &str = "items";

/// Data that Python handed over: a path, or anything that exports Arrow, or baskets as a sequence
/// of sequences.
pub fn data_of(object: &Bound<'_, PyAny>) -> PyResult<Data> {
    if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
        return Ok(Data::Path(object.extract::<PathBuf>()?));
    }
    match capsule::import(object)? {
        Some(batches) => Ok(Data::Batches(batches)),
        None => Ok(Data::Batches(vec![baskets_of(object)?])),
    }
}

/// Baskets from a sequence of iterables of items, as one column of lists.
fn baskets_of(object: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let unknown = || {
        PyTypeError::new_err(format!(
            "{} is neither a path, nor a frame that exports Arrow (pandas, polars, pyarrow, \
             duckdb), nor a sequence of baskets",
            object.get_type()
        ))
    };
    let mut lists = ListBuilder::new(StringBuilder::new());
    for basket in object.try_iter().map_err(|_| unknown())? {
        let basket = basket?;
        // A text has letters, which nobody means by items.
        if basket.is_instance_of::<PyString>() {
            return Err(unknown());
        }
        let mut items = Vec::new();
        for item in basket.try_iter().map_err(|_| unknown())? {
            items.push(item?.str()?.to_string());
        }
        // A set has no order; what is published must not hang on one that changes with each run.
        items.sort_unstable();
        items.iter().for_each(|item| lists.values().append_value(item));
        lists.append(true);
    }
    let lists: ArrayRef = Arc::new(lists.finish());
    let batch = RecordBatch::try_from_iter([(ITEMS, lists)]);
    batch.map_err(|error: ArrowError| PyTypeError::new_err(error.to_string()))
}

/// The names of the columns of a frame; nothing for a path, which isn't read here.
#[pyfunction]
pub fn columns_of(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    match data_of(data)? {
        Data::Batches(batches) => Ok(batches.first().map(|batch| {
            batch.schema().fields().iter().map(|field| field.name().clone()).collect()
        })),
        _ => Ok(None),
    }
}
