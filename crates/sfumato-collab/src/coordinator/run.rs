//! A run of daemons: the coordinator asks each holder to take part, waits for their parts, and
//! releases what the verifier lets pass. It takes no part in the protocol itself.

use std::path::Path;
use std::time::{Duration, Instant};

use sfumato_core::{Error, Result};
use sfumato_engine::paths::resolve;

use crate::holder::Part;
use crate::job::{Agreement, Peer};
use crate::protocol::ColumnNote;
use crate::protocol::frame::SessionId;
use crate::transport::call::{Answer, Line, Request, ask_until};
use crate::transport::identity::Identity;

/// How often a part is asked for.
const BETWEEN: Duration = Duration::from_millis(100);

/// What a holder offers, found before anything is computed.
#[derive(Debug, Clone)]
pub struct Offered {
    /// The holder.
    pub holder: String,
    /// The columns that it would publish.
    pub columns: Vec<ColumnNote>,
    /// The smallest k that it takes part for.
    pub min_k: u64,
}

/// A coordinator with a line to each holder.
pub struct Coordinator<'a> {
    agreement: &'a Agreement,
    identity: Identity,
    lines: Vec<Option<Line>>,
}

impl<'a> Coordinator<'a> {
    /// Read one's identity.
    pub fn new(agreement: &'a Agreement) -> Result<Self> {
        let folder = agreement.requester.folder.as_ref().ok_or_else(|| {
            Error::params("the job says no 'folder' of the requester").hint(
                "say folder = \"requester\" in [requester]; 'sfumato collaborate init \
                 --requester' makes it; --dry-run needs none",
            )
        })?;
        let identity = Identity::read(Path::new(&resolve(&agreement.base, folder)))?;
        let lines = agreement.holder.iter().map(|_| None).collect();
        Ok(Coordinator { agreement, identity, lines })
    }

    fn ask(&mut self, seat: usize, request: &Request) -> Result<Answer> {
        let peer: &Peer = &self.agreement.holder[seat];
        let address = peer.address.as_deref().ok_or_else(|| {
            Error::params(format!("the job says no 'address' of the holder {}", peer.name))
                .hint("say address = \"host:7101\" in its [[holder]], or --dry-run")
        })?;
        let patience = self.agreement.patience();
        let line = &mut self.lines[seat];
        match ask_until(&self.identity, line, (&peer.name, address), request, patience)? {
            Answer::Refused(failure) => Err(failure.into_error(&peer.name)),
            answer => Ok(answer),
        }
    }

    /// What each holder has.
    pub fn offers(&mut self) -> Result<Vec<Offered>> {
        let n = self.agreement.holder.len();
        let offer = |seat: usize| {
            let holder = self.agreement.holder[seat].name.clone();
            match self.ask(seat, &Request::Schema)? {
                Answer::Schema { columns, min_k } => Ok(Offered { holder, columns, min_k }),
                _ => Err(Error::input(format!("{holder} answered something else"))),
            }
        };
        (0..n).map(offer).collect()
    }

    /// Let all take part, and collect their parts.
    pub fn run(&mut self) -> Result<Vec<Part>> {
        let key = sfumato_engine::random::key(None)?;
        let mut session = SessionId::default();
        session.copy_from_slice(&key[..16]);
        let parts = self.run_session(session);
        // Whatever came of it, holders needn't keep it.
        for seat in 0..self.agreement.holder.len() {
            if self.lines[seat].is_some() {
                drop(self.ask(seat, &Request::Close { session }));
            }
        }
        parts
    }

    fn run_session(&mut self, session: SessionId) -> Result<Vec<Part>> {
        // Where things are on this machine is nobody's business.
        let mut told = self.agreement.clone();
        told.requester = crate::job::Requester::default();
        told.output.path = "release".into();
        (told.output.report, told.run.seed) = (None, None);
        told.holder.iter_mut().for_each(|peer| peer.file = None);
        let job = told.to_toml()?;
        let n = self.agreement.holder.len();
        for seat in 0..n {
            self.ask(seat, &Request::Open { session, job: job.clone(), seat })?;
        }
        let mut parts: Vec<Option<Part>> = vec![None; n];
        let mut failed: Option<(Error, Instant)> = None;
        while parts.iter().any(Option::is_none) {
            for (seat, own) in parts.iter_mut().enumerate().filter(|(_, own)| own.is_none()) {
                match self.ask(seat, &Request::Collect { session }) {
                    Ok(Answer::Part(part)) => *own = Some(*part),
                    Ok(_) => {}
                    // The cause is asked for among the others before an echo is believed.
                    Err(error) if error.message.contains(" stopped: ") && failed.is_none() => {
                        failed = Some((error, Instant::now()));
                    }
                    Err(error) if !error.message.contains(" stopped: ") => return Err(error),
                    Err(_) => {}
                }
            }
            if let Some((error, since)) = &failed
                && since.elapsed() > Duration::from_secs(1)
            {
                return Err(error.clone());
            }
            std::thread::sleep(BETWEEN);
        }
        Ok(parts.into_iter().flatten().collect())
    }
}
