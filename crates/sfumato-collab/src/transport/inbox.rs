//! The messages of one sender, in the order in which they were sent, whatever order they come in
//! and however often.

use std::collections::BTreeMap;

use sfumato_core::{Error, Result};

use crate::protocol::frame::SessionId;
use crate::protocol::{Frame, Message, Seat};

/// How many messages may wait for one that is late.
const MOST_AHEAD: u64 = 1024;

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It is new.
    New,
    /// It was there before.
    Again,
}

/// The messages of one sender.
#[derive(Debug)]
pub struct Inbox {
    session: SessionId,
    from: Seat,
    next: u64,
    waiting: BTreeMap<u64, Message>,
}

impl Inbox {
    /// An empty one.
    pub fn new(session: SessionId, from: Seat) -> Self {
        Inbox { session, from, next: 0, waiting: BTreeMap::new() }
    }

    /// Take a frame. One of another session or sender is refused, and so is one too far ahead.
    pub fn put(&mut self, frame: Frame) -> Result<Taken> {
        if frame.number >= self.next + MOST_AHEAD {
            return Err(Error::input("a message is too far ahead of those before it"));
        }
        self.restore(frame)
    }

    /// Take a frame that was taken before and kept, of which there may be any number.
    pub fn restore(&mut self, frame: Frame) -> Result<Taken> {
        if frame.session != self.session || usize::from(frame.from) != self.from {
            return Err(Error::input("a message belongs to another session or sender"));
        }
        if frame.number < self.next || self.waiting.contains_key(&frame.number) {
            return Ok(Taken::Again);
        }
        self.waiting.insert(frame.number, frame.message);
        Ok(Taken::New)
    }

    /// The next message, if it is there.
    pub fn take(&mut self) -> Option<Message> {
        let message = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::VERSION;

    fn frame(number: u64) -> Frame {
        let message = Message::Larger(number.is_multiple_of(2));
        Frame { version: VERSION, session: [1; 16], from: 2, number, message }
    }

    #[test]
    fn messages_come_out_in_order_and_once() {
        let mut inbox = Inbox::new([1; 16], 2);
        assert_eq!(inbox.put(frame(1)).unwrap(), Taken::New);
        assert_eq!(inbox.take(), None);
        assert_eq!(inbox.put(frame(0)).unwrap(), Taken::New);
        assert_eq!(inbox.put(frame(1)).unwrap(), Taken::Again);
        assert_eq!(inbox.take(), Some(Message::Larger(true)));
        assert_eq!(inbox.put(frame(0)).unwrap(), Taken::Again);
        assert_eq!(inbox.take(), Some(Message::Larger(false)));
        assert_eq!(inbox.take(), None);
    }

    #[test]
    fn strangers_are_refused() {
        let mut inbox = Inbox::new([1; 16], 2);
        assert!(inbox.put(Frame { from: 3, ..frame(0) }).is_err());
        assert!(inbox.put(Frame { session: [2; 16], ..frame(0) }).is_err());
        assert!(inbox.put(frame(MOST_AHEAD)).is_err());
        // What was kept in a long session is all taken again.
        for number in 0..2 * MOST_AHEAD {
            assert_eq!(inbox.restore(frame(number)).unwrap(), Taken::New);
        }
    }
}
