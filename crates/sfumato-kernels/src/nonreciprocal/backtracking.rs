//! A walk that goes back from dead ends (WMC, Wong, Mamoulis and Cheung 2010): the baseline for the
//! closed walk, in two readings of what it has visited.

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

/// One on the way: a record, the published one that led to it, and those that were tried from it.
struct Stop {
    record: u32,
    through: Option<u32>,
    tried: Vec<u32>,
}

/// The same where a walk has visited only what it is at now: what it went back from may be visited
/// again, another way. Such a walk may try the same dead end from everywhere, so that after ten
/// times as many steps as there are records what it goes back from stays visited.
pub(super) fn forgetful_walk(extraction: &mut Extraction<'_>, start: u32) {
    let forgets_until = extraction.steps + 10 * extraction.holder.len() as u64;
    let mut path = vec![Stop { record: start, through: None, tried: Vec::new() }];
    while let Some(stop) = path.last_mut() {
        extraction.steps += 1;
        let (record, number) = (stop.record, extraction.number);
        let fresh: Vec<u32> = extraction
            .unused(record)
            .to_vec()
            .into_iter()
            .filter(|row| extraction.seen[*row as usize] != number && !stop.tried.contains(row))
            .collect();
        if fresh.is_empty() {
            if let Some(row) = stop.through.filter(|_| extraction.steps < forgets_until) {
                extraction.seen[row as usize] = 0;
            }
            path.pop();
            continue;
        }
        let published = fresh[extraction.random.below(fresh.len())];
        stop.tried.push(published);
        extraction.seen[published as usize] = number;
        extraction.choice[record as usize] = published;
        if extraction.ends(start, published) {
            return;
        }
        let next = extraction.holder[published as usize];
        path.push(Stop { record: next, through: Some(published), tried: Vec::new() });
    }
}
