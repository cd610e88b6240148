//! The second phase: classes take back items that all their records have, and records move to
//! classes with one item more if both classes stay large enough.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use sfumato_core::Result;
use sfumato_core::column::Code;

use super::store::{Store, closure};
use crate::traits::SetTask;

/// Buffers that are used for class after class.
struct Scratch {
    /// How many records of the class have each rank.
    counts: Vec<u64>,
    /// The ranks with a count.
    counted: Vec<u32>,
    /// For each rank, its number among the lists, plus 1.
    listed: Vec<u32>,
    above: Vec<(u32, u32)>,
}

/// Move records until no class can be split.
pub fn split<C: Code>(store: &mut Store<'_, C>, task: &SetTask<'_>) -> Result<()> {
    let n_items = store.ranked.items.len();
    let mut scratch = Scratch {
        counts: vec![0; n_items],
        counted: Vec::new(),
        listed: vec![0; n_items],
        above: Vec::new(),
    };
    let mut queue: VecDeque<u32> = (0..store.classes.len() as u32).collect();
    store.classes.iter_mut().for_each(|class| class.waits = true);
    let mut steps = 0u64;
    while let Some(mut class) = queue.pop_front() {
        steps += 1;
        if steps.is_multiple_of(1 << 12) {
            task.check_cancelled()?;
        }
        let here = &mut store.classes[class as usize];
        here.waits = false;
        if here.size == 0 {
            continue;
        }
        if !std::mem::replace(&mut here.closed, true) {
            let set = closure(store.ranked, &here.members, &here.set);
            if set.len() > here.set.len() {
                class = store.enlarge(class, set);
            }
        }
        store.above(class, &mut scratch.above);
        let size = store.classes[class as usize].size;
        if size > task.k && (size >= 2 * task.k || !scratch.above.is_empty()) {
            split_class(store, class, &mut scratch, task.k, &mut queue);
        }
    }
    Ok(())
}

/// Split a class as often as possible, beginning with the item whose move gains most.
fn split_class<C: Code>(
    store: &mut Store<'_, C>,
    class: u32,
    scratch: &mut Scratch,
    k: u64,
    queue: &mut VecDeque<u32>,
) {
    let ranked = store.ranked;
    let here = &mut store.classes[class as usize];
    let (mut size, members) = (here.size, std::mem::take(&mut here.members));
    for word in &members {
        let weight = ranked.sizes[*word as usize];
        for rank in ranked.word(*word as usize) {
            let count = &mut scratch.counts[rank.widen() as usize];
            if *count == 0 {
                scratch.counted.push(rank.widen());
            }
            *count += weight;
        }
    }
    let mut candidates: Vec<u32> = scratch.above.iter().map(|(rank, _)| *rank).collect();
    if size >= 2 * k {
        let set = &here.set;
        let frequent =
            |rank: &&u32| scratch.counts[**rank as usize] >= k && set.binary_search(rank).is_err();
        candidates.extend(scratch.counted.iter().filter(frequent));
    }
    candidates.retain(|rank| scratch.counts[*rank as usize] > 0);
    candidates.sort_unstable();
    candidates.dedup();
    let lists = lists(ranked, &members, &candidates, scratch);

    let gain = |rank: u32, scratch: &Scratch, size: u64| {
        (ranked.utilities[rank as usize] * scratch.counts[rank as usize].min(size - k) as f64)
            .to_bits()
    };
    let mut heap: BinaryHeap<(u64, Reverse<u32>)> =
        candidates.iter().map(|rank| (gain(*rank, scratch, size), Reverse(*rank))).collect();
    let mut gone = vec![false; members.len()];
    while let Some((told, Reverse(rank))) = heap.pop() {
        if size == k {
            break;
        }
        if scratch.counts[rank as usize] == 0 {
            continue;
        }
        // Gains only fall: one that is still true is the largest.
        let now = gain(rank, scratch, size);
        if now < told {
            heap.push((now, Reverse(rank)));
            continue;
        }
        let (mut room, mut moved) = (size - k, Vec::new());
        for place in &lists[scratch.listed[rank as usize] as usize - 1] {
            let weight = ranked.sizes[members[*place as usize] as usize];
            if !gone[*place as usize] && weight <= room {
                room -= weight;
                moved.push(*place);
            }
        }
        let n_moved = size - k - room;
        let populated = scratch.above.binary_search_by_key(&rank, |(rank, _)| *rank).is_ok();
        if n_moved < if populated { 1 } else { k } {
            continue;
        }
        size -= n_moved;
        for place in &moved {
            gone[*place as usize] = true;
            let word = members[*place as usize] as usize;
            for rank in ranked.word(word) {
                scratch.counts[rank.widen() as usize] -= ranked.sizes[word];
            }
        }
        let moved: Vec<u32> = moved.into_iter().map(|place| members[place as usize]).collect();
        let other = store.make_above(class, rank);
        store.add(other, &moved);
        wait(store, other, queue);
    }

    let common = |rank: &&u32| scratch.counts[**rank as usize] == size;
    let mut set: Vec<u32> = scratch.counted.iter().filter(common).copied().collect();
    let here = &mut store.classes[class as usize];
    here.size = size;
    here.members =
        members.into_iter().zip(gone).filter(|(_, gone)| !gone).map(|(word, _)| word).collect();
    let larger = set.len() > here.set.len();
    scratch.counted.drain(..).for_each(|rank| scratch.counts[rank as usize] = 0);
    candidates.iter().for_each(|rank| scratch.listed[*rank as usize] = 0);
    if larger {
        set.sort_unstable();
        let other = store.enlarge(class, set.into_boxed_slice());
        wait(store, other, queue);
    }
}

/// For each candidate, the places of the members that have it.
fn lists<C: Code>(
    ranked: &super::ranked::Ranked<C>,
    members: &[u32],
    candidates: &[u32],
    scratch: &mut Scratch,
) -> Vec<Vec<u32>> {
    candidates
        .iter()
        .enumerate()
        .for_each(|(i, rank)| scratch.listed[*rank as usize] = i as u32 + 1);
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); candidates.len()];
    for (place, word) in members.iter().enumerate() {
        for rank in ranked.word(*word as usize) {
            let list = scratch.listed[rank.widen() as usize];
            if list > 0 {
                lists[list as usize - 1].push(place as u32);
            }
        }
    }
    lists
}

/// Queue a class to be processed again.
fn wait<C: Code>(store: &mut Store<'_, C>, class: u32, queue: &mut VecDeque<u32>) {
    if !std::mem::replace(&mut store.classes[class as usize].waits, true) {
        queue.push_back(class);
    }
}
