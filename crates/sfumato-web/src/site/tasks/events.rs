//! `GET /api/v1/jobs/ID/events`: how far a task is, as server-sent events. The last one says how it
//! ended; whoever comes later gets just that.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use hyper::body::Bytes;
use tokio::sync::mpsc;

use super::Task;
use crate::site::Site;
use crate::site::answer::{Answer, in_pieces};

/// After so long without news something is said all the same, so that a page that left is noticed.
const SILENCE: Duration = Duration::from_secs(10);

/// `GET /api/v1/jobs/ID/events`
pub(crate) async fn events(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let task = site.tasks.find(&id)?;
    let (sender, pieces) = mpsc::channel(8);
    tokio::spawn(tell(task, sender));
    Ok(in_pieces("text/event-stream", pieces))
}

async fn tell(task: Arc<Task>, sender: mpsc::Sender<Bytes>) {
    let mut changes = task.changes.subscribe();
    loop {
        changes.mark_unchanged();
        let is_over = task.is_over();
        let name = if is_over { "end" } else { "progress" };
        let event = format!("event: {name}\ndata: {}\n\n", task.shown(false));
        if sender.send(event.into()).await.is_err() || is_over {
            return;
        }
        // Whether it changed or time went by: its state is told again.
        let _ = tokio::time::timeout(SILENCE, changes.changed()).await;
    }
}
