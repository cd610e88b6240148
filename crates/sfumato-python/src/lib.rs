//! The extension module inside the Python package `sfumato`. It is thin: it takes data by the Arrow
//! C interface and jobs as they are, runs them by the public library without the interpreter's
//! lock, and hands back batches and JSON. What users see is written in Python, in `python/sfumato`.

mod apply;
mod ask;
mod capsule;
mod data;
mod error;
mod job;
mod release;
mod study;
mod value;
mod watch;

use pyo3::prelude::*;

/// The native part of the package. Use the package `sfumato` instead.
#[pymodule]
mod _sfumato {
    #[pymodule_export]
    use crate::apply::{apply, recoding_to_sql};
    #[pymodule_export]
    use crate::ask::{attack, audit, explain, query};
    #[pymodule_export]
    use crate::data::columns_of;
    #[pymodule_export]
    use crate::job::Job;
    #[pymodule_export]
    use crate::release::{Release, anonymize, run};
    #[pymodule_export]
    use crate::study::{evaluate, explore};

    /// The version of the engine.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
