//! Faults on purpose, for tests: the n-th step below a folder is refused, finds a full disk, ends
//! the process, or says that it was done and wasn't.
//!
//! This is no part of a released program: it is compiled where debug assertions are.

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Step;

/// The environment variable that arms the command line: `STEP:FAULT`, such as `17:refused`.
pub const VARIABLE: &str = "SFUMATO_FAULT";

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The system reports an error of the device, once.
    Refused,
    /// From this step on there is no room for another byte, file or name.
    Full,
    /// A signal interrupts a read or a write, which is to be tried again.
    Interrupted,
    /// The process ends without another instruction.
    Killed,
    /// The step says that it was done, and nothing was.
    Lied,
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "refused" => Fault::Refused,
            "full" => Fault::Full,
            "interrupted" => Fault::Interrupted,
            "killed" => Fault::Killed,
            "lied" => Fault::Lied,
            _ => return Err(format!("'{text}' is no fault")),
        })
    }
}

impl Fault {
    /// Whether the fault is met at a step, given how many come before the one that was named.
    fn is_met(self, step: Step, before: usize) -> bool {
        match self {
            Fault::Full => before == 0 && matches!(step, Step::Create | Step::Write | Step::Link),
            _ => before == 0,
        }
    }

    /// What the step answers. `Ok(false)` if it only pretends.
    fn answer(self, step: Step) -> io::Result<bool> {
        match self {
            Fault::Refused => Err(io::Error::other("a fault on purpose")),
            Fault::Full => Err(io::ErrorKind::StorageFull.into()),
            Fault::Interrupted if matches!(step, Step::Read | Step::Write) => {
                Err(io::ErrorKind::Interrupted.into())
            }
            Fault::Interrupted => Ok(true),
            Fault::Killed => std::process::abort(),
            // What is opened, created or listed can't be made up.
            Fault::Lied => Ok(matches!(step, Step::Open | Step::Create | Step::List)),
        }
    }
}

struct Plan {
    id: usize,
    folder: PathBuf,
    /// How many steps come before the fault.
    before: usize,
    fault: Fault,
    met: Option<(Step, PathBuf)>,
}

static PLANS: Mutex<Vec<Plan>> = Mutex::new(Vec::new());
/// The number of plans, so that nobody waits for the list while there are none.
static ARMED: AtomicUsize = AtomicUsize::new(0);

fn plans() -> MutexGuard<'static, Vec<Plan>> {
    PLANS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A fault that is waiting. It is taken back when dropped.
#[derive(Debug)]
pub struct Armed {
    id: usize,
}

/// Arm a fault: after so many steps at paths below a folder.
pub fn arm(folder: &Path, before: usize, fault: Fault) -> Armed {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    plans().push(Plan { id, folder: folder.to_path_buf(), before, fault, met: None });
    ARMED.fetch_add(1, Ordering::SeqCst);
    Armed { id }
}

/// Arm what the environment asks for, wherever the files are and until the process ends.
pub fn arm_from_environment() -> Result<(), String> {
    let Ok(text) = std::env::var(VARIABLE) else { return Ok(()) };
    let (before, fault) = text.split_once(':').ok_or("a fault is STEP:FAULT")?;
    let before = before.parse().map_err(|_| format!("'{before}' isn't the number of a step"))?;
    std::mem::forget(arm(Path::new(""), before, fault.parse()?));
    Ok(())
}

impl Armed {
    /// The step at which the fault was met, if it was.
    pub fn met(&self) -> Option<(Step, PathBuf)> {
        plans().iter().find(|plan| plan.id == self.id).and_then(|plan| plan.met.clone())
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        plans().retain(|plan| plan.id != self.id);
        ARMED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Reach a step. Whether it is to be done; an error where a fault was armed.
pub(super) fn reach(step: Step, path: &Path) -> io::Result<bool> {
    if ARMED.load(Ordering::Relaxed) == 0 {
        return Ok(true);
    }
    for plan in plans().iter_mut().filter(|plan| path.starts_with(&plan.folder)) {
        let is_over = plan.met.is_some() && plan.fault != Fault::Full;
        if !is_over && plan.fault.is_met(step, plan.before) {
            plan.met.get_or_insert_with(|| (step, path.to_path_buf()));
            return plan.fault.answer(step);
        }
        plan.before = plan.before.saturating_sub(1);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps;

    #[test]
    fn each_step_fails_once_when_it_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&a, "x").unwrap();
        let mut met = Vec::new();
        loop {
            let armed = arm(folder.path(), met.len(), Fault::Refused);
            let done = steps::read(&a).and_then(|_| steps::rename(&a, &b));
            assert_eq!(done.is_err(), armed.met().is_some());
            match armed.met() {
                Some((step, _)) => met.push(step),
                None => break,
            }
            assert!(a.exists() && !b.exists());
        }
        met.dedup();
        assert_eq!(met, [Step::Open, Step::Read, Step::Rename]);
        // Elsewhere nothing is met.
        let elsewhere = tempfile::tempdir().unwrap();
        let armed = arm(elsewhere.path(), 0, Fault::Refused);
        assert_eq!(steps::read(&b).unwrap(), b"x");
        assert_eq!(armed.met(), None);
    }

    #[test]
    fn what_lies_says_that_it_was_done() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&a, "x").unwrap();
        let armed = arm(folder.path(), 0, Fault::Lied);
        steps::rename(&a, &b).unwrap();
        assert_eq!(armed.met(), Some((Step::Rename, b.clone())));
        assert!(a.exists() && !b.exists());
        // A full disk stays full, and what needs no room can still be done.
        drop(armed);
        let _full = arm(folder.path(), 0, Fault::Full);
        steps::rename(&a, &b).unwrap();
        for _ in 0..2 {
            assert!(steps::hard_link(&b, &a).is_err());
        }
        steps::remove_file(&b).unwrap();
    }
}
