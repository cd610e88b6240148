//! A holder that doesn't lead: it answers what it may, splits what it is told to, and refuses what
//! doesn't follow from approved splits.

use sfumato_core::{Error, Result};

use super::boxes::Boxes;
use super::count::Counting;
use super::{LEADER, lead};
use crate::job::Agreement;
use crate::protocol::message::Decision;
use crate::protocol::{Message, Wire, WireExt};

/// Follow until the boxes are known.
pub fn follow(
    wire: &mut dyn Wire,
    agreement: &Agreement,
    counting: &mut Counting,
) -> Result<Boxes> {
    let k = lead::judges(agreement, counting)?.k();
    let mut boxes = Boxes::default();
    loop {
        let told = wire.expect(LEADER, "question", |message| match message {
            Message::Question(_) | Message::Decision(_) => Ok(message),
            other => Err(other),
        })?;
        match told {
            Message::Question(question) => drop(counting.answer(wire, &question, k)?),
            Message::Decision(Decision::Split { at, .. }) => {
                counting.split(&at)?;
                boxes.splits += at.len() as u32;
            }
            Message::Decision(Decision::Domain { bounds }) => {
                if bounds.len() != counting.own.quasi.len() {
                    return Err(Error::input("the domain that was told has other columns"));
                }
                counting.space.regions[0] = bounds;
            }
            Message::Decision(Decision::Close { .. }) => counting.try_boxes(),
            Message::Decision(Decision::Boxes { bounds }) => {
                boxes.bounds = bounds;
                check(counting, &boxes)?;
                return Ok(boxes);
            }
            _ => return Err(Error::internal("a message was let through")),
        }
    }
}

/// Every own row must lie in its box.
pub fn check(counting: &Counting, boxes: &Boxes) -> Result<()> {
    let own = &counting.own;
    let is_in = |row: usize| {
        let bounds = boxes.bounds.get(counting.region_of[row] as usize);
        bounds.is_some_and(|bounds| {
            bounds.len() == own.quasi.len()
                && own
                    .quasi
                    .iter()
                    .zip(bounds)
                    .all(|(column, &(lo, hi))| (lo..=hi).contains(&column.of_row[row]))
        })
    };
    match (0..own.n_rows).all(is_in) {
        true => Ok(()),
        false => Err(Error::input("a box that was told doesn't have a row that is in it")
            .hint("nothing was released; the leading holder doesn't keep to the rules")),
    }
}
