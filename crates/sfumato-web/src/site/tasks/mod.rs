//! Work that takes long: runs, explorations, audits, attacks, comparisons. Each is a task with a
//! number, which goes on when nobody looks, can be watched from several pages, and be stopped.

mod clusters;
mod events;
mod left;
mod routes;
mod work;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use sfumato::{Cancel, Progress, ProgressUnit};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::errors::Failure;
use super::folder::Folder;
use super::session::secret;

pub(crate) use events::events;
use left::Left;
pub(crate) use routes::{cancel, list, page, resume, start, state};

/// How many tasks run at once: each takes all threads that it can use.
const AT_ONCE: usize = 2;
/// How many wait.
const MOST_WAITING: usize = 20;
/// How many looks at files are taken at once, and how many wait.
const LOOKS: usize = 2;
/// How many finished tasks are remembered.
const REMEMBERED: usize = 100;
/// How often a page is told how far a task is.
const BREATH: Duration = Duration::from_millis(100);

/// What a task gives: what the page shows, and pages to open or save.
pub(crate) struct Outcome {
    pub(crate) result: Value,
    pub(crate) pages: Vec<Page>,
}

/// A text that a task made.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// How far a task is.
pub(crate) enum State {
    Waiting,
    Running(Option<Progress>),
    Done(Arc<Outcome>),
    Failed(Failure),
    /// It broke off with the server that ran it.
    Broken(Arc<Left>),
}

/// A task.
pub(crate) struct Task {
    pub(crate) id: String,
    /// What is done: `run`, `explore`, ...
    pub(crate) what: &'static str,
    /// What it is about, for people.
    pub(crate) title: String,
    began: SystemTime,
    clock: Instant,
    pub(crate) cancel: Cancel,
    state: Mutex<State>,
    told: Mutex<Option<Instant>>,
    changes: watch::Sender<u64>,
}

impl Task {
    fn new(id: String, what: &'static str, title: String, began: SystemTime, state: State) -> Task {
        Task {
            id,
            what,
            title,
            began,
            clock: Instant::now(),
            cancel: Cancel::new(),
            state: Mutex::new(state),
            told: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// When it began, in seconds since 1970.
    pub(crate) fn began(&self) -> u64 {
        self.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        *self.lock() = state;
        self.changes.send_modify(|version| *version += 1);
    }

    /// Take note of how far it is. Whoever watches is told now and then, and not of each record.
    pub(crate) fn tell(&self, progress: &Progress) {
        let now = Instant::now();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new =
            !matches!(&*self.lock(), State::Running(Some(old)) if old.step == progress.step);
        if !is_new && told.is_some_and(|told| now - told < BREATH) {
            return;
        }
        *told = Some(now);
        drop(told);
        self.set(State::Running(Some(progress.clone())));
    }

    /// Whether it came to an end.
    pub(crate) fn is_over(&self) -> bool {
        matches!(&*self.lock(), State::Done(_) | State::Failed(_) | State::Broken(_))
    }

    /// What it gave, if it is done.
    pub(crate) fn outcome(&self) -> Option<Arc<Outcome>> {
        match &*self.lock() {
            State::Done(outcome) => Some(Arc::clone(outcome)),
            _ => None,
        }
    }

    /// What is left of it, if it broke off with its server.
    fn left(&self) -> Option<Arc<Left>> {
        match &*self.lock() {
            State::Broken(left) => Some(Arc::clone(left)),
            _ => None,
        }
    }

    /// How far it is, as JSON; with what it gave, if that is asked for.
    pub(crate) fn shown(&self, with_result: bool) -> Value {
        let mut shown = json!({
            "id": self.id, "what": self.what, "title": self.title, "began": self.began(),
        });
        match &*self.lock() {
            State::Waiting => shown["state"] = "waiting".into(),
            State::Broken(left) => {
                shown["state"] = "broken".into();
                shown["can_resume"] = left.is_on_disk().into();
            }
            State::Running(progress) => {
                shown["state"] = "running".into();
                shown["elapsed_ms"] = (self.clock.elapsed().as_millis() as u64).into();
                if let Some(Progress { step, done, total, unit, .. }) = progress {
                    shown["step"] = step.as_str().into();
                    shown["done"] = (*done).into();
                    shown["total"] = (*total).into();
                    shown["unit"] = unit_name(*unit).into();
                }
            }
            State::Done(outcome) => {
                shown["state"] = "done".into();
                let names = outcome.pages.iter().map(|page| page.name).collect::<Vec<_>>();
                shown["pages"] = names.into();
                if with_result {
                    shown["result"] = outcome.result.clone();
                }
            }
            State::Failed(failure) => {
                let kind = failure.body["error"]["kind"].as_str();
                let state = if kind == Some("cancelled") { "cancelled" } else { "failed" };
                shown["state"] = state.into();
                shown["error"] = failure.body["error"].clone();
            }
        }
        shown
    }
}

fn unit_name(unit: ProgressUnit) -> &'static str {
    match unit {
        ProgressUnit::Bytes => "bytes",
        ProgressUnit::Records => "records",
        _ => "steps",
    }
}

/// All tasks of this server.
pub(crate) struct Tasks {
    all: Mutex<VecDeque<Arc<Task>>>,
    room: Arc<Semaphore>,
    looks: Arc<Semaphore>,
    longest: Duration,
}

impl Tasks {
    /// None but those that broke off with an earlier server of the folder.
    pub(crate) fn new(longest: Duration, folder: &Folder) -> Self {
        let room = |n| Arc::new(Semaphore::new(n));
        let left = Left::all(folder).into_iter().map(|left| {
            let began = UNIX_EPOCH + Duration::from_secs(left.began);
            let (id, title) = (left.id.clone(), left.title.clone());
            Arc::new(Task::new(id, "run", title, began, State::Broken(Arc::new(left))))
        });
        let all = Mutex::new(left.collect());
        Tasks { all, room: room(AT_ONCE), looks: room(LOOKS), longest }
    }

    /// Forget a task that broke off.
    pub(crate) fn forget(&self, folder: &Folder, id: &str) {
        self.lock().retain(|task| task.id != id || task.left().is_none());
        Left::forget(folder, id);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Task>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place to look at a file. It is given back when it is dropped.
    pub(crate) async fn look(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let place = Arc::clone(&self.looks).acquire_owned();
        match tokio::time::timeout(Duration::from_secs(30), place).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(Failure::busy("too much is looked at", "ask again in a moment")),
        }
    }

    /// All tasks, the newest first.
    pub(crate) fn all(&self) -> Vec<Arc<Task>> {
        self.lock().iter().rev().cloned().collect()
    }

    /// A task by its name.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Task>, Failure> {
        let found = self.lock().iter().find(|task| task.id == id).cloned();
        found.ok_or_else(|| Failure::missing("there is no such task"))
    }

    /// Begin a task as soon as there is room.
    pub(crate) fn begin(
        &self,
        what: &'static str,
        title: String,
        work: impl FnOnce(&Task) -> Result<Outcome, Failure> + Send + 'static,
    ) -> Result<Arc<Task>, Failure> {
        let id = secret().map_err(|_| Failure::busy("no random numbers", "ask again"))?;
        let id = id[..16].to_string();
        let task = Arc::new(Task::new(id, what, title, SystemTime::now(), State::Waiting));
        self.remember(&task)?;
        let (room, longest, own) = (Arc::clone(&self.room), self.longest, Arc::clone(&task));
        tokio::spawn(async move {
            let _place = room.acquire_owned().await;
            let cancel = own.cancel.clone();
            let clock = tokio::spawn(async move {
                tokio::time::sleep(longest).await;
                cancel.cancel();
            });
            // What goes wrong inside has become an error there.
            let _ = tokio::task::spawn_blocking(move || run(&own, work)).await;
            clock.abort();
        });
        Ok(task)
    }

    fn remember(&self, task: &Arc<Task>) -> Result<(), Failure> {
        let mut all = self.lock();
        if all.iter().filter(|task| !task.is_over()).count() >= MOST_WAITING {
            return Err(Failure::busy("too many tasks wait", "stop one, or ask again later"));
        }
        if all.len() >= REMEMBERED
            && let Some(oldest) = all.iter().position(|task| task.is_over())
        {
            all.remove(oldest);
        }
        all.push_back(Arc::clone(task));
        Ok(())
    }
}

fn run(task: &Task, work: impl FnOnce(&Task) -> Result<Outcome, Failure>) {
    if task.cancel.is_cancelled() {
        let hint = "nothing was written";
        let status = axum::http::StatusCode::CONFLICT;
        task.set(State::Failed(Failure::new(status, "cancelled", 130, "stopped", hint)));
        return;
    }
    task.set(State::Running(None));
    let done = catch_unwind(AssertUnwindSafe(|| work(task)));
    task.set(match done {
        Ok(Ok(outcome)) => State::Done(Arc::new(outcome)),
        Ok(Err(failure)) => State::Failed(failure),
        Err(_) => State::Failed(Failure::bug("this task went wrong")),
    });
}
