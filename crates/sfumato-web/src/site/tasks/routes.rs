//! The routes of tasks: start, list, look, stop, and the pages that they made.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::IntoResponse as _;
use serde_json::{Value, json};

use super::work;
use crate::site::Site;
use crate::site::answer::{self, Answer, json_with};
use crate::site::body;
use crate::site::errors::Failure;
use crate::site::files::attachment;

/// What a report may do: show itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/// Start a task of a kind. The last word of the path says which: `jobs` is a run.
pub(crate) async fn start(State(site): State<Arc<Site>>, request: Request) -> Answer {
    let what = request.uri().path().rsplit('/').next().unwrap_or_default().to_string();
    let said = body::json(request).await?;
    let task = work::begin(&site, &what, &said)?;
    Ok(json_with(StatusCode::ACCEPTED, &task.shown(true)))
}

/// `GET /api/v1/jobs`
pub(crate) async fn list(State(site): State<Arc<Site>>) -> Answer {
    let all: Vec<Value> = site.tasks.all().iter().map(|task| task.shown(false)).collect();
    answer::json(&json!({ "jobs": all }))
}

/// `GET /api/v1/jobs/ID`
pub(crate) async fn state(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    answer::json(&site.tasks.find(&id)?.shown(true))
}

/// `DELETE /api/v1/jobs/ID`: stop it. A run that is stopped leaves nothing behind.
pub(crate) async fn cancel(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let task = site.tasks.find(&id)?;
    match task.left() {
        Some(_) => site.tasks.forget(&site.folder, &id),
        None => task.cancel.cancel(),
    }
    Ok(json_with(StatusCode::ACCEPTED, &task.shown(false)))
}

/// `POST /api/v1/jobs/ID/resume`: go on with a run that broke off with its server.
pub(crate) async fn resume(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let left = site.tasks.find(&id)?.left();
    let left = left.ok_or_else(|| {
        Failure::wrong("this task didn't break off", "only what broke off can be resumed")
    })?;
    let task = work::resume(&site, &left)?;
    Ok(json_with(StatusCode::ACCEPTED, &task.shown(true)))
}

/// `GET /api/v1/jobs/ID/pages/NAME`: a report or the job of a task that is done.
pub(crate) async fn page(
    State(site): State<Arc<Site>>,
    Path((id, name)): Path<(String, String)>,
) -> Answer {
    let outcome = site.tasks.find(&id)?.outcome();
    let outcome = outcome.ok_or_else(|| Failure::missing("this task made no page"))?;
    let page = outcome.pages.iter().find(|page| page.name == name);
    let page = page.ok_or_else(|| Failure::missing("this task made no such page"))?;
    let shown =
        if page.kind.starts_with("text/html") { "inline".into() } else { attachment(&name) };
    let headers: [(HeaderName, String); 4] = [
        (header::CONTENT_TYPE, page.kind.into()),
        (header::CONTENT_SECURITY_POLICY, POLICY.into()),
        (header::CACHE_CONTROL, "no-store".into()),
        (header::CONTENT_DISPOSITION, shown),
    ];
    Ok((headers, page.text.clone()).into_response())
}
