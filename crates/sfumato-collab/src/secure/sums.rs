//! Secure sums: each holder divides its numbers into random shares, one for each holder; each adds
//! up what it was given; and the leading holder adds up these sums.
//!
//! A ring in which one masked sum goes round is undone by the two neighbours of a holder. Here
//! every holder keeps one share of its own and gives one to every other, as rings in all orders at
//! once would: all others but one must collude. What the leading holder learns: the sums. The
//! others learn nothing. With two holders a sum tells the other's number, so that is refused.

use rand_chacha::rand_core::Rng;
use sfumato_core::{Error, Result};

use super::Secrets;
use crate::protocol::{Message, Seat, Wire, WireExt};

/// The fewest holders among whom a sum hides what each has.
pub const FEWEST: usize = 3;

/// Sums with the random numbers of one session.
pub struct Sums {
    secrets: Secrets,
    done: u64,
}

impl Sums {
    /// Begin. Fewer than three holders are refused.
    pub fn new(wire: &dyn Wire, secrets: &Secrets) -> Result<Self> {
        if wire.seats() < FEWEST {
            return Err(Error::unsupported(format!(
                "{} holders can't add up numbers in secret: whoever learns the sum subtracts its \
                 own number and has the other's",
                wire.seats()
            ))
            .hint("let at least three holders take part"));
        }
        Ok(Sums { secrets: secrets.clone(), done: 0 })
    }

    /// Add up the numbers of all holders, modulo 2^64. Only the leading holder gets the sums.
    pub fn add(
        &mut self,
        wire: &mut dyn Wire,
        leader: Seat,
        values: &[u64],
    ) -> Result<Option<Vec<u64>>> {
        let mut random = self.secrets.stream("shares", self.done);
        self.done += 1;
        let mut rest = values.to_vec();
        for seat in wire.others() {
            // What is sent is random; the remainder, in which the numbers are, never leaves.
            let share: Vec<u64> = values.iter().map(|_| random.next_u64()).collect();
            subtract(&mut rest, &share);
            wire.send(seat, &Message::Share(share))?;
        }
        for seat in wire.others() {
            let share = wire.expect(seat, "share", |message| match message {
                Message::Share(share) if share.len() == values.len() => Ok(share),
                other => Err(other),
            })?;
            add(&mut rest, &share);
        }
        if wire.seat() != leader {
            wire.send(leader, &Message::Partial(rest))?;
            return Ok(None);
        }
        for seat in wire.others() {
            let partial = wire.expect(seat, "partial", |message| match message {
                Message::Partial(partial) if partial.len() == values.len() => Ok(partial),
                other => Err(other),
            })?;
            add(&mut rest, &partial);
        }
        Ok(Some(rest))
    }

    /// Whether any holder says yes, for each of several questions. A yes is a random number, so
    /// that the sum doesn't tell how many say it.
    pub fn any(
        &mut self,
        wire: &mut dyn Wire,
        leader: Seat,
        says: &[bool],
    ) -> Result<Option<Vec<bool>>> {
        let mut random = self.secrets.stream("yes", self.done);
        // The lowest bit keeps a single yes from being zero; two of them meet zero once in 2^63.
        let mut word = |yes: &bool| if *yes { random.next_u64() | 1 } else { 0 };
        let values: Vec<u64> = says.iter().map(&mut word).collect();
        let sums = self.add(wire, leader, &values)?;
        Ok(sums.map(|sums| sums.iter().map(|sum| *sum != 0).collect()))
    }
}

fn add(to: &mut [u64], by: &[u64]) {
    to.iter_mut().zip(by).for_each(|(to, by)| *to = to.wrapping_add(*by));
}

fn subtract(from: &mut [u64], by: &[u64]) {
    from.iter_mut().zip(by).for_each(|(from, by)| *from = from.wrapping_sub(*by));
}
