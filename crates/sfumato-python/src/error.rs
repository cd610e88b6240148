//! Errors of the engine as Python exceptions, with the same texts and codes.

use pyo3::prelude::*;
use sfumato::{Error, ErrorKind};

/// The Python exception of an error. The classes are written in Python (`sfumato.errors`), because
/// some of them are also `ValueError` or `OSError`.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let kind = match error.kind() {
        ErrorKind::Input => "input",
        ErrorKind::Parameters => "parameters",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::Infeasible => "infeasible",
        ErrorKind::Resources => "resources",
        ErrorKind::Io => "io",
        ErrorKind::Cancelled => "cancelled",
        _ => "internal",
    };
    let place = error.place();
    let told = (
        kind,
        error.to_string(),
        error.message(),
        error.hint(),
        (place.file, place.line, place.column),
        error.exit_code(),
    );
    made(py, told)
}

/// The exception of a thread that panicked.
pub fn panicked(py: Python<'_>) -> PyErr {
    const BUG: u8 = 70;
    let what = "the engine stopped in a place where it never should: this is a bug of sfumato";
    let hint = Some("nothing was published; please tell the project what you did");
    made(py, ("internal", what.to_string(), what, hint, (None, None, None), BUG))
}

type Told<'a> = (
    &'static str,
    String,
    &'a str,
    Option<&'a str>,
    (Option<&'a str>, Option<u64>, Option<u64>),
    u8,
);

fn made(py: Python<'_>, told: Told<'_>) -> PyErr {
    let make = |py: Python<'_>| -> PyResult<PyErr> {
        let made = py.import("sfumato.errors")?.getattr("of_engine")?.call1(told)?;
        Ok(PyErr::from_value(made))
    };
    make(py).unwrap_or_else(|error| error)
}
