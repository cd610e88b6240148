//! Private set intersection: identifiers are hashed to points of ristretto255, each holder
//! multiplies them by a number of its own, and the order in which it does doesn't matter.
//!
//! What a holder learns: how many identifiers each holder has, which of its own are common, and,
//! among three or more, how many any of them have in common. What it doesn't: identifiers that
//! another one has and that it hasn't itself.

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use rayon::prelude::*;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::random::shuffle;
use sha2::{Digest, Sha512};

use super::secrets::{Secrets, scalar};
use crate::protocol::frame::SessionId;
use crate::protocol::message::Bytes32;
use crate::protocol::{Message, Wire, WireExt};

/// The largest number of joined records.
const MOST_RECORDS: usize = u32::MAX as usize / 2;

/// The records that all holders have, in an order that all of them share and nobody chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aligned {
    /// One's own row of each record.
    pub rows: Vec<u32>,
    /// Whether an identifier stands for several rows of a holder, so that records are pairs.
    pub is_join: bool,
}

/// The point of an identifier in a session.
fn point_of(session: &SessionId, id: &str) -> RistrettoPoint {
    let mut hash = Sha512::new();
    hash.update(b"sfumato collaborate id\0");
    hash.update(session);
    hash.update(id.as_bytes());
    RistrettoPoint::from_uniform_bytes(&hash.finalize().into())
}

/// A point that another party sent.
pub fn read_point(bytes: &Bytes32) -> Result<RistrettoPoint> {
    CompressedRistretto(*bytes).decompress().ok_or_else(|| {
        Error::input("a party sent bytes that are no point of the group")
            .hint("nothing was released; let all holders run the same version")
    })
}

/// Multiply points, whose order stays.
pub fn encrypt(points: &[Bytes32], key: &Scalar) -> Result<Vec<Bytes32>> {
    points.par_iter().map(|bytes| Ok((read_point(bytes)? * key).compress().to_bytes())).collect()
}

/// Points of identifiers, hashed and multiplied.
pub fn hash_and_encrypt<S: AsRef<str> + Sync>(
    session: &SessionId,
    ids: &[S],
    key: &Scalar,
) -> Vec<Bytes32> {
    let point = |id: &S| (point_of(session, id.as_ref()) * key).compress().to_bytes();
    ids.par_iter().map(point).collect()
}

/// Find the common records. An identifier that a holder has several times makes a record of every
/// combination, if `many` allows it.
pub fn align(
    wire: &mut dyn Wire,
    session: &SessionId,
    ids: &[String],
    many: bool,
    secrets: &Secrets,
) -> Result<Aligned> {
    let (seat, n) = (wire.seat(), wire.seats());
    let key = scalar(&mut secrets.stream("intersection", 0));
    let mut order: Vec<u32> = (0..ids.len() as u32).collect();
    shuffle(&mut order, &mut secrets.stream("intersection order", 0));
    let shuffled: Vec<&str> = order.iter().map(|&row| ids[row as usize].as_str()).collect();
    let mut held = hash_and_encrypt(session, &shuffled, &key);
    // Each list goes round, and every holder multiplies it once; only its owner knows its order.
    for _ in 1..n {
        wire.send((seat + 1) % n, &Message::Points(held))?;
        let points = wire.expect((seat + n - 1) % n, "points", points)?;
        held = encrypt(&points, &key)?;
    }
    // What is held now is the list of the next seat, multiplied by all.
    let all = wire.exchange(&Message::Points(held), "points", points)?;
    let list_of = |owner: usize| &all[(owner + n - 1) % n];
    join(&(0..n).map(|owner| list_of(owner).as_slice()).collect::<Vec<_>>(), seat, &order, many)
}

fn points(message: Message) -> std::result::Result<Vec<Bytes32>, Message> {
    match message {
        Message::Points(points) => Ok(points),
        other => Err(other),
    }
}

/// The common records of lists that all holders multiplied.
fn join(lists: &[&[Bytes32]], seat: usize, order: &[u32], many: bool) -> Result<Aligned> {
    if lists[seat].len() != order.len() {
        return Err(Error::input("the list of identifiers came back with another length")
            .hint("nothing was released; a holder left some out or added some"));
    }
    let mut places: FastMap<Bytes32, Vec<Vec<u32>>> = FastMap::default();
    for (owner, list) in lists.iter().enumerate() {
        for (place, point) in list.iter().enumerate() {
            let places = places.entry(*point).or_insert_with(|| vec![Vec::new(); lists.len()]);
            places[owner].push(place as u32);
        }
    }
    let mut common: Vec<(Bytes32, Vec<Vec<u32>>)> =
        places.into_iter().filter(|(_, of)| of.iter().all(|of| !of.is_empty())).collect();
    common.sort_by_key(|(point, _)| *point);
    let mut aligned = Aligned { rows: Vec::new(), is_join: false };
    for (_, of) in &common {
        let n: usize = of.iter().map(Vec::len).product();
        aligned.is_join |= n > 1;
        if n > 1 && !many {
            return Err(Error::input("an identifier that all holders have occurs several times")
                .hint("take a column that names each record once, or say join = \"many\""));
        }
        if aligned.rows.len() + n > MOST_RECORDS {
            return Err(Error::resources("the join has more than 2,147,483,647 records")
                .hint("take columns that fewer records share"));
        }
        // Record i takes the digits of i, one for each holder, the last the fastest.
        let after: usize = of[seat + 1..].iter().map(Vec::len).product();
        let own = &of[seat];
        let row = |record: usize| order[own[record / after % own.len()] as usize];
        aligned.rows.extend((0..n).map(row));
    }
    if aligned.rows.is_empty() {
        return Err(Error::input("no record is known to all holders")
            .hint("let all of them write identifiers in the same way"));
    }
    Ok(aligned)
}
