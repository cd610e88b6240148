//! Secure maximum: who has the largest number. The champion so far asks the next holder, and says
//! which of the two is larger.
//!
//! What all learn: who won each of the n - 1 comparisons, which among two holders is no more than
//! who has the maximum. Nobody learns a number, not even the winner's.

use sfumato_core::Result;

use super::Secrets;
use super::compare::{Asker, answer};
use crate::protocol::message::Bytes32;
use crate::protocol::{Message, Seat, Wire, WireExt};

/// Find the seat with the largest number. `round` keeps random numbers of rounds apart.
pub fn maximum(wire: &mut dyn Wire, number: u128, round: u64, secrets: &Secrets) -> Result<Seat> {
    let ciphers = |message: Message| -> std::result::Result<Vec<Bytes32>, Message> {
        match message {
            Message::Ciphers(points) => Ok(points),
            other => Err(other),
        }
    };
    let mut champion: Seat = 0;
    for challenger in 1..wire.seats() {
        let mut random =
            secrets.stream("comparison", round * wire.seats() as u64 + challenger as u64);
        let stays = if wire.seat() == champion {
            let (asker, question) = Asker::ask(number, &mut random);
            wire.send(challenger, &Message::Ciphers(question))?;
            let answered = wire.expect(challenger, "ciphers", ciphers)?;
            let larger = asker.is_larger(&answered)?;
            wire.broadcast(&Message::Larger(larger))?;
            larger
        } else {
            if wire.seat() == challenger {
                let question = wire.expect(champion, "ciphers", ciphers)?;
                wire.send(champion, &Message::Ciphers(answer(&question, number, &mut random)?))?;
            }
            wire.expect(champion, "larger", |message| match message {
                Message::Larger(larger) => Ok(larger),
                other => Err(other),
            })?
        };
        champion = if stays { champion } else { challenger };
    }
    Ok(champion)
}
