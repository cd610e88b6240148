//! Calls over mutual TLS: one asks, the other answers. Whoever is called is checked to be who was
//! meant, and nothing is read that is longer than the limit.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sfumato_core::{Error, ErrorKind, Result};

use super::identity::{HOST, Identity};
use crate::holder::Part;
use crate::protocol::frame::SessionId;
use crate::protocol::{ColumnNote, MOST_BYTES, Seat};

/// What one may ask a daemon.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request {
    /// What columns it has, and what it demands.
    Schema,
    /// To take part in a job, at a seat.
    Open {
        /// The session.
        session: SessionId,
        /// The text of the job.
        job: String,
        /// The seat.
        seat: Seat,
    },
    /// To take a frame of another holder.
    Say {
        /// The session.
        session: SessionId,
        /// The frame.
        frame: Vec<u8>,
    },
    /// For its part, if it is done.
    Collect {
        /// The session.
        session: SessionId,
    },
    /// To forget a session.
    Close {
        /// The session.
        session: SessionId,
    },
}

/// What a daemon answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Answer {
    /// Its columns, and the smallest k that it takes part for.
    Schema {
        /// Its columns.
        columns: Vec<ColumnNote>,
        /// The smallest k.
        min_k: u64,
    },
    /// It was done.
    Done,
    /// Not now: it is busy with others, or the session isn't open yet.
    Later,
    /// It is still at it.
    Working,
    /// Its part.
    Part(Box<Part>),
    /// No.
    Refused(Failure),
}

/// An error on its way. It carries no values of the data.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Failure {
    /// The exit code that its kind has.
    pub code: u8,
    /// What went wrong.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl Failure {
    /// An error as it is sent.
    pub fn of(error: &Error) -> Self {
        let hint = error.hint.as_deref().map(String::from);
        Failure { code: error.kind.exit_code(), message: error.to_string(), hint }
    }
    /// An error as it was meant.
    pub fn into_error(self, who: &str) -> Error {
        let kind = match self.code {
            3 => ErrorKind::Infeasible,
            4 => ErrorKind::Resources,
            5 => ErrorKind::Io,
            70 => ErrorKind::Internal,
            _ => ErrorKind::Unsupported,
        };
        let error = Error::new(kind, format!("{who}: {}", self.message));
        match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// Write something with its length before it.
pub fn write<T: Serialize>(to: &mut impl Write, what: &T) -> std::io::Result<()> {
    let bytes = postcard::to_allocvec(what).map_err(std::io::Error::other)?;
    if bytes.len() > MOST_BYTES {
        return Err(std::io::Error::other("too long to be sent"));
    }
    to.write_all(&(bytes.len() as u32).to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()
}

/// Read something with its length before it; none at the end of the stream.
pub fn read<T: DeserializeOwned>(from: &mut impl Read) -> std::io::Result<Option<T>> {
    let mut length = [0; 4];
    match from.read(&mut length)? {
        0 => return Ok(None),
        n => from.read_exact(&mut length[n..])?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_BYTES {
        return Err(std::io::Error::other("longer than is allowed"));
    }
    // What a stranger states isn't believed: memory grows with what really comes.
    let mut bytes = Vec::new();
    from.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    match postcard::take_from_bytes(&bytes) {
        Ok((what, [])) => Ok(Some(what)),
        _ => Err(std::io::Error::other("it can't be read")),
    }
}

/// A line to a daemon.
pub struct Line {
    stream: StreamOwned<ClientConnection, TcpStream>,
}

impl Line {
    /// Call a daemon, and see that it is who it should be.
    pub fn open(
        identity: &Identity,
        (name, address): (&str, &str),
        patience: Duration,
    ) -> std::io::Result<Self> {
        let mut found = address.to_socket_addrs()?;
        let address = found.next().ok_or(std::io::ErrorKind::AddrNotAvailable)?;
        let socket = TcpStream::connect_timeout(&address, patience.max(Duration::from_millis(1)))?;
        socket.set_read_timeout(Some(patience.max(Duration::from_millis(1))))?;
        socket.set_write_timeout(Some(patience.max(Duration::from_millis(1))))?;
        socket.set_nodelay(true)?;
        let host = ServerName::try_from(HOST).map_err(std::io::Error::other)?;
        let client = ClientConnection::new(Arc::clone(&identity.client), host)
            .map_err(std::io::Error::other)?;
        let mut stream = StreamOwned::new(client, socket);
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock)?;
        }
        match identity.name_of(stream.conn.peer_certificates()) {
            Some(known) if known == name => Ok(Line { stream }),
            _ => Err(std::io::Error::new(
                std::io::ErrorKind::PermissionDenied,
                format!("whoever answers isn't {name}"),
            )),
        }
    }

    /// Ask, and wait for the answer.
    pub fn ask(&mut self, request: &Request) -> std::io::Result<Answer> {
        write(&mut self.stream, request)?;
        read(&mut self.stream)?.ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
    }
}

/// Ask a daemon, again if it can't be reached, until time is up.
pub fn ask_until(
    identity: &Identity,
    line: &mut Option<Line>,
    (name, address): (&str, &str),
    request: &Request,
    patience: Duration,
) -> Result<Answer> {
    let until = std::time::Instant::now() + patience;
    loop {
        let left = until.saturating_duration_since(std::time::Instant::now());
        let asked = match line {
            Some(line) => line.ask(request),
            None => Line::open(identity, (name, address), left)
                .and_then(|opened| line.insert(opened).ask(request)),
        };
        let problem = match asked {
            Ok(Answer::Later) => "it isn't ready".to_string(),
            Ok(answer) => return Ok(answer),
            Err(error) => {
                *line = None;
                if error.kind() == std::io::ErrorKind::PermissionDenied {
                    return Err(Error::new(ErrorKind::Io, error.to_string())
                        .hint("put the certificate.pem of the holder into peers/ again"));
                }
                error.to_string()
            }
        };
        if std::time::Instant::now() >= until {
            return Err(Error::new(
                ErrorKind::Io,
                format!(
                    "{name} can't be reached at {address} for {} seconds: {problem}",
                    patience.as_secs_f64()
                ),
            )
            .hint(
                "nothing was released; see that its daemon runs and has one's certificate in \
                 peers/, and run the job again",
            ));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
