//! The dry run: all tables are local, and every holder is a thread. Only the wire differs from a
//! run of daemons.

use std::path::Path;
use std::sync::Arc;

use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;

use crate::holder::{Holding, Part};
use crate::job::{Agreement, HolderJob, Partitioned};
use crate::ledger::{Entry, Keep};
use crate::protocol::frame::SessionId;
use crate::protocol::wire::or_abort;
use crate::protocol::{Seat, Wire};
use crate::secure::Secrets;
use crate::transport::{Fault, hub};
use crate::{horizontal, vertical};

/// How to run it otherwise than plainly.
#[derive(Default)]
pub struct DryRun {
    /// What happens to frames.
    pub fault: Option<Arc<dyn Fault>>,
}

/// The parts of all holders, and what each wrote down.
pub type Parts = Vec<(Part, Vec<Entry>)>;

/// Take part as the job says.
pub fn take_part(
    wire: &mut dyn Wire,
    log: &mut dyn Keep,
    session: &SessionId,
    agreement: &Agreement,
    holding: &Holding,
    secrets: &Secrets,
) -> Result<Part> {
    holding.job.accept(agreement)?;
    or_abort(wire, |wire| match agreement.collaboration.partitioned {
        Partitioned::Vertical => {
            vertical::take_part(wire, log, session, agreement, holding, secrets)
        }
        Partitioned::Horizontal => horizontal::take_part(wire, log, agreement, holding, secrets),
    })
}

/// Run a job with all tables local.
pub fn dry_run(agreement: &Agreement, how: &DryRun) -> Result<Parts> {
    let holdings: Vec<Holding> =
        (0..agreement.holder.len()).map(|seat| open(agreement, seat)).collect::<Result<_>>()?;
    let names = agreement.holder.iter().map(|peer| peer.name.clone()).collect();
    let seed = agreement.run.seed;
    let key = sfumato_engine::random::key(seed)?;
    let mut session = SessionId::default();
    session.copy_from_slice(&key[..16]);
    let wires = hub(names, session, agreement.patience(), how.fault.clone());
    let results: Vec<Result<(Part, Vec<Entry>)>> = std::thread::scope(|scope| {
        let mut running = Vec::new();
        for (seat, (mut wire, holding)) in wires.into_iter().zip(&holdings).enumerate() {
            let session = &session;
            running.push(scope.spawn(move || {
                let secrets = Secrets::new(seed, seat)?;
                let mut log: Vec<Entry> = Vec::new();
                let part = take_part(&mut wire, &mut log, session, agreement, holding, &secrets)?;
                Ok((part, log))
            }));
        }
        let panicked = || Err(Error::internal("a party panicked"));
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panicked())).collect()
    });
    first_cause(results)
}

/// Of several errors the one that isn't only an echo of another party's.
fn first_cause(results: Vec<Result<(Part, Vec<Entry>)>>) -> Result<Parts> {
    let is_echo = |error: &Error| {
        error.message.contains(" stopped: ") || error.message.contains(" sent nothing for ")
    };
    let mut echo = None;
    let mut parts = Vec::new();
    for result in results {
        match result {
            Ok(part) => parts.push(part),
            Err(error) if is_echo(&error) => echo = echo.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    echo.map_or(Ok(parts), Err)
}

fn open(agreement: &Agreement, seat: Seat) -> Result<Holding> {
    let peer = &agreement.holder[seat];
    let file = peer.file.as_ref().ok_or_else(|| {
        Error::params(format!("the job says no 'file' of the holder {}", peer.name)).hint(
            "a dry run reads the holder.toml of every holder: file = \"bank/holder.toml\" in \
             its [[holder]]",
        )
    })?;
    let job = HolderJob::read(&resolve(Path::new(&agreement.base), file))?;
    if job.holder.name != peer.name {
        return Err(Error::params(format!(
            "the job calls a holder {}, and its file {}",
            peer.name, job.holder.name
        ))
        .in_file(file));
    }
    Holding::read(job, &Unobserved)
}
