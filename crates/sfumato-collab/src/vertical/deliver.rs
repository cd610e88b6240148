//! What a holder delivers in the end: its own columns, verified against its own table, in an order
//! that all holders drew together and the coordinator doesn't know. No identifier goes with them.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sfumato_core::column::RawColumn;
use sfumato_core::dataset::Role;
use sfumato_core::recoding::{Cut, Recoding};
use sfumato_core::traits::Task;
use sfumato_core::{Error, Result};
use sfumato_engine::random::shuffle;
use sfumato_table::algorithms::global::shared::publish::publish;

use super::Joint;
use super::double_encryption::Alone;
use super::rounds::Rounds;
use crate::holder::{Holding, Part, Stand, StepNote, verified};
use crate::ledger::Traffic;
use crate::protocol::{Message, Seat, Wire, WireExt};
use crate::secure::Secrets;

/// What a holder decided about its own columns.
pub struct Decided {
    /// What all must have come to.
    pub hash: [u8; 32],
    /// The specialisations that all know.
    pub steps: Vec<StepNote>,
    /// What is published of each own quasi column.
    pub cuts: Vec<Cut>,
    /// The records of the smallest class of one's own columns.
    pub least: u64,
    /// What to say to the report.
    pub remarks: Vec<String>,
}

impl Decided {
    /// What rounds came to.
    pub fn by_rounds(rounds: &Rounds<'_>, joint: &Joint, seat: Seat) -> Self {
        let quasi = joint.quasi();
        let is_own = |place: &usize| quasi[*place].owner == seat;
        let places: Vec<usize> = (0..quasi.len()).filter(is_own).collect();
        let said = |n: u32, what: &str| (n > 0).then(|| format!("{n} specialisations {what}"));
        let remarks = [
            said(rounds.rejected, "were rejected by the holder of a sensitive column"),
            said(rounds.alone, "concerned no column of another holder, and nobody was told"),
        ];
        Decided {
            hash: rounds.hash,
            steps: rounds.steps.clone(),
            cuts: rounds.candidates.cuts(),
            least: rounds.partition.least(&places, None),
            remarks: remarks.into_iter().flatten().collect(),
        }
    }

    /// What classes came to that each made alone.
    pub fn alone(alone: &Alone<'_>, n_own: usize) -> Self {
        let places: Vec<usize> = (0..n_own).collect();
        Decided {
            // Nobody knows the other's classes: how often they were made is all to agree on.
            hash: [alone.attempts as u8; 32],
            steps: Vec::new(),
            cuts: alone.candidates.cuts(),
            least: alone.partition.least(&places, None),
            remarks: vec![format!("classes fitted after {} attempts", alone.attempts)],
        }
    }
}

/// Agree on the result, and give one's part of it.
pub fn deliver(
    wire: &mut dyn Wire,
    joint: &Joint,
    decided: Decided,
    (holding, raw): (&Holding, &[RawColumn]),
    secrets: &Secrets,
) -> Result<Part> {
    let Decided { hash, steps, cuts, least, remarks } = decided;
    agree(wire, steps.len(), hash)?;
    let mut own = [0; 32];
    secrets.stream("mix", 0).fill_bytes(&mut own);
    let shares = wire.exchange(&Message::Mix(own), "mix", |message| match message {
        Message::Mix(share) => Ok(share),
        other => Err(other),
    })?;
    let mut seed = [0; 32];
    for share in &shares {
        seed.iter_mut().zip(share).for_each(|(seed, share)| *seed ^= share);
    }
    let n = raw.first().map_or(0, |column| column.codes.len());
    let mut order: Vec<u32> = (0..n as u32).collect();
    shuffle(&mut order, &mut ChaCha20Rng::from_seed(seed));

    let publishes = |name: &str, role: Role| {
        joint.is_own(name, role) || (name == joint.target && joint.publishes_target())
    };
    // What the protocol believes of one's own columns is found again in the bytes.
    let least = least.max(1);
    let decided = Stand(move |task: &Task<'_>| {
        Ok(Box::new(publish(task, cuts.clone(), Vec::new())?) as Box<dyn Recoding>)
    });
    let models = vec![format!("k-anonymity(k={least})")];
    let (columns, mut rows) = verified(holding, raw, n, publishes, models, &decided)?;
    let rows = order.iter().map(|&record| std::mem::take(&mut rows[record as usize])).collect();
    Ok(Part {
        holder: holding.job.holder.name.clone(),
        columns,
        rows,
        hash,
        steps,
        traffic: Traffic::new(),
        remarks,
        verified: true,
    })
}

/// All must have come to the same.
fn agree(wire: &mut dyn Wire, steps: usize, hash: [u8; 32]) -> Result<()> {
    let own = Message::Digest { steps: steps as u32, hash };
    let all = wire.exchange(&own, "digest", |message| match message {
        Message::Digest { steps, hash } => Ok((steps, hash)),
        other => Err(other),
    })?;
    match all.iter().position(|theirs| *theirs != (steps as u32, hash)) {
        None => Ok(()),
        Some(other) => Err(Error::input(format!(
            "{} and {} came to different results",
            wire.name(wire.seat()),
            wire.name(other)
        ))
        .hint(
            "nothing was released; a message was changed, or a holder doesn't keep to the rules",
        )),
    }
}
