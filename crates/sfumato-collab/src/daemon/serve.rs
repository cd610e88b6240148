//! Answers calls: each connection is a thread, and each session one more.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::{ServerConnection, StreamOwned};
use sfumato_core::observer::Unobserved;
use sfumato_core::{Error, FastMap, Result};

use super::journal::{Beginning, Journal, Log};
use super::session::Session;
use super::wire::TlsWire;
use crate::coordinator::take_part;
use crate::holder::Holding;
use crate::job::{Agreement, HolderJob};
use crate::protocol::Seat;
use crate::protocol::frame::SessionId;
use crate::secure::Secrets;
use crate::transport::call::{Answer, Failure, Request, read, write};
use crate::transport::identity::Identity;

/// How long a caller may say nothing.
const IDLE: Duration = Duration::from_secs(3600);

/// How many callers may be connected at a time.
const MOST_CALLERS: usize = 256;

/// A daemon.
pub struct Daemon {
    folder: PathBuf,
    identity: Identity,
    holding: Holding,
    sessions: Mutex<FastMap<SessionId, Arc<Session>>>,
    callers: std::sync::atomic::AtomicUsize,
}

/// Serve the holder of a folder for ever. `ready` is told where it listens.
pub fn serve(folder: &Path, listen: Option<&str>, ready: impl FnOnce(SocketAddr)) -> Result<()> {
    let file = folder.join("holder.toml").display().to_string();
    let job = HolderJob::read(&file)?;
    let address = listen.map(String::from).or_else(|| job.holder.listen.clone());
    let address = address.ok_or_else(|| {
        Error::params("nothing says where to listen")
            .in_file(file)
            .hint("say listen = \"0.0.0.0:7101\" in [holder], or --listen")
    })?;
    let identity = Identity::read(folder)?;
    let holding = Holding::read(job, &Unobserved)?;
    let daemon = Arc::new(Daemon {
        folder: folder.to_path_buf(),
        identity,
        holding,
        sessions: Mutex::default(),
        callers: std::sync::atomic::AtomicUsize::new(0),
    });
    let at = |error: &std::io::Error, doing: &str| Error::io(Path::new(&address), doing, error);
    let listener = TcpListener::bind(&address).map_err(|error| at(&error, "listen"))?;
    let local = listener.local_addr().map_err(|error| at(&error, "listen"))?;
    for (journal, beginning) in Journal::left(folder)? {
        daemon.begin(journal, beginning)?;
    }
    ready(local);
    for caller in listener.incoming().flatten() {
        let daemon = Arc::clone(&daemon);
        std::thread::spawn(move || daemon.answer_all(caller));
    }
    Ok(())
}

impl Daemon {
    /// Answer one caller until it hangs up. One who isn't known hears nothing.
    fn answer_all(self: Arc<Self>, socket: TcpStream) {
        use std::sync::atomic::Ordering;
        let waiting = self.callers.fetch_add(1, Ordering::SeqCst);
        if waiting < MOST_CALLERS {
            // A caller that breaks off or sends nonsense is hung up on, and nobody else notices.
            drop(self.answer_until_end(socket));
        }
        self.callers.fetch_sub(1, Ordering::SeqCst);
    }

    fn answer_until_end(self: &Arc<Self>, socket: TcpStream) -> std::io::Result<()> {
        socket.set_read_timeout(Some(Duration::from_secs(30)))?;
        socket.set_nodelay(true)?;
        let server = ServerConnection::new(Arc::clone(&self.identity.server))
            .map_err(std::io::Error::other)?;
        let mut stream = StreamOwned::new(server, socket);
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock)?;
        }
        let known = self.identity.name_of(stream.conn.peer_certificates());
        let Some(caller) = known.map(String::from) else { return Ok(()) };
        stream.sock.set_read_timeout(Some(IDLE))?;
        while let Some(request) = read(&mut stream)? {
            let answer = self
                .answer(&caller, request)
                .unwrap_or_else(|error| Answer::Refused(Failure::of(&error)));
            write(&mut stream, &answer)?;
        }
        Ok(())
    }

    fn session(&self, session: &SessionId) -> Option<Arc<Session>> {
        self.all().get(session).cloned()
    }

    fn all(&self) -> std::sync::MutexGuard<'_, FastMap<SessionId, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn answer(self: &Arc<Self>, caller: &str, request: Request) -> Result<Answer> {
        match request {
            Request::Schema => {
                self.may_ask(caller)?;
                let min_k = self.holding.job.policy.min_k;
                Ok(Answer::Schema { columns: self.holding.schema(), min_k })
            }
            Request::Open { session, job, seat } => {
                self.may_ask(caller)?;
                self.open(session, (caller, job), seat)
            }
            Request::Say { session, frame } => match self.session(&session) {
                None => Ok(Answer::Later),
                Some(session) => session.take(caller, &frame).map(|()| Answer::Done),
            },
            Request::Collect { session } => match self.own_session(caller, &session)? {
                None => Err(Error::params("there is no such session")),
                Some(session) => Ok(session.answer()),
            },
            Request::Close { session: id } => {
                if let Some(session) = self.own_session(caller, &id)? {
                    self.all().remove(&id);
                    session.forget()?;
                }
                Ok(Answer::Done)
            }
        }
    }

    /// A session, for whoever asked for it.
    fn own_session(&self, caller: &str, session: &SessionId) -> Result<Option<Arc<Session>>> {
        match self.session(session) {
            Some(found) if found.beginning.requester != caller => {
                Err(Error::unsupported(format!("{caller} didn't ask for this session")))
            }
            found => Ok(found),
        }
    }

    /// Refuse whoever may not ask for releases.
    fn may_ask(&self, caller: &str) -> Result<()> {
        let allowed = &self.holding.job.policy.requesters;
        match allowed.is_empty() || allowed.iter().any(|name| name == caller) {
            true => Ok(()),
            false => Err(Error::unsupported(format!("{caller} may not ask for releases"))
                .hint("'requesters' in the [policy] of the holder says who may")),
        }
    }

    fn open(
        self: &Arc<Self>,
        session: SessionId,
        (caller, job): (&str, String),
        seat: Seat,
    ) -> Result<Answer> {
        if self.session(&session).is_some() {
            return Ok(Answer::Done);
        }
        let agreement = Agreement::parse(&job, "JOB.toml", Path::new(""))?;
        self.holding.job.accept(&agreement)?;
        let own = &self.holding.job.holder.name;
        if agreement.holder.get(seat).is_none_or(|peer| peer.name != *own) {
            return Err(Error::params(format!("{own} doesn't sit at seat {seat} of the job")));
        }
        let running = self.all().values().filter(|session| !session.is_over()).count();
        if running >= self.holding.job.policy.sessions.max(1) {
            return Ok(Answer::Later);
        }
        let key = *Secrets::new(None, seat)?.key();
        let requester = caller.to_string();
        let beginning = Beginning { session, requester, job, seat, key };
        let journal = Journal::begin(&self.folder, &beginning)?;
        self.begin(journal, beginning)?;
        Ok(Answer::Done)
    }

    /// Begin a session, or go on with one that was left.
    fn begin(self: &Arc<Self>, journal: Journal, beginning: Beginning) -> Result<()> {
        let id = beginning.session;
        let session = Arc::new(Session::new(journal, beginning)?);
        self.all().insert(id, Arc::clone(&session));
        if session.is_over() {
            return Ok(());
        }
        let daemon = Arc::clone(self);
        std::thread::spawn(move || {
            let secrets = Secrets::of_key(session.beginning.key);
            let mut log = Log::new(&daemon.folder, &id);
            let mut wire = TlsWire::new(daemon.identity.clone(), Arc::clone(&session));
            let (agreement, holding) = (&session.agreement, &daemon.holding);
            let run = || take_part(&mut wire, &mut log, &id, agreement, holding, &secrets);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
            let panicked = || Err(Error::internal("a session panicked"));
            session.end(outcome.unwrap_or_else(|_| panicked()));
        });
        Ok(())
    }
}
