//! Whether every record can be given k rows that admit it, while every row is given to k records: a
//! maximum flow.
//!
//! Dinic's algorithm on a bipartite graph: phases of shortest paths from records that lack rows to
//! rows that can take more records.

/// Which rows each record may have, one list after the other.
pub struct Choices {
    offsets: Vec<usize>,
    rows: Vec<u32>,
}

impl Choices {
    /// Make choices from the rows of each record.
    pub fn new(lists: &[Vec<u32>]) -> Self {
        let mut offsets = Vec::with_capacity(lists.len() + 1);
        let mut rows = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        offsets.push(0);
        for list in lists {
            rows.extend_from_slice(list);
            offsets.push(rows.len());
        }
        Choices { offsets, rows }
    }
}

const NO_LEVEL: u32 = u32::MAX;

/// The largest number of pairs of a record and a row that can be chosen, such that each record and
/// each row is in at most k of them.
pub fn most_pairs(choices: &Choices, n_rows: usize, k: u32) -> u64 {
    let n = choices.offsets.len() - 1;
    let mut flow = Flow {
        choices,
        record_of: (0..n)
            .flat_map(|record| {
                std::iter::repeat_n(
                    record as u32,
                    choices.offsets[record + 1] - choices.offsets[record],
                )
            })
            .collect(),
        is_used: vec![false; choices.rows.len()],
        lacks: vec![k; n],
        room: vec![k; n_rows],
        takers: vec![Vec::new(); n_rows],
        level: vec![NO_LEVEL; n],
        cursor: vec![0; n],
    };
    let mut pairs = flow.take_what_is_free();
    while flow.find_levels() {
        let before = pairs;
        for record in 0..n as u32 {
            while flow.lacks[record as usize] > 0 && flow.augment(record) {
                pairs += 1;
            }
        }
        if pairs == before {
            break;
        }
    }
    pairs
}

struct Flow<'a> {
    choices: &'a Choices,
    /// The record of each choice.
    record_of: Vec<u32>,
    is_used: Vec<bool>,
    /// How many more rows each record needs, and how many more records each row can take.
    lacks: Vec<u32>,
    room: Vec<u32>,
    /// The used choices of each row.
    takers: Vec<Vec<u32>>,
    /// In this phase, how many exchanges each record is away from a record that lacks rows.
    level: Vec<u32>,
    /// The next choice that each record tries in this phase.
    cursor: Vec<usize>,
}

impl Flow<'_> {
    fn take(&mut self, choice: usize) {
        self.is_used[choice] = true;
        self.takers[self.choices.rows[choice] as usize].push(choice as u32);
    }

    fn take_what_is_free(&mut self) -> u64 {
        let mut pairs = 0;
        for choice in 0..self.choices.rows.len() {
            let (record, row) =
                (self.record_of[choice] as usize, self.choices.rows[choice] as usize);
            if self.lacks[record] > 0 && self.room[row] > 0 {
                self.lacks[record] -= 1;
                self.room[row] -= 1;
                self.take(choice);
                pairs += 1;
            }
        }
        pairs
    }

    /// Compute the levels of all records that can be reached. Returns whether a row with room can
    /// be reached.
    fn find_levels(&mut self) -> bool {
        self.level.fill(NO_LEVEL);
        self.cursor.copy_from_slice(&self.choices.offsets[..self.level.len()]);
        let mut seen = vec![false; self.room.len()];
        let mut queue: Vec<u32> = (0..self.level.len() as u32)
            .filter(|record| self.lacks[*record as usize] > 0)
            .collect();
        queue.iter().for_each(|record| self.level[*record as usize] = 0);
        let (mut next, mut is_found) = (0, false);
        while let Some(record) = queue.get(next).copied() {
            next += 1;
            let level = self.level[record as usize];
            for choice in
                self.choices.offsets[record as usize]..self.choices.offsets[record as usize + 1]
            {
                let row = self.choices.rows[choice] as usize;
                if self.is_used[choice] || std::mem::replace(&mut seen[row], true) {
                    continue;
                }
                is_found |= self.room[row] > 0;
                for taker in &self.takers[row] {
                    let other = self.record_of[*taker as usize];
                    if self.level[other as usize] == NO_LEVEL {
                        self.level[other as usize] = level + 1;
                        queue.push(other);
                    }
                }
            }
        }
        is_found
    }

    /// Find a path from a record that lacks a row to a row with room, and exchange along it.
    fn augment(&mut self, start: u32) -> bool {
        // The choices that are taken, and from the second on the one that is given up for it.
        let mut way: Vec<(usize, Option<usize>)> = Vec::new();
        let mut record = start;
        loop {
            match self.step(record) {
                Some((choice, None)) => {
                    way.push((choice, None));
                    break;
                }
                Some((choice, Some(given_up))) => {
                    way.push((choice, Some(given_up)));
                    record = self.record_of[given_up];
                }
                None => {
                    // Nothing leads on from here in this phase.
                    self.level[record as usize] = NO_LEVEL;
                    let Some((choice, _)) = way.pop() else { return false };
                    record = self.record_of[choice];
                }
            }
        }
        self.lacks[start as usize] -= 1;
        for (choice, given_up) in way {
            if let Some(given_up) = given_up {
                self.is_used[given_up] = false;
                let row = self.choices.rows[given_up] as usize;
                self.takers[row].retain(|taker| *taker as usize != given_up);
            } else {
                self.room[self.choices.rows[choice] as usize] -= 1;
            }
            self.take(choice);
        }
        true
    }

    /// The next choice of a record that leads on: to a row with room, or to a row that a record of
    /// the next level gives up.
    fn step(&mut self, record: u32) -> Option<(usize, Option<usize>)> {
        let level = self.level[record as usize];
        if level == NO_LEVEL {
            return None;
        }
        while self.cursor[record as usize] < self.choices.offsets[record as usize + 1] {
            let choice = self.cursor[record as usize];
            let row = self.choices.rows[choice] as usize;
            if !self.is_used[choice] {
                if self.room[row] > 0 {
                    return Some((choice, None));
                }
                let is_next = |taker: &&u32| {
                    self.level[self.record_of[**taker as usize] as usize] == level + 1
                };
                if let Some(taker) = self.takers[row].iter().find(is_next) {
                    return Some((choice, Some(*taker as usize)));
                }
            }
            self.cursor[record as usize] += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The largest number of pairs, by trying all.
    fn most(lists: &[Vec<u32>], record: usize, room: &mut Vec<u32>, k: u32) -> u64 {
        if record == lists.len() {
            return 0;
        }
        let list = &lists[record];
        let mut best = 0;
        for chosen in 0..1u32 << list.len() {
            let rows: Vec<usize> = (0..list.len())
                .filter(|i| chosen >> i & 1 == 1)
                .map(|i| list[i] as usize)
                .collect();
            if rows.len() > k as usize || rows.iter().any(|row| room[*row] == 0) {
                continue;
            }
            rows.iter().for_each(|row| room[*row] -= 1);
            best = best.max(rows.len() as u64 + most(lists, record + 1, room, k));
            rows.iter().for_each(|row| room[*row] += 1);
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]
        #[test]
        fn as_many_pairs_as_there_can_be(
            bits in prop::collection::vec(0u32..32, 1..6),
            k in 1u32..4,
        ) {
            let lists: Vec<Vec<u32>> = bits.iter()
                .map(|bits| (0..5).filter(|row| bits >> row & 1 == 1).collect()).collect();
            let found = most_pairs(&Choices::new(&lists), 5, k);
            prop_assert_eq!(found, most(&lists, 0, &mut vec![k; 5], k));
        }
    }

    #[test]
    fn long_chains_are_followed() {
        // Everybody may have their own row and the next; the first only its own, so that all others
        // must take the next but one.
        let n = 3000u32;
        let mut lists: Vec<Vec<u32>> = (0..n - 1).map(|i| vec![i, i + 1]).collect();
        lists.push(vec![0]);
        assert_eq!(most_pairs(&Choices::new(&lists), n as usize, 1), u64::from(n));
        assert_eq!(most_pairs(&Choices::new(&lists), n as usize, 2), 2 * u64::from(n) - 1);
        assert_eq!(most_pairs(&Choices::new(&[]), 0, 1), 0);
    }
}
