//! The last resort of the greedy algorithm: records exchange matches along a shortest chain until
//! one of them can take a free published record.
//!
//! A record without its match takes one of a label it lacks from another record, which takes one of
//! a label it lacks, and so on. In the graph of records and labels, where each record may have each
//! label once and each label as often as its records have matches, such a chain augments a flow.
//! Labels that are l-eligible admit a flow that serves all (each label fits into distinct records),
//! so a chain exists.

use sfumato_core::column::Code;
use sfumato_core::{Error, FastMap, Result};

use super::greedy_pick::Picking;
use sfumato_kernels::nonreciprocal::extraction::NONE;

/// Give a record its match of this round by a chain of exchanges.
pub(super) fn exchange<C: Code>(picking: &mut Picking<'_, C>, start: u32) -> Result<()> {
    let n = picking.label.len();
    let mut of_label: FastMap<u32, Vec<u32>> = FastMap::default();
    for (place, label) in (0u32..).zip(&picking.label) {
        of_label.entry(*label).or_default().push(place);
    }
    let mut labels: Vec<(u32, Vec<u32>)> = of_label.into_iter().collect();
    labels.sort_unstable();
    // Labels that no record has reached yet, by their places in the list.
    let mut unreached: Vec<usize> = (0..labels.len()).collect();
    // For each record that a chain has reached: what it gives away, and to whom.
    let mut gives: Vec<(u32, u32)> = vec![(NONE, NONE); n];
    let mut queue = vec![start];
    let mut next = 0;
    while next < queue.len() {
        let record = queue[next];
        next += 1;
        let free = picking.nearest_free(record, |picking, place| {
            picking.lacks(record, picking.label[place as usize])
        });
        if let Some(published) = free {
            hand_on(picking, &gives, start, record, published);
            return Ok(());
        }
        let (reached, rest): (Vec<usize>, Vec<usize>) =
            unreached.into_iter().partition(|label| picking.lacks(record, labels[*label].0));
        unreached = rest;
        for published in reached.iter().flat_map(|label| &labels[*label].1) {
            for holder in picking.matching(*published) {
                let gives = &mut gives[*holder as usize];
                if *holder != start && gives.0 == NONE {
                    *gives = (*published, record);
                    queue.push(*holder);
                }
            }
        }
    }
    Err(Error::internal(
        "labels are l-eligible, but no chain of exchanges gives a record its match",
    ))
}

/// Apply a chain: its last record takes the free published record, and each gives its match to the
/// one before.
fn hand_on<C: Code>(
    picking: &mut Picking<'_, C>,
    gives: &[(u32, u32)],
    start: u32,
    last: u32,
    free: u32,
) {
    let mut record = last;
    let mut given = Vec::new();
    while record != start {
        let (published, to) = gives[record as usize];
        given.push((record, to, published));
        record = to;
    }
    // From the start on, each makes room before it takes.
    for (from, to, published) in given.into_iter().rev() {
        picking.pass_on(from, to, published);
    }
    picking.take_free(last, free);
}
