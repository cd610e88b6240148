//! What a session needs to go on after its holder was killed: the job, the key of its random
//! numbers, and every message that it took. All else follows from these. And the log of revealed
//! values, which stays.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};

use crate::holder::Part;
use crate::ledger::{Entry, Keep};
use crate::protocol::frame::SessionId;
use crate::protocol::{Frame, Seat};
use crate::transport::identity::{create, write_new};

/// The folder of all sessions in that of a holder.
pub const SESSIONS: &str = "sessions";
/// The log of revealed values.
pub const LOG: &str = "revealed.jsonl";

/// How a session began.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Beginning {
    /// The session.
    pub session: SessionId,
    /// Who asked for it, and alone gets its part.
    pub requester: String,
    /// The text of the job.
    pub job: String,
    /// One's seat.
    pub seat: Seat,
    /// The key of one's random numbers.
    pub key: [u8; 32],
}

/// The journal of a session.
#[derive(Debug, Clone)]
pub struct Journal {
    folder: PathBuf,
}

fn hex(session: &SessionId) -> String {
    session.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Journal {
    /// Begin one.
    pub fn begin(holder: &Path, beginning: &Beginning) -> Result<Self> {
        create(&holder.join(SESSIONS))?;
        let journal = Journal { folder: holder.join(SESSIONS).join(hex(&beginning.session)) };
        create(&journal.folder)?;
        let text = serde_json::to_string(beginning)
            .map_err(|error| Error::internal(format!("a journal can't be written: {error}")))?;
        write_new(&journal.folder.join("begin.json"), &text, true)?;
        Ok(journal)
    }

    /// Those that a killed daemon left behind.
    pub fn left(holder: &Path) -> Result<Vec<(Journal, Beginning)>> {
        let folder = holder.join(SESSIONS);
        let Ok(listed) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
        let mut left = Vec::new();
        for entry in listed {
            let path = entry.map_err(|error| Error::io(&folder, "list the folder", &error))?.path();
            let begin = path.join("begin.json");
            let Ok(text) = fs::read_to_string(&begin) else { continue };
            // One that was torn while it began has taken nothing yet.
            if let Ok(beginning) = serde_json::from_str(&text) {
                left.push((Journal { folder: path }, beginning));
            }
        }
        left.sort_by(|(a, _), (b, _)| a.folder.cmp(&b.folder));
        Ok(left)
    }

    /// Keep a frame before it is acknowledged.
    pub fn keep(&self, from: Seat, bytes: &[u8]) -> Result<()> {
        self.append(&format!("from-{from}.frames"), bytes)
    }

    /// The frames that were kept. A last one that was torn was never acknowledged, and comes again.
    pub fn kept(&self, from: Seat) -> Result<Vec<Frame>> {
        let path = self.folder.join(format!("from-{from}.frames"));
        let Ok(bytes) = fs::read(&path) else { return Ok(Vec::new()) };
        let (mut frames, mut at) = (Vec::new(), 0);
        while let Some(head) = bytes.get(at..at + 4) {
            let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize + 8;
            let Some(frame) = bytes.get(at..at + length) else { break };
            frames.push(Frame::decode(frame)?);
            at += length;
        }
        if at < bytes.len() {
            let file = fs::OpenOptions::new().write(true).open(&path);
            file.and_then(|file| file.set_len(at as u64))
                .map_err(|error| Error::io(&path, "mend", &error))?;
        }
        Ok(frames)
    }

    /// Keep what came of it: a part of generalized cells.
    pub fn end(&self, part: &Part) -> Result<()> {
        let text = serde_json::to_string(part)
            .map_err(|error| Error::internal(format!("a part can't be kept: {error}")))?;
        sfumato_io::write_text_atomically(&self.folder.join("part.json"), &text, true)
    }

    /// What came of it, if it ended.
    pub fn ended(&self) -> Option<Part> {
        let text = fs::read_to_string(self.folder.join("part.json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Forget everything.
    pub fn forget(&self) -> Result<()> {
        fs::remove_dir_all(&self.folder).map_err(|error| Error::io(&self.folder, "remove", &error))
    }

    fn append(&self, name: &str, bytes: &[u8]) -> Result<()> {
        append(&self.folder.join(name), bytes)
    }
}

fn append(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let write = || {
        let mut file = options.open(path)?;
        file.write_all(bytes)?;
        file.sync_data()
    };
    write().map_err(|error| Error::io(path, "append to", &error))
}

/// The log of revealed values: a line before each message.
pub struct Log {
    path: PathBuf,
    session: String,
}

impl Log {
    /// The log of a holder.
    pub fn new(holder: &Path, session: &SessionId) -> Self {
        Log { path: holder.join(LOG), session: hex(session) }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    session: &'a str,
    #[serde(flatten)]
    entry: &'a Entry,
}

impl Keep for Log {
    fn keep(&mut self, entry: &Entry) -> Result<()> {
        let line = serde_json::to_string(&Line { session: &self.session, entry })
            .map_err(|error| Error::internal(format!("the log can't be written: {error}")))?;
        append(&self.path, (line + "\n").as_bytes())
    }
}
