//! `GET /api/v1/session` and `POST /api/v1/look`: what a page asks before anything else, and the
//! first lines of a file of any kind.

use std::sync::Arc;

use axum::extract::{Request, State};
use serde_json::json;

use super::answer::{self, Answer};
use super::errors::Failure;
use super::files::first_lines;
use super::{Site, body};

/// How many lines are shown of a file, and of how many bytes.
const LINES: usize = 40;
const BYTES: usize = 64 << 10;

/// `GET /api/v1/session`
pub(crate) async fn session(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let csrf = site.sessions.csrf(request.headers());
    answer::json(&json!({
        "csrf": csrf,
        "version": env!("CARGO_PKG_VERSION"),
        "folder": site.folder.name(),
        "largest_upload": site.settings.largest_upload,
        "longest_run_seconds": site.settings.longest_run.as_secs(),
    }))
}

/// `POST /api/v1/look`: how a file begins, whatever it is.
pub(crate) async fn look(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let request = body::json(request).await?;
    let failed = |error| Failure::of_core(error, &site.folder);
    let path = site.folder.below(body::text(&request, "path")?).map_err(failed)?;
    let bytes = path.metadata().map(|about| about.len()).unwrap_or_default();
    if path.is_dir() {
        return answer::json(&json!({ "is_folder": true, "lines": [], "bytes": 0 }));
    }
    let lines = first_lines(&path, BYTES, LINES).map_err(failed)?;
    answer::json(&json!({ "is_folder": false, "lines": lines, "bytes": bytes }))
}
