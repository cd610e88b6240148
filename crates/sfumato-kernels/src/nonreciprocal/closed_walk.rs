//! A walk that never goes back: if all neighbours were visited before, it visits one again and
//! forgets the loop.

use super::extraction::Extraction;

/// Walk from a record to a published record that ends the walk, and note at each record what it
/// chose last.
///
/// No edge is used twice. There always is an unused one: a record on the way was entered through
/// the edges of the published record that it holds, of which there are as many as of its own, and
/// it was left once less often than entered. So the walk can't stop but at its end.
pub(super) fn walk(extraction: &mut Extraction<'_>, start: u32) {
    let mut record = start;
    loop {
        let published = pick(extraction, record);
        extraction.choice[record as usize] = published;
        extraction.steps += 1;
        if extraction.ends(start, published) {
            return;
        }
        extraction.seen[published as usize] = extraction.number;
        record = extraction.holder[published as usize];
    }
}

/// A random edge that this walk hasn't used, if possible to a published record that it hasn't
/// visited. Used edges lie behind the others.
#[inline]
fn pick(extraction: &mut Extraction<'_>, record: u32) -> u32 {
    let left = match extraction.left[record as usize] {
        (walk, left) if walk == extraction.number => left as usize,
        _ => extraction.degree,
    };
    let slot = match extraction.fresh(record, left) {
        Some(slot) => slot,
        None => extraction.random.below(left),
    };
    extraction.left[record as usize] = (extraction.number, left as u32 - 1);
    let edges = extraction.unused(record);
    edges.swap(slot, left - 1);
    edges[left - 1]
}
