//! The log of what was revealed: a wire that writes down every message before it is sent, and
//! counts messages and bytes by kind and by step.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sfumato_core::Result;

use crate::protocol::{Message, Seat, Wire};

/// How many messages of a kind there were, and how many bytes they had.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// How many were sent.
    pub messages: u64,
    /// How many bytes they had.
    pub bytes: u64,
}

/// What a party sent, by kind of message.
pub type Traffic = BTreeMap<String, Count>;

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// To whom.
    pub to: String,
    /// The kind of message.
    pub kind: String,
    /// What it says.
    pub reveals: String,
}

/// Takes the lines of a log: before a message is sent its line is kept.
pub trait Keep {
    /// Keep a line.
    fn keep(&mut self, entry: &Entry) -> Result<()>;
}

impl Keep for Vec<Entry> {
    fn keep(&mut self, entry: &Entry) -> Result<()> {
        self.push(entry.clone());
        Ok(())
    }
}

/// A wire with a log.
pub struct Logged<'a> {
    wire: &'a mut dyn Wire,
    log: &'a mut dyn Keep,
    /// What was sent.
    pub traffic: Traffic,
}

impl<'a> Logged<'a> {
    /// Log what is sent over a wire.
    pub fn new(wire: &'a mut dyn Wire, log: &'a mut dyn Keep) -> Self {
        Logged { wire, log, traffic: Traffic::new() }
    }
}

impl Wire for Logged<'_> {
    fn seat(&self) -> Seat {
        self.wire.seat()
    }
    fn seats(&self) -> usize {
        self.wire.seats()
    }
    fn name(&self, seat: Seat) -> String {
        self.wire.name(seat)
    }
    fn send(&mut self, to: Seat, message: &Message) -> Result<()> {
        let kind = message.name().to_string();
        let (to_name, reveals) = (self.wire.name(to), message.reveals());
        self.log.keep(&Entry { to: to_name, kind: kind.clone(), reveals })?;
        let bytes = postcard::experimental::serialized_size(message).unwrap_or(0) as u64;
        let count = self.traffic.entry(kind).or_default();
        (count.messages, count.bytes) = (count.messages + 1, count.bytes + bytes);
        self.wire.send(to, message)
    }
    fn receive(&mut self, from: Seat) -> Result<Message> {
        self.wire.receive(from)
    }
}
