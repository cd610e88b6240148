//! The class of every common record, which all holders know: who has it compares hashes, and who
//! hasn't is told.

use sfumato_core::column::RawColumn;
use sfumato_core::{Error, Result};
use sfumato_table::sealed::cell;
use sha2::{Digest, Sha256};

use super::Joint;
use crate::holder::Holding;
use crate::protocol::{Message, Wire, WireExt};

/// The classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// Their labels, in the order of their texts.
    pub labels: Vec<String>,
    /// The class of each record.
    pub of_record: Vec<u32>,
}

impl Classes {
    fn of_column(column: &RawColumn, n: usize) -> Self {
        let texts: Vec<String> =
            (0..n).map(|row| cell(column, row).unwrap_or_default().trim().to_string()).collect();
        let mut labels = texts.clone();
        labels.sort();
        labels.dedup();
        let class = |text: &String| labels.binary_search(text).map_or(0, |place| place as u32);
        let of_record = texts.iter().map(class).collect();
        Classes { labels, of_record }
    }

    fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        for label in &self.labels {
            hash.update((label.len() as u64).to_le_bytes());
            hash.update(label.as_bytes());
        }
        self.of_record.iter().for_each(|class| hash.update(class.to_le_bytes()));
        hash.finalize().into()
    }
}

/// Make the classes known to all.
pub fn share(
    wire: &mut dyn Wire,
    joint: &Joint,
    holding: &Holding,
    raw: &[RawColumn],
    n: usize,
) -> Result<Classes> {
    let seat = wire.seat();
    let source = joint.with_target[0];
    if !joint.with_target.contains(&seat) {
        let (labels, of_record) = wire.expect(source, "classes", |message| match message {
            Message::Classes { labels, of_record } => Ok((labels, of_record)),
            other => Err(other),
        })?;
        let is_class = |class: &u32| (*class as usize) < labels.len();
        if of_record.len() != n || !of_record.iter().all(is_class) {
            return Err(Error::input("the classes that were sent aren't those of the records"));
        }
        return Ok(Classes { labels, of_record });
    }
    let column = raw
        .iter()
        .find(|column| column.name == joint.target)
        .ok_or_else(|| Error::internal(format!("{} lost its target", holding.job.holder.name)))?;
    let own = Classes::of_column(column, n);
    let digest = own.digest();
    for other in joint.with_target.iter().filter(|other| **other != seat) {
        wire.send(*other, &Message::ClassDigest(digest))?;
    }
    for other in joint.with_target.iter().filter(|other| **other != seat) {
        let theirs = wire.expect(*other, "class-digest", |message| match message {
            Message::ClassDigest(digest) => Ok(digest),
            other => Err(other),
        })?;
        if theirs != digest {
            return Err(Error::input(format!(
                "{} and {} have different classes of the same records in '{}'",
                wire.name(seat),
                wire.name(*other),
                joint.target
            ))
            .hint("one of them gives the column the role identifier, and takes the other's"));
        }
    }
    if seat == source {
        for other in wire.others() {
            if !joint.with_target.contains(&other) {
                let Classes { labels, of_record } = own.clone();
                wire.send(other, &Message::Classes { labels, of_record })?;
            }
        }
    }
    Ok(own)
}
