//! Python values as values of a job.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use sfumato::Value;

/// A value of a job, from what Python writes for it.
pub fn value_of(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        // A job has no larger whole numbers: what is too large stays a text and is refused.
        let whole = object.extract::<i64>().map(Value::Integer);
        return whole.or_else(|_| Ok(Value::Text(object.str()?.to_string())));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(object.extract()?));
    }
    if object.is_instance_of::<PyString>() {
        return Ok(Value::Text(object.extract()?));
    }
    if object.hasattr("__fspath__")? {
        return Ok(Value::Text(object.call_method0("__fspath__")?.extract()?));
    }
    if let Ok(entries) = object.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.extract::<String>()?, value_of(&value)?))
        };
        return Ok(Value::Table(entries.iter().map(entry).collect::<PyResult<_>>()?));
    }
    // Numbers of numpy are neither of Python's.
    if let Ok(whole) = object.extract::<i64>() {
        return Ok(Value::Integer(whole));
    }
    if let Ok(number) = object.extract::<f64>() {
        return Ok(Value::Float(number));
    }
    match object.try_iter() {
        Ok(values) => {
            let values = values.map(|value| value_of(&value?)).collect::<PyResult<_>>()?;
            Ok(Value::List(values))
        }
        Err(_) => Err(PyTypeError::new_err(format!(
            "a job can't hold {}: texts, numbers, lists and dictionaries are what it knows",
            object.get_type()
        ))),
    }
}
