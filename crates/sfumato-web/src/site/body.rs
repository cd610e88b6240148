//! Bodies of requests: never more than was allowed, and never slower than a pause between pieces.

use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use hyper::body::{Body as _, Bytes};
use serde_json::Value;

use super::errors::Failure;

/// The longest pause between two pieces.
const PAUSE: Duration = Duration::from_secs(20);
/// How long a body that isn't a file may take.
const WHOLE: Duration = Duration::from_secs(30);
/// The largest body that isn't a file: a job with thousands of columns.
const LARGEST: usize = 4 << 20;

/// The next piece of a body; none at its end.
pub(crate) async fn next(body: &mut Body) -> Result<Option<Bytes>, Failure> {
    loop {
        let piece = std::future::poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx));
        let slow = |_| {
            let message = "the request came in too slowly";
            Failure::refused(StatusCode::REQUEST_TIMEOUT, message, "send it again")
        };
        match tokio::time::timeout(PAUSE, piece).await.map_err(slow)? {
            None => return Ok(None),
            Some(Err(_)) => {
                return Err(Failure::wrong("the request broke off", "send it again"));
            }
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

/// A whole body of at most so many bytes.
pub(crate) async fn all(mut body: Body, most: usize) -> Result<Vec<u8>, Failure> {
    let whole = async {
        let mut bytes = Vec::new();
        while let Some(piece) = next(&mut body).await? {
            if bytes.len() + piece.len() > most {
                return Err(too_large(most as u64));
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    };
    tokio::time::timeout(WHOLE, whole).await.unwrap_or_else(|_| {
        let message = "the request came in too slowly";
        Err(Failure::refused(StatusCode::REQUEST_TIMEOUT, message, "send it again"))
    })
}

/// The JSON of a request.
pub(crate) async fn json(request: Request) -> Result<Value, Failure> {
    let bytes = all(request.into_body(), LARGEST).await?;
    let wrong =
        |message: &str| Failure::wrong(message, "GET /api/v1/openapi.json says what it must be");
    match serde_json::from_slice(&bytes) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(wrong("the request is no object of JSON")),
        Err(error) => Err(wrong(&format!("the request isn't JSON: line {}", error.line()))),
    }
}

/// A text of an object, under a key that must be there.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, Failure> {
    value.get(key).and_then(Value::as_str).ok_or_else(|| {
        let message = format!("'{key}' is missing, or isn't a text");
        Failure::wrong(&message, "GET /api/v1/openapi.json says what it must be")
    })
}

/// Too many bytes.
pub(crate) fn too_large(most: u64) -> Failure {
    let message = format!("this is more than {most} bytes");
    let hint = "--max-upload allows more; or put the file into the folder";
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "resources", 4, &message, hint)
}
