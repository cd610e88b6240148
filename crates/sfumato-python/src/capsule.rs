//! The Arrow PyCapsule interface: streams of batches from any Python object that has one, and back.
//!
//! The crate's only unsafe code is here. What comes in is trusted to be what the interface says,
//! as every consumer of it must.

#![allow(unsafe_code)]

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const STREAM: &CStr = c"arrow_array_stream";
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";

fn broken(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("the Arrow data can't be read: {error}"))
}

/// The batches of an object that exports a stream, or a single batch. None if it exports neither.
/// No cell is copied: the buffers stay those of whoever made them.
pub fn import(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<RecordBatch>>> {
    if object.hasattr("__arrow_c_stream__")? {
        return import_stream(object).map(Some);
    }
    if object.hasattr("__arrow_c_array__")? {
        return import_array(object).map(|batch| Some(vec![batch]));
    }
    Ok(None)
}

fn import_stream(object: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream, which is moved out of it; what is left behind
    // is marked as released, so that the capsule's destructor lets it be.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    // Whoever fills the stream may need the lock, from this thread or from another.
    object.py().detach(|| collect(stream)).map_err(broken)
}

fn collect(stream: FFI_ArrowArrayStream) -> Result<Vec<RecordBatch>, ArrowError> {
    let reader = ArrowArrayStreamReader::try_new(stream)?;
    let schema: SchemaRef = arrow_array::RecordBatchReader::schema(&reader);
    let mut batches = reader.collect::<Result<Vec<_>, _>>()?;
    if batches.is_empty() {
        // A table without rows still has columns.
        batches.push(RecordBatch::new_empty(schema));
    }
    Ok(batches)
}

fn import_array(object: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let pair = object.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
        (pair.get_item(0)?.cast_into::<PyCapsule>()?, pair.get_item(1)?.cast_into::<PyCapsule>()?);
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold an array, which is moved out, and its schema, which is
    // only looked at while the capsule lives.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    let data = data.map_err(broken)?;
    match data.data_type() {
        arrow_schema::DataType::Struct(_) => Ok(RecordBatch::from(StructArray::from(data))),
        other => Err(PyTypeError::new_err(format!("a table is needed, not an array of {other}"))),
    }
}

/// Batches as a capsule that any consumer of the interface takes.
pub fn export<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
}

/// A schema as a capsule.
pub fn export_schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(broken)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
