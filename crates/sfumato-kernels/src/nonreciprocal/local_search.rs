//! Finds a shorter path through all places of a segment whose ends stay: 2-opt and Or-opt moves to
//! near places, and kicks out of local optima.

use super::distances::Distances;
use super::random::RandomStream;

/// The longest block that an Or-opt move takes to another place.
const LONGEST_BLOCK: usize = 3;
/// The width within which a kick exchanges two blocks. Farther apart, the search couldn't repair
/// the path.
const KICK_WIDTH: usize = 50;

/// A path: which number is at each place, and at which place each number is.
pub struct Path<'a> {
    distances: &'a Distances,
    order: Vec<u32>,
    place: Vec<u32>,
    length: i64,
    /// Numbers whose surroundings have changed since moves from them were tried.
    queue: Vec<u32>,
    queued: Vec<bool>,
}

impl<'a> Path<'a> {
    /// The path in ascending order of the numbers.
    pub fn new(distances: &'a Distances) -> Self {
        let n = distances.n() as u32;
        let length = (1..n).map(|i| distances.get(i - 1, i)).sum();
        let order: Vec<u32> = (0..n).collect();
        Path {
            distances,
            place: order.clone(),
            order,
            length,
            queue: Vec::new(),
            queued: vec![false; n as usize],
        }
    }

    /// Make moves until none shortens the path, then `kicks` kicks, each followed by moves. Returns
    /// the shortest path that was seen, the first of equals. The ends stay where they are.
    pub fn improve(mut self, kicks: usize, random: &mut RandomStream) -> Vec<u32> {
        let n = self.order.len();
        if n < 4 {
            return self.order;
        }
        (0..n as u32).rev().for_each(|city| self.push(city));
        self.descend();
        let mut best = (self.length, self.order.clone());
        // Where the search goes on from: equal lengths are taken, so that it isn't caught on a
        // plateau.
        let mut kept = (self.length, self.order.clone(), self.place.clone());
        for _ in 0..if n < 5 { 0 } else { kicks } {
            self.kick(random);
            self.descend();
            if self.length <= kept.0 {
                kept.0 = self.length;
                kept.1.copy_from_slice(&self.order);
                kept.2.copy_from_slice(&self.place);
                if self.length < best.0 {
                    best.0 = self.length;
                    best.1.copy_from_slice(&self.order);
                }
            } else {
                self.length = kept.0;
                self.order.copy_from_slice(&kept.1);
                self.place.copy_from_slice(&kept.2);
            }
        }
        best.1
    }

    fn push(&mut self, city: u32) {
        if !std::mem::replace(&mut self.queued[city as usize], true) {
            self.queue.push(city);
        }
    }

    fn descend(&mut self) {
        while let Some(city) = self.queue.pop() {
            self.queued[city as usize] = false;
            while self.two_opt(city) || self.or_opt(city) {}
        }
    }

    #[inline]
    fn at(&self, place: usize) -> u32 {
        self.order[place]
    }
    #[inline]
    fn between(&self, a: u32, b: u32) -> i64 {
        self.distances.get(a, b)
    }

    /// Give a number a nearer neighbour by reversing a part of the path.
    fn two_opt(&mut self, city: u32) -> bool {
        let (n, i) = (self.order.len(), self.place[city as usize] as usize);
        for forward in [true, false] {
            // The neighbour to be replaced, and the one that the near set would have to give up on
            // the same side.
            let beside =
                |j: usize| if forward { (j + 1 < n).then_some(j + 1) } else { j.checked_sub(1) };
            let Some(next) = beside(i).map(|place| self.at(place)) else { continue };
            let now = self.between(city, next);
            for &near in self.distances.near(city) {
                let nearer = self.between(city, near);
                if nearer >= now {
                    break;
                }
                let j = self.place[near as usize] as usize;
                let Some(other) = beside(j).map(|place| self.at(place)) else { continue };
                let gain = now + self.between(near, other) - nearer - self.between(next, other);
                if gain > 0 {
                    let (low, high) = (i.min(j), i.max(j));
                    if forward {
                        self.reverse(low + 1, high)
                    } else {
                        self.reverse(low, high - 1)
                    }
                    self.length -= gain;
                    [city, next, near, other].into_iter().for_each(|city| self.push(city));
                    return true;
                }
            }
        }
        false
    }

    /// Move a short block that ends in a number to a place where the number has a near neighbour.
    fn or_opt(&mut self, city: u32) -> bool {
        let (n, i) = (self.order.len(), self.place[city as usize] as usize);
        for size in 1..=LONGEST_BLOCK {
            for city_is_first in [true, false] {
                if size == 1 && !city_is_first {
                    continue;
                }
                let first = if city_is_first { Some(i) } else { (i + 1).checked_sub(size) };
                let Some(first) = first.filter(|first| *first >= 1 && first + size < n) else {
                    continue;
                };
                let last = first + size - 1;
                let (before, after) = (self.at(first - 1), self.at(last + 1));
                let end = self.at(if city_is_first { last } else { first });
                let freed = self.between(before, self.at(first))
                    + self.between(self.at(last), after)
                    - self.between(before, after);
                for &near in self.distances.near(city) {
                    let nearer = self.between(city, near);
                    if nearer >= freed {
                        break;
                    }
                    let j = self.place[near as usize] as usize;
                    if (first..=last).contains(&j) {
                        continue;
                    }
                    // The block comes after place `to`: behind the near set, or before it.
                    for behind in [true, false] {
                        let Some(to) = (if behind { Some(j) } else { j.checked_sub(1) }) else {
                            continue;
                        };
                        if to + 1 >= n || (first - 1..=last).contains(&to) {
                            continue;
                        }
                        let other = self.at(if behind { to + 1 } else { to });
                        let gain =
                            freed - nearer - self.between(end, other) + self.between(near, other);
                        if gain > 0 {
                            self.move_block(first, last, to, city_is_first != behind);
                            self.length -= gain;
                            [before, after, near, other, city, end]
                                .into_iter()
                                .for_each(|city| self.push(city));
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    /// Reverse the places from `low` to `high`.
    fn reverse(&mut self, low: usize, high: usize) {
        self.order[low..=high].reverse();
        self.renumber(low, high);
    }

    /// Move the places from `first` to `last` behind place `to`, reversed or not.
    fn move_block(&mut self, first: usize, last: usize, to: usize, turned: bool) {
        let size = last - first + 1;
        let (low, high, begins) = if to > last {
            self.order[first..=to].rotate_left(size);
            (first, to, to + 1 - size)
        } else {
            self.order[to + 1..=last].rotate_right(size);
            (to + 1, last, to + 1)
        };
        if turned {
            self.order[begins..begins + size].reverse();
        }
        self.renumber(low, high);
    }

    fn renumber(&mut self, low: usize, high: usize) {
        for place in low..=high {
            self.place[self.order[place] as usize] = place as u32;
        }
    }

    /// Exchange two adjacent blocks, which no single move can undo.
    fn kick(&mut self, random: &mut RandomStream) {
        let n = self.order.len();
        let width = KICK_WIDTH.min(n - 2);
        let start = 1 + random.below(n - 1 - width);
        let mut cuts = [0; 3].map(|_| start + random.below(width + 1));
        cuts.sort_unstable();
        let [a, b, c] = cuts;
        if a == b || b == c {
            return;
        }
        let ends = [a - 1, a, b - 1, b, c - 1, c].map(|place| self.at(place));
        let [before, a_first, a_last, b_first, b_last, after] = ends;
        self.length += self.between(before, b_first)
            + self.between(b_last, a_first)
            + self.between(a_last, after)
            - self.between(before, a_first)
            - self.between(a_last, b_first)
            - self.between(b_last, after);
        self.order[a..c].rotate_left(b - a);
        self.renumber(a, c - 1);
        ends.into_iter().for_each(|city| self.push(city));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hamming(words: &[u32], n_near: usize) -> Distances {
        Distances::new(words.len(), n_near, |i, j| (words[i] ^ words[j]).count_ones())
    }

    fn length(distances: &Distances, order: &[u32]) -> i64 {
        order.windows(2).map(|two| distances.get(two[0], two[1])).sum()
    }

    /// The shortest path with these ends, by trying all.
    fn shortest(distances: &Distances, from: u32, left: &mut Vec<u32>, to: u32) -> i64 {
        if left.is_empty() {
            return distances.get(from, to);
        }
        let mut best = i64::MAX;
        for i in 0..left.len() {
            let next = left.swap_remove(i);
            best = best.min(distances.get(from, next) + shortest(distances, next, left, to));
            left.push(next);
            let last = left.len() - 1;
            left.swap(i, last);
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn small_paths_are_the_shortest(words in prop::collection::vec(0u32..1 << 16, 2..9)) {
            let distances = hamming(&words, 8);
            let last = words.len() as u32 - 1;
            let order = Path::new(&distances).improve(100, &mut RandomStream::from_seed(1));
            prop_assert_eq!((order[0], order[last as usize]), (0, last));
            let best = shortest(&distances, 0, &mut (1..last).collect(), last);
            prop_assert_eq!(length(&distances, &order), best);
        }
    }

    #[test]
    fn paths_get_shorter_and_their_lengths_are_kept_in_mind() {
        let mut random = RandomStream::from_seed(5);
        let word = |random: &mut RandomStream| {
            (0..30).fold(0u32, |word, bit| word | u32::from(random.below(3) == 0) << bit)
        };
        let words: Vec<u32> = (0..300).map(|_| word(&mut random)).collect();
        let distances = hamming(&words, 10);
        let given: Vec<u32> = (0..300).collect();
        let mut path = Path::new(&distances);
        assert_eq!(path.length, length(&distances, &given));
        (0..300).for_each(|city| path.push(city));
        path.descend();
        for _ in 0..200 {
            assert_eq!(path.length, length(&distances, &path.order));
            assert!(
                path.place.iter().zip(0..).all(|(place, city)| path.order[*place as usize] == city)
            );
            path.kick(&mut random);
            path.descend();
        }
        let without = Path::new(&distances).improve(0, &mut random);
        let with = Path::new(&distances).improve(600, &mut random);
        let lengths = [&given, &without, &with].map(|order| length(&distances, order));
        assert!(lengths[1] < lengths[0] * 3 / 4 && lengths[2] < lengths[1], "{lengths:?}");
        for mut order in [without, with] {
            assert_eq!((order[0], order[299]), (0, 299));
            order.sort_unstable();
            assert_eq!(order, given);
        }
    }
}
