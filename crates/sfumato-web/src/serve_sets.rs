//! `GET /sets/KEY`: a random set of items for the record of a key.
//!
//! No request and no answer is logged. Only this machine can ask, and only by one of its own names:
//! a page in a browser whose own name was made to lead here (DNS rebinding) gets nothing. Whoever
//! opens a connection and says nothing, or little by little, is cut off.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rand_chacha::ChaCha20Rng;
use sfumato_core::{Error, Result};
use sfumato_sets::serve::{SetServer, answers_generator};

use crate::connections::{self, Limits};
use crate::names::is_this_machine;

/// How long a connection may be open, whatever it does.
const LONGEST: Duration = Duration::from_secs(300);
/// How many connections there may be at once.
const MOST: usize = 4096;

struct Shared {
    server: SetServer,
    /// The name of each item as JSON: escaped once, not with every answer.
    names: Vec<String>,
}

/// Answer requests until the process ends. `ready` is called with the address, which matters if
/// port 0 was asked for.
pub fn serve_sets(
    server: SetServer,
    address: SocketAddr,
    threads: usize,
    ready: impl FnOnce(SocketAddr),
) -> Result<()> {
    if !address.ip().is_loopback() {
        return Err(Error::params(format!("{address} can be reached from elsewhere"))
            .hint("answers are for this machine alone: take 127.0.0.1 or [::1]"));
    }
    let names = (0..server.n_items() as u32)
        .map(|item| serde_json::Value::from(server.name(item)).to_string())
        .collect();
    let shared = Arc::new(Shared { server, names });
    let router = Router::new()
        .route("/sets/{key}", get(answer))
        .with_state(shared)
        .layer(axum::middleware::from_fn(refuse_other_names));
    let limits = Limits { longest: LONGEST, connections: MOST };
    connections::serve(address, threads, &limits, None, |address| {
        ready(address);
        Ok(router)
    })
}

/// Refuse a request that names another machine than this one.
async fn refuse_other_names(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    match host.is_some_and(is_this_machine) {
        true => next.run(request).await,
        false => {
            let error = "{\"error\":\"ask by the name of this machine: 127.0.0.1 or localhost\"}";
            reply(StatusCode::MISDIRECTED_REQUEST, error.into())
        }
    }
}

thread_local! {
    static RANDOM: RefCell<Option<ChaCha20Rng>> = const { RefCell::new(None) };
}

async fn answer(State(shared): State<Arc<Shared>>, Path(key): Path<String>) -> Response {
    let Some(record) = shared.server.record(&key) else {
        return reply(StatusCode::NOT_FOUND, "{\"error\":\"no record has this key\"}".into());
    };
    let drawn = RANDOM.with_borrow_mut(|random| {
        let random = match random {
            Some(random) => random,
            empty => empty.insert(answers_generator()?),
        };
        Ok::<Vec<u32>, Error>(shared.server.answer(record, random))
    });
    match drawn {
        Ok(items) => {
            let names: Vec<&str> =
                items.iter().map(|item| shared.names[*item as usize].as_str()).collect();
            reply(StatusCode::OK, format!("{{\"items\":[{}]}}", names.join(",")))
        }
        Err(_) => {
            reply(StatusCode::SERVICE_UNAVAILABLE, "{\"error\":\"no random numbers\"}".into())
        }
    }
}

fn reply(status: StatusCode, body: String) -> Response {
    // An answer that a cache keeps would be a log of what was served.
    const HEADERS: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, HEADERS, body).into_response()
}
