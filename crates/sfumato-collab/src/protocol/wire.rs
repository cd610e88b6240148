//! The wire of a party. A protocol is written as straight code over it: it sends to a seat and
//! waits for a seat, and does nothing else with the world. So the same code runs in one process, in
//! several, and again after a crash, from the messages that were kept.

use sfumato_core::{Error, Result};

use super::{Message, Seat};

/// What a protocol may do with the world.
pub trait Wire {
    /// The seat of this party.
    fn seat(&self) -> Seat;
    /// How many parties there are.
    fn seats(&self) -> usize;
    /// The name of a party, for errors.
    fn name(&self, seat: Seat) -> String;
    /// Send a message.
    fn send(&mut self, to: Seat, message: &Message) -> Result<()>;
    /// Wait for the next message of a party, in the order in which it sent them.
    fn receive(&mut self, from: Seat) -> Result<Message>;
}

/// What every wire can do.
pub trait WireExt: Wire {
    /// All seats but one's own.
    fn others(&self) -> Vec<Seat> {
        (0..self.seats()).filter(|seat| *seat != self.seat()).collect()
    }

    /// Send a message to all others.
    fn broadcast(&mut self, message: &Message) -> Result<()> {
        self.others().into_iter().try_for_each(|seat| self.send(seat, message))
    }

    /// The next message of a party as what is due, or an error that says what came instead.
    fn expect<T>(
        &mut self,
        from: Seat,
        due: &str,
        take: impl FnOnce(Message) -> std::result::Result<T, Message>,
    ) -> Result<T> {
        let message = self.receive(from)?;
        if let Message::Abort(reason) = &message {
            return Err(Error::unsupported(format!("{} stopped: {reason}", self.name(from)))
                .hint("nothing was released; ask its owner, change the job, and run it again"));
        }
        take(message).map_err(|other| {
            Error::input(format!(
                "{} sent '{}' where '{due}' was due",
                self.name(from),
                other.name()
            ))
            .hint("nothing was released; let all holders run the same version")
        })
    }

    /// Send one's own message to all others and take theirs, by seat; one's own is given.
    fn exchange<T>(
        &mut self,
        own: &Message,
        due: &str,
        mut take: impl FnMut(Message) -> std::result::Result<T, Message>,
    ) -> Result<Vec<T>> {
        self.broadcast(own)?;
        let mut all = Vec::with_capacity(self.seats());
        for seat in 0..self.seats() {
            all.push(match seat == self.seat() {
                true => take(own.clone())
                    .map_err(|_| Error::internal(format!("an own message isn't '{due}'")))?,
                false => self.expect(seat, due, &mut take)?,
            });
        }
        Ok(all)
    }
}

impl<W: Wire + ?Sized> WireExt for W {}

/// Run a protocol. If it fails, tell the others why, so that nobody waits for what never comes.
pub fn or_abort<T>(wire: &mut dyn Wire, run: impl FnOnce(&mut dyn Wire) -> Result<T>) -> Result<T> {
    run(wire).inspect_err(|error| {
        // Values of the data stay here: the message of an error has none.
        let reason = Message::Abort(error.message.clone());
        wire.others().into_iter().for_each(|seat| drop(wire.send(seat, &reason)));
    })
}
