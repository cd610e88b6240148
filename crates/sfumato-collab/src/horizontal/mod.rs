//! Holders of other people with the same columns: distributed Mondrian (Jurczyk, Xiong 2009; Fung,
//! Wang, Fu, Yu, chapter 12). The first holder leads: it asks all for sums, which are shared in
//! secret, and says what is split. Everything that is said is more general than the release.

mod boxes;
mod count;
mod deliver;
mod follow;
mod lead;
mod numbers;
mod specialise;

use sfumato_core::{Error, Result};

use crate::holder::{Holding, Part};
use crate::job::Agreement;
use crate::ledger::{Keep, Logged};
use crate::protocol::{Message, Seat, VERSION, Wire, WireExt};
use crate::secure::Secrets;
use crate::secure::sums::Sums;

/// Who leads.
pub const LEADER: Seat = 0;

/// Take part, and give one's own part of the release.
pub fn take_part(
    wire: &mut dyn Wire,
    log: &mut dyn Keep,
    agreement: &Agreement,
    holding: &Holding,
    secrets: &Secrets,
) -> Result<Part> {
    let mut wire = Logged::new(wire, log);
    let sums = Sums::new(&wire, secrets)?;
    agree(&mut wire, agreement, holding)?;
    let own = numbers::Numbers::of(holding, agreement)?;
    same_numbers(&mut wire, &own)?;
    let mut counting = count::Counting::new(own, sums);
    let boxes = match wire.seat() == LEADER {
        true => lead::lead(&mut wire, agreement, &mut counting)?,
        false => follow::follow(&mut wire, agreement, &mut counting)?,
    };
    let mut part = deliver::deliver(&mut wire, &counting, &boxes, holding, secrets)?;
    part.traffic = wire.traffic;
    Ok(part)
}

/// All must have the same job and the same columns. How many rows a holder has it keeps to itself.
fn agree(wire: &mut dyn Wire, agreement: &Agreement, holding: &Holding) -> Result<()> {
    let mut columns = holding.schema();
    columns.sort_by(|a, b| a.name.cmp(&b.name));
    let job = agreement.hash()?;
    let own = Message::Hello { version: VERSION, job, columns, records: 0 };
    let all = wire.exchange(&own, "hello", |message| match message {
        Message::Hello { job, columns, .. } => Ok((job, columns)),
        other => Err(other),
    })?;
    for (seat, theirs) in all.iter().enumerate() {
        let what = match (theirs.0 == all[0].0, theirs.1 == all[0].1) {
            (true, true) => continue,
            (false, _) => "don't work on the same job",
            (_, false) => "don't have the same columns with the same roles",
        };
        return Err(Error::params(format!("{} and {} {what}", wire.name(0), wire.name(seat)))
            .hint("give all holders the same JOB.toml and the same [columns]"));
    }
    Ok(())
}

/// All must number values alike, or boxes would mean something else to each.
fn same_numbers(wire: &mut dyn Wire, own: &numbers::Numbers) -> Result<()> {
    let digest = own.digest();
    let all = wire.exchange(&Message::ClassDigest(digest), "class-digest", |m| match m {
        Message::ClassDigest(digest) => Ok(digest),
        other => Err(other),
    })?;
    match all.iter().position(|theirs| *theirs != all[0]) {
        None => Ok(()),
        Some(seat) => Err(Error::params(format!(
            "{} and {} don't have the same hierarchies",
            wire.name(0),
            wire.name(seat)
        ))
        .hint("give all holders the same hierarchy files")),
    }
}
