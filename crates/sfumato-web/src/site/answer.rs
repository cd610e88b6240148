//! Answers: JSON that no cache keeps, and files in pieces.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use serde_json::Value;
use tokio::sync::mpsc;

use super::errors::Failure;

/// What a handler gives.
pub(crate) type Answer = Result<Response, Failure>;

/// JSON with a status. What was asked is nobody's history: no cache keeps it.
pub(crate) fn json_with(status: StatusCode, value: &Value) -> Response {
    const HEADERS: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, HEADERS, value.to_string()).into_response()
}

/// JSON.
pub(crate) fn json(value: &Value) -> Answer {
    Ok(json_with(StatusCode::OK, value))
}

/// A body whose pieces come from elsewhere. Whoever sends them learns when nobody listens anymore.
pub(crate) struct Pieces(pub(crate) mpsc::Receiver<Bytes>);

impl hyper::body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

/// An answer in pieces.
pub(crate) fn in_pieces(kind: &'static str, pieces: mpsc::Receiver<Bytes>) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::OK, headers, Body::new(Pieces(pieces))).into_response()
}

/// What is answered where nothing is.
pub(crate) async fn nothing_here() -> Failure {
    Failure::missing("there is nothing here")
}
