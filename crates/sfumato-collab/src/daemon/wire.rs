//! The wire of a daemon: frames go to the daemons of the others, each until it is acknowledged.

use std::sync::Arc;
use std::time::Duration;

use sfumato_core::{Error, Result};

use super::session::Session;
use crate::protocol::{Frame, Message, Seat, VERSION, Wire};
use crate::transport::call::{Answer, Line, Request, ask_until};
use crate::transport::identity::Identity;

/// A wire over TLS.
pub struct TlsWire {
    identity: Identity,
    session: Arc<Session>,
    lines: Vec<Option<Line>>,
    sent: Vec<u64>,
    patience: Duration,
}

impl TlsWire {
    /// The wire of a session.
    pub fn new(identity: Identity, session: Arc<Session>) -> Self {
        let n = session.agreement.holder.len();
        let patience = session.agreement.patience();
        let lines = (0..n).map(|_| None).collect();
        TlsWire { identity, session, lines, sent: vec![0; n], patience }
    }
}

impl Wire for TlsWire {
    fn seat(&self) -> Seat {
        self.session.beginning.seat
    }
    fn seats(&self) -> usize {
        self.sent.len()
    }
    fn name(&self, seat: Seat) -> String {
        self.session.agreement.holder[seat].name.clone()
    }

    fn send(&mut self, to: Seat, message: &Message) -> Result<()> {
        let (session, from) = (self.session.beginning.session, self.seat() as u16);
        let number = self.sent[to];
        let frame = Frame { version: VERSION, session, from, number, message: message.clone() };
        let request = Request::Say { session, frame: frame.encode()? };
        let peer = &self.session.agreement.holder[to];
        let address = peer.address.as_deref().unwrap_or_default();
        let (line, patience) = (&mut self.lines[to], self.patience);
        match ask_until(&self.identity, line, (&peer.name, address), &request, patience)? {
            Answer::Done => {
                self.sent[to] += 1;
                Ok(())
            }
            Answer::Refused(failure) => Err(failure.into_error(&peer.name)),
            _ => Err(Error::input(format!("{} answered something else", peer.name))),
        }
    }

    fn receive(&mut self, from: Seat) -> Result<Message> {
        self.session.next(from, self.patience)
    }
}
