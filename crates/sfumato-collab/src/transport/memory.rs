//! Parties in one process: the dry run, and tests that hurt the frames on their way. The frames are
//! the same bytes that a network carries.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use sfumato_core::{Error, Result};

use super::Inbox;
use crate::protocol::frame::SessionId;
use crate::protocol::{Frame, Message, Seat, VERSION, Wire};

/// What happens to a frame on its way: what arrives, and after how long.
pub trait Fault: Send + Sync {
    /// The frame with a number from one seat to another. No delivery at all loses it.
    fn strike(&self, from: Seat, to: Seat, number: u64, bytes: Vec<u8>)
    -> Vec<(Duration, Vec<u8>)>;
    /// Whether a party dies instead of sending its next frame, of which it sent so many to all.
    fn kills(&self, _: Seat, _sent: u64) -> bool {
        false
    }
}

/// The wire of one party.
pub struct MemoryWire {
    seat: Seat,
    names: Arc<Vec<String>>,
    session: SessionId,
    patience: Duration,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<(Receiver<Vec<u8>>, Inbox)>,
    sent: Vec<u64>,
    fault: Option<Arc<dyn Fault>>,
}

/// The wires of all parties.
pub fn hub(
    names: Vec<String>,
    session: SessionId,
    patience: Duration,
    fault: Option<Arc<dyn Fault>>,
) -> Vec<MemoryWire> {
    let n = names.len();
    let names = Arc::new(names);
    let mut receivers: Vec<Vec<Receiver<Vec<u8>>>> = (0..n).map(|_| Vec::new()).collect();
    let mut senders: Vec<Vec<Sender<Vec<u8>>>> = (0..n).map(|_| Vec::new()).collect();
    for senders in &mut senders {
        for receivers in &mut receivers {
            let (sender, receiver) = channel();
            senders.push(sender);
            receivers.push(receiver);
        }
    }
    let both = senders.into_iter().zip(receivers).enumerate();
    both.map(|(seat, (to, from))| {
        let inbox = |(from, receiver)| (receiver, Inbox::new(session, from));
        MemoryWire {
            seat,
            names: Arc::clone(&names),
            session,
            patience,
            to,
            from: from.into_iter().enumerate().map(inbox).collect(),
            sent: vec![0; n],
            fault: fault.clone(),
        }
    })
    .collect()
}

impl MemoryWire {
    fn deliver(&self, to: Seat, after: Duration, bytes: Vec<u8>) {
        let sender = self.to[to].clone();
        // Whoever is gone gets nothing; whoever waits for it finds out by the time.
        match after.is_zero() {
            true => drop(sender.send(bytes)),
            false => drop(std::thread::spawn(move || {
                std::thread::sleep(after);
                drop(sender.send(bytes));
            })),
        }
    }
}

impl Wire for MemoryWire {
    fn seat(&self) -> Seat {
        self.seat
    }
    fn seats(&self) -> usize {
        self.names.len()
    }
    fn name(&self, seat: Seat) -> String {
        self.names[seat].clone()
    }

    fn send(&mut self, to: Seat, message: &Message) -> Result<()> {
        let number = self.sent[to];
        if let Some(fault) = &self.fault
            && fault.kills(self.seat, self.sent.iter().sum())
        {
            return Err(Error::internal("the party was killed"));
        }
        self.sent[to] += 1;
        let (session, from) = (self.session, self.seat as u16);
        let frame = Frame { version: VERSION, session, from, number, message: message.clone() };
        let bytes = frame.encode()?;
        match &self.fault {
            None => self.deliver(to, Duration::ZERO, bytes),
            Some(fault) => {
                for (after, bytes) in fault.strike(self.seat, to, number, bytes) {
                    self.deliver(to, after, bytes);
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, from: Seat) -> Result<Message> {
        let until = Instant::now() + self.patience;
        let (receiver, inbox) = &mut self.from[from];
        loop {
            if let Some(message) = inbox.take() {
                return Ok(message);
            }
            let left = until.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(left) {
                Ok(bytes) => drop(inbox.put(Frame::decode(&bytes)?)?),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(gone(&self.names[from], self.patience));
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(gone(&self.names[from], self.patience));
                }
            }
        }
    }
}

/// The error for a party that says nothing any more.
pub fn gone(name: &str, patience: Duration) -> Error {
    Error::new(
        sfumato_core::ErrorKind::Io,
        format!("{name} sent nothing for {} seconds", patience.as_secs_f64()),
    )
    .hint("nothing was released; see that it runs and can be reached, and run the job again")
}
