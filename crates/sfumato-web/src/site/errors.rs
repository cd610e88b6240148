//! Errors over HTTP: the same kinds, codes, places and hints as on the command line, as JSON. No
//! cell of the data is in them.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use sfumato::ErrorKind;

use super::answer::json_with;
use super::folder::Folder;

/// An answer that is an error.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Failure {
    /// Something about the request itself.
    pub(crate) fn new(status: StatusCode, kind: &str, code: u8, message: &str, hint: &str) -> Self {
        let mut error = json!({ "kind": kind, "exit_code": code, "message": message });
        if !hint.is_empty() {
            error["hint"] = hint.into();
        }
        Failure { status, body: json!({ "error": error }) }
    }

    /// A request that can't be understood.
    pub(crate) fn wrong(message: &str, hint: &str) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "parameters", 2, message, hint)
    }

    /// Somebody who may not ask.
    pub(crate) fn refused(status: StatusCode, message: &str, hint: &str) -> Self {
        Self::new(status, "refused", 2, message, hint)
    }

    /// Too much at once.
    pub(crate) fn busy(message: &str, hint: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "resources", 4, message, hint)
    }

    /// Something isn't there.
    pub(crate) fn missing(message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "input", 2, message, "")
    }

    /// A bug of ours.
    pub(crate) fn bug(message: &str) -> Self {
        let hint = "this is a bug of Sfumato; nothing was published";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", 70, message, hint)
    }

    /// An error of the library. Paths are shown as the page knows them: below the folder.
    pub(crate) fn of(error: &sfumato::Error, folder: &Folder) -> Self {
        let (status, kind) = kind_of(error.kind());
        let place = error.place();
        let mut body = json!({
            "kind": kind,
            "exit_code": error.exit_code(),
            "message": folder.shorten(error.message()),
        });
        if let Some(file) = place.file {
            body["file"] = folder.shorten(file).into();
        }
        if let Some(line) = place.line {
            body["line"] = line.into();
        }
        if let Some(column) = place.column {
            body["column"] = column.into();
        }
        if let Some(hint) = error.hint() {
            body["hint"] = folder.shorten(hint).into();
        }
        Failure { status, body: json!({ "error": body }) }
    }

    /// The same of the layers below.
    pub(crate) fn of_core(error: sfumato_core::Error, folder: &Folder) -> Self {
        Self::of(&sfumato::Error::from(error), folder)
    }
}

fn kind_of(kind: ErrorKind) -> (StatusCode, &'static str) {
    match kind {
        ErrorKind::Input => (StatusCode::UNPROCESSABLE_ENTITY, "input"),
        ErrorKind::Parameters => (StatusCode::UNPROCESSABLE_ENTITY, "parameters"),
        ErrorKind::Unsupported => (StatusCode::UNPROCESSABLE_ENTITY, "unsupported"),
        ErrorKind::Infeasible => (StatusCode::CONFLICT, "infeasible"),
        ErrorKind::Resources => (StatusCode::INSUFFICIENT_STORAGE, "resources"),
        ErrorKind::Io => (StatusCode::NOT_FOUND, "io"),
        ErrorKind::Cancelled => (StatusCode::CONFLICT, "cancelled"),
        // The enumeration may grow: what isn't known is taken for a bug, not for a mistake.
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        json_with(self.status, &self.body)
    }
}
