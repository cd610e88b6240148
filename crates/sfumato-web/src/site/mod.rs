//! `sfumato serve`: the web UI and its HTTP API over one folder.
//!
//! Whoever asks must have exchanged a token for a cookie, and every request is looked at in
//! `guard.rs` before anything else. Work goes through the library: the same pipeline, verification
//! and errors as on the command line. Nothing is fetched from anywhere.

mod answer;
mod assets;
mod blocks;
mod body;
mod catalogue;
mod doors;
mod errors;
mod files;
mod folder;
mod guard;
mod guards;
mod hierarchy;
mod jobs;
mod ledger;
mod look;
mod openapi;
mod preview;
mod row_groups;
mod rows;
mod sample;
mod session;
mod shape;
mod tasks;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use sfumato_core::{Error, Result};

use crate::connections::{self, Limits};
use crate::encryption::Certificate;
use folder::Folder;
use session::Sessions;
use tasks::Tasks;

/// How long a connection may be open, whatever it does: as long as the longest run is watched.
const LONGEST: Duration = Duration::from_secs(4 * 3600);
/// How many connections there may be at once. Browsers keep six.
const MOST: usize = 256;

/// What to serve, to whom, and within which limits.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the data. Nothing outside it is read or written.
    pub folder: PathBuf,
    /// Where to listen.
    pub address: SocketAddr,
    /// What others must know to get in. Without it and a certificate only this machine is
    /// answered.
    pub password: Option<String>,
    /// With what connections are encrypted, if they are.
    pub certificate: Option<Certificate>,
    /// Names of this machine, beside its addresses, under which others ask.
    pub names: Vec<String>,
    /// The largest file that may be uploaded, in bytes.
    pub largest_upload: u64,
    /// The memory that a run may take if its job says nothing, such as `2GiB`.
    pub memory: Option<String>,
    /// How long a run may take.
    pub longest_run: Duration,
    /// How many threads answer.
    pub threads: usize,
}

/// What all requests share.
pub(crate) struct Site {
    pub(crate) settings: Settings,
    pub(crate) folder: Folder,
    pub(crate) sessions: Sessions,
    pub(crate) tasks: Tasks,
}

/// Answer requests until the process ends. `ready` is called with the address to open, which has
/// the token of one visit.
pub fn serve(settings: Settings, ready: impl FnOnce(&str)) -> Result<()> {
    let is_open = !settings.address.ip().is_loopback();
    if is_open && settings.password.is_none() && settings.certificate.is_none() {
        return Err(Error::params(format!("{} can be reached from elsewhere", settings.address))
            .hint("say --certificate and --key, or --password-file, or listen on 127.0.0.1"));
    }
    let encrypted = settings.certificate.as_ref().map(Certificate::acceptor).transpose()?;
    let scheme = if encrypted.is_some() { "https" } else { "http" };
    let folder = Folder::open(&settings.folder)?;
    let (address, threads) = (settings.address, settings.threads);
    let limits = Limits { longest: LONGEST, connections: MOST };
    connections::serve(address, threads, &limits, encrypted.as_ref(), |address| {
        let sessions = Sessions::new(address.port(), scheme == "https")?;
        ready(&format!("{scheme}://{address}/open?token={}", sessions.token()));
        let tasks = Tasks::new(settings.longest_run, &folder);
        Ok(router(Arc::new(Site { settings, folder, sessions, tasks })))
    })
}

fn router(site: Arc<Site>) -> Router {
    let mut router = Router::new()
        .route("/", get(assets::page))
        .route("/assets/{name}", get(assets::asset))
        .route("/open", get(doors::open))
        .route("/login", get(doors::ask).post(doors::login));
    for route in openapi::routes() {
        router = router.route(route.path, route.handler);
    }
    router
        .fallback(answer::nothing_here)
        .layer(from_fn_with_state(Arc::clone(&site), guard::guard))
        .with_state(site)
}
