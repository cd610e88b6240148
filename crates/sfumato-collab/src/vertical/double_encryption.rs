//! The baseline of Jiang and Clifton (2006): each of two holders generalizes its own columns alone,
//! and they compare their classes by the identifiers of their records, encrypted by both. If every
//! pair of classes shares no record or at least k, the join is published; else both generalize
//! further. Classes that were made without each other rarely match, so that far more is lost than
//! by PPMashup.
//!
//! What both learn: how many classes each holder has, how large they are, and how many records each
//! pair shares, for every attempt.

use rayon::prelude::*;
use sfumato_core::dataset::Table;
use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::random::shuffle;

use super::candidates::Candidates;
use super::classes::Classes;
use super::judge::Shared;
use super::{Joint, Partition};
use crate::job::{Agreement, Scoring};
use crate::protocol::frame::SessionId;
use crate::protocol::message::Bytes32;
use crate::protocol::{Message, Wire, WireExt};
use crate::secure::Secrets;
use crate::secure::commutative::{encrypt, hash_and_encrypt};
use crate::secure::secrets::scalar;

/// What a holder decided alone, once both fit together.
pub struct Alone<'a> {
    /// What is published of one's own columns.
    pub candidates: Candidates<'a>,
    /// One's own classes.
    pub partition: Partition,
    /// How often both generalized.
    pub attempts: u32,
}

/// Generalize until the join may be published.
pub fn fit<'a>(
    wire: &mut dyn Wire,
    session: &SessionId,
    agreement: &Agreement,
    joint: &Joint,
    (table, classes): (&'a Table, &Classes),
    secrets: &Secrets,
) -> Result<Alone<'a>> {
    if wire.seats() != 2 {
        return Err(Error::unsupported(format!(
            "double encryption of classes is for two holders, and these are {}",
            wire.seats()
        ))
        .hint("leave 'method' out: PPMashup takes any number of holders"));
    }
    let k = super::judge::k_of_all(&agreement.privacy.models, &joint.quasi_names())?;
    let n = classes.of_record.len() as u64;
    let places: Vec<usize> = (0..table.quasi().len()).collect();
    let rule = (Scoring::Gain, false);
    let mut own_k = k;
    for attempts in 1.. {
        let mut candidates = Candidates::new(table, &places, classes, rule);
        let tops = candidates.tops().into_iter().map(|(_, top)| top).collect();
        let mut partition = Partition::new(tops, classes);
        let shared = Shared::of_k(own_k, places.len())?;
        shared.check(&partition)?;
        while let Some(offer) = candidates.best(&partition, &shared, &|_| true) {
            let labels = candidates.labels(&offer);
            let parts = candidates.parts(&offer, &partition);
            candidates.perform(&offer);
            partition.split(offer.column, offer.value, &labels, &parts)?;
        }
        let least = least_shared(wire, session, &partition, (attempts, secrets))?;
        if least >= k {
            return Ok(Alone { candidates, partition, attempts });
        }
        if own_k >= n {
            break;
        }
        // Both ask their own classes for more, and at last have one class each, which fits.
        own_k = (own_k * 2).min(n);
    }
    Err(Error::infeasible(format!("k = {k} can't be met: there are {n} common records")))
}

/// The fewest records, but for none, that a class of one holder shares with one of the other.
fn least_shared(
    wire: &mut dyn Wire,
    session: &SessionId,
    partition: &Partition,
    (attempt, secrets): (u32, &Secrets),
) -> Result<u64> {
    let mut random = secrets.stream("double encryption", u64::from(attempt));
    let key = scalar(&mut random);
    let mut order: Vec<u32> = (0..partition.leaves().len() as u32).collect();
    shuffle(&mut order, &mut random);
    let mut own: Vec<Vec<Bytes32>> = Vec::new();
    for leaf in order {
        let mut records = partition.leaves()[leaf as usize].records.clone();
        shuffle(&mut records, &mut random);
        // Numbers of records are names that only both holders know.
        let names: Vec<String> = records.iter().map(|r| format!("{attempt}/{r}")).collect();
        own.push(hash_and_encrypt(session, &names, &key));
    }
    let other = 1 - wire.seat();
    let take = |message: Message| match message {
        Message::Classed(classes) => Ok(classes),
        other => Err(other),
    };
    wire.send(other, &Message::Classed(own))?;
    let theirs = wire.expect(other, "classed", take)?;
    let mut theirs: Vec<Vec<Bytes32>> =
        theirs.par_iter().map(|class| encrypt(class, &key)).collect::<Result<_>>()?;
    // Within a class nobody shall know which record is which.
    for class in &mut theirs {
        let mut order: Vec<u32> = (0..class.len() as u32).collect();
        shuffle(&mut order, &mut random);
        *class = order.iter().map(|place| class[*place as usize]).collect();
    }
    wire.send(other, &Message::Classed(theirs.clone()))?;
    let own = wire.expect(other, "classed", take)?;
    let mut class_of: FastMap<Bytes32, u32> = FastMap::default();
    for (class, points) in own.iter().enumerate() {
        class_of.extend(points.iter().map(|point| (*point, class as u32)));
    }
    let mut shared: FastMap<(u32, u32), u64> = FastMap::default();
    for (class, points) in theirs.iter().enumerate() {
        for point in points {
            let own = class_of.get(point).ok_or_else(|| {
                Error::input("the other holder's classes have other records")
                    .hint("nothing was released")
            })?;
            *shared.entry((*own, class as u32)).or_default() += 1;
        }
    }
    Ok(shared.values().copied().min().unwrap_or(0))
}
