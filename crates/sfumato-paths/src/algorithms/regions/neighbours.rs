//! The nearest tracks at some ticks, by the threshold algorithm.
//!
//! How far two tracks are apart at a tick is the difference of their numbers on a Hilbert curve. At
//! each tick tracks are in a list by number; from the place of a track one goes outwards in all
//! lists at once, and adds up the differences of each track that is met. No track that wasn't met
//! can be nearer than the sum of the differences where the walks are.

use std::collections::{BTreeMap, BinaryHeap};

use sfumato_core::FastSet;

/// Tracks by their numbers on a curve, at each tick.
pub struct Neighbours {
    lists: BTreeMap<i64, List>,
}

struct List {
    /// The number of each track.
    number: Vec<u64>,
    /// Tracks by ascending number.
    sorted: Vec<u32>,
    /// The place of each track in that order.
    place: Vec<u32>,
}

/// A walk outwards from a place of a list.
struct Walk<'a> {
    list: &'a List,
    own: u64,
    /// The next place below, plus one; 0 if there is none.
    below: usize,
    /// The next place above.
    above: usize,
}

impl Walk<'_> {
    /// The difference of the next track, and whether it is below. `None` at the end.
    fn next(&self) -> Option<(u64, bool)> {
        let gap =
            |place: usize| self.list.number[self.list.sorted[place] as usize].abs_diff(self.own);
        let below = (self.below > 0).then(|| (gap(self.below - 1), true));
        let above = (self.above < self.list.sorted.len()).then(|| (gap(self.above), false));
        match (below, above) {
            (Some(below), Some(above)) => Some(if below.0 <= above.0 { below } else { above }),
            (one, other) => one.or(other),
        }
    }
    fn step(&mut self) -> Option<u32> {
        let (_, is_below) = self.next()?;
        let place = if is_below {
            self.below -= 1;
            self.below
        } else {
            self.above += 1;
            self.above - 1
        };
        Some(self.list.sorted[place])
    }
}

impl Neighbours {
    /// The numbers of all tracks at each tick.
    pub fn new(numbers: BTreeMap<i64, Vec<u64>>) -> Neighbours {
        let list = |number: Vec<u64>| {
            let mut sorted: Vec<u32> = (0..number.len() as u32).collect();
            sorted.sort_by_key(|track| (number[*track as usize], *track));
            let mut place = vec![0; sorted.len()];
            (0..).zip(&sorted).for_each(|(at, track)| place[*track as usize] = at);
            List { number, sorted, place }
        };
        Neighbours { lists: numbers.into_iter().map(|(tick, all)| (tick, list(all))).collect() }
    }

    /// How far two tracks are apart at some ticks together.
    pub fn distance(&self, a: u32, b: u32, ticks: &[i64]) -> u128 {
        let lists = ticks.iter().filter_map(|tick| self.lists.get(tick));
        let gap = |list: &List| list.number[a as usize].abs_diff(list.number[b as usize]);
        lists.map(|list| u128::from(gap(list))).sum()
    }

    /// The tracks that are nearest to a track at some ticks, the nearest first: so many, or all
    /// there are. Of equally near ones those with the smallest numbers are taken. `is_out` says
    /// which don't count.
    pub fn nearest(
        &self,
        track: u32,
        ticks: &[i64],
        n: usize,
        is_out: &dyn Fn(u32) -> bool,
    ) -> Vec<u32> {
        let start =
            |list: &'_ List| (list.number[track as usize], list.place[track as usize] as usize);
        let mut walks: Vec<Walk<'_>> = ticks
            .iter()
            .filter_map(|tick| self.lists.get(tick))
            .map(|list| {
                let (own, place) = start(list);
                Walk { list, own, below: place, above: place + 1 }
            })
            .collect();
        let mut seen: FastSet<u32> = FastSet::default();
        // The worst of the best is on top.
        let mut best: BinaryHeap<(u128, u32)> = BinaryHeap::new();
        while n > 0 && !walks.is_empty() {
            for walk in &mut walks {
                let Some(met) = walk.step() else { continue };
                if met == track || !seen.insert(met) || is_out(met) {
                    continue;
                }
                best.push((self.distance(track, met, ticks), met));
                if best.len() > n {
                    best.pop();
                }
            }
            // A list that came to its end has shown every track.
            let frontier: Option<u128> =
                walks.iter().map(|walk| walk.next().map(|next| u128::from(next.0))).sum();
            match frontier {
                None => break,
                Some(least)
                    if best.len() == n && best.peek().is_some_and(|worst| worst.0 < least) =>
                {
                    break;
                }
                Some(_) => {}
            }
        }
        best.into_sorted_vec().into_iter().map(|(_, track)| track).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_anonymity_groups_of_table_14_7() {
        let numbers = BTreeMap::from([(1, vec![13, 51, 8, 33]), (2, vec![24, 40, 42, 218])]);
        let near = Neighbours::new(numbers);
        let one = |track: u32, tick: i64| near.nearest(track, &[tick], 1, &|_| false);
        assert_eq!([one(0, 1), one(1, 2), one(2, 2), one(3, 1)], [[2], [2], [1], [1]]);
    }

    #[test]
    fn the_nearest_are_those_of_the_definition() {
        let mut state = 9u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for _ in 0..200 {
            let n = 2 + below(20) as usize;
            let ticks: Vec<i64> = (0..1 + below(4) as i64).collect();
            let lists = ticks.iter().map(|tick| (*tick, (0..n).map(|_| below(30)).collect()));
            let near = Neighbours::new(lists.collect());
            let (track, wanted) = (below(n as u64) as u32, below(6) as usize);
            let out = below(n as u64) as u32;
            let mut all: Vec<(u128, u32)> = (0..n as u32)
                .filter(|other| *other != track && *other != out)
                .map(|other| (near.distance(track, other, &ticks), other))
                .collect();
            all.sort_unstable();
            let all: Vec<u32> = all.into_iter().take(wanted).map(|(_, other)| other).collect();
            assert_eq!(near.nearest(track, &ticks, wanted, &|other| other == out), all);
        }
    }
}
