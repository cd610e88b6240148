//! A walk that goes back from dead ends (WMC, Wong, Mamoulis and Cheung 2010): the baseline for the
//! closed walk.

use super::extraction::Extraction;

/// Walk from a record to a published one that ends the walk, never to where the walk has been; the
/// steps back count as steps.
///
/// The walk finds an end: if it had to go back beyond its start, the records it has been at would
/// together have fewer neighbours than there are of them, and no regular graph has such records.
pub(super) fn walk(extraction: &mut Extraction<'_>, start: u32) {
    let mut path = vec![start];
    while let Some(record) = path.last().copied() {
        extraction.steps += 1;
        let Some(slot) = extraction.fresh(record, extraction.degree) else {
            path.pop();
            continue;
        };
        let published = extraction.unused(record)[slot];
        extraction.seen[published as usize] = extraction.number;
        extraction.choice[record as usize] = published;
        if extraction.ends(start, published) {
            return;
        }
        path.push(extraction.holder[published as usize]);
    }
}
