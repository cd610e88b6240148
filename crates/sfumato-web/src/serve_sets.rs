//! `GET /sets/KEY`: a random set of items for the record of a key.
//!
//! No request and no answer is logged. Only this machine can ask.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rand_chacha::ChaCha20Rng;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_sets::serve::{SetServer, answers_generator};

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
    let refused = |doing: &str, error: &std::io::Error| {
        Error::new(ErrorKind::Io, format!("can't {doing} {address}: {error}"))
    };
    let names = (0..server.n_items() as u32)
        .map(|item| serde_json::Value::from(server.name(item)).to_string())
        .collect();
    let shared = Arc::new(Shared { server, names });
    let router = Router::new().route("/sets/{key}", get(answer)).with_state(shared);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.max(1))
        .enable_io()
        .build()
        .map_err(|error| Error::resources(format!("can't start {threads} threads: {error}")))?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .map_err(|error| refused("listen on", &error))?;
        ready(listener.local_addr().map_err(|error| refused("listen on", &error))?);
        axum::serve(listener, router).await.map_err(|error| refused("serve on", &error))
    })
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
