//! The first phase: the smallest class drops an item, until no class is too small.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hashbrown::HashTable;
use sfumato_core::Result;
use sfumato_core::column::Code;

use super::ranked::Ranked;
use super::reach::Reach;
use super::words::Words;
use crate::traits::SetTask;

/// The classes. Each is numbered by a word that begins with its set.
struct Classes<'a, C> {
    ranked: &'a Ranked<C>,
    words: &'a Words,
    /// The length of each class's set: how many letters of its word belong to it.
    lengths: Vec<u32>,
    sizes: Vec<u64>,
    prints: Vec<u64>,
    /// The class into which a class was merged; itself while it has records.
    into: Vec<u32>,
    /// Classes that have records, by the fingerprint of their set.
    table: HashTable<(u64, u32)>,
    /// Classes to process: the smallest first, then the longest.
    pending: BTreeMap<(u64, Reverse<u32>), Vec<u32>>,
    k: u64,
}

/// Merge classes, and return the class of each word.
pub fn merge<C: Code>(
    ranked: &Ranked<C>,
    reach: &Reach,
    words: &Words,
    task: &SetTask<'_>,
) -> Result<Vec<u32>> {
    let mut classes = Classes::new(ranked, reach, words, task.k);
    let mut steps = 0u64;
    while let Some(((size, Reverse(length)), mut waiting)) = classes.pending.pop_first() {
        if length == 0 {
            continue;
        }
        waiting.sort_unstable();
        for class in waiting {
            let i = class as usize;
            if classes.into[i] == class && classes.sizes[i] == size && classes.lengths[i] == length
            {
                classes.step(reach, class);
            }
            steps += 1;
            if steps.is_multiple_of(1 << 16) {
                task.check_cancelled()?;
            }
        }
    }
    classes.fill_empty();
    Ok(classes.finish())
}

impl<'a, C: Code> Classes<'a, C> {
    fn new(ranked: &'a Ranked<C>, reach: &Reach, words: &'a Words, k: u64) -> Self {
        let n = ranked.len();
        let lengths = reach.start.clone();
        let letters =
            |i: usize| ranked.word(i)[..lengths[i] as usize].iter().map(|rank| rank.widen());
        let prints: Vec<u64> = (0..n).map(|i| words.print(letters(i))).collect();
        let mut table = HashTable::with_capacity(n);
        let mut pending: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for (i, print) in prints.iter().enumerate() {
            table.insert_unique(*print, (*print, i as u32), |entry| entry.0);
            if ranked.sizes[i] < k {
                pending.entry((ranked.sizes[i], Reverse(lengths[i]))).or_default().push(i as u32);
            }
        }
        let into = (0..n as u32).collect();
        Classes {
            ranked,
            words,
            lengths,
            sizes: ranked.sizes.clone(),
            prints,
            into,
            table,
            pending,
            k,
        }
    }

    fn set(&self, class: u32) -> &'a [C] {
        &self.ranked.word(class as usize)[..self.lengths[class as usize] as usize]
    }

    /// Find the class whose set is the given set without the letter at a depth.
    fn find_without(&self, print: u64, set: &[C], depth: usize) -> Option<u32> {
        let print = print.wrapping_sub(self.words.of(set[depth].widen()));
        let same = |entry: &(u64, u32)| {
            entry.0 == print && {
                let other = self.set(entry.1);
                other.len() + 1 == set.len()
                    && other[..depth] == set[..depth]
                    && other[depth..] == set[depth + 1..]
            }
        };
        self.table.find(print, same).map(|entry| entry.1)
    }

    /// Merge a class into the best class that has one item less, or drop the item that loses least.
    fn step(&mut self, reach: &Reach, class: u32) {
        let i = class as usize;
        let (set, size, print) = (self.set(class), self.sizes[i], self.prints[i]);
        let last = set.len() - 1;
        let mut best: Option<(f64, u32)> = None;
        for depth in reach.depths(i, set.len()).chain([last]) {
            if let Some(other) = self.find_without(print, set, depth) {
                let value =
                    (self.sizes[other as usize] + size) as f64 * self.worth_without(set, depth);
                // With equal worth it is the last, so the item of the lower rank that goes.
                if best.is_none_or(|(most, _)| value >= most) {
                    best = Some((value, other));
                }
            }
        }
        if let Ok(entry) = self.table.find_entry(print, |entry| entry.1 == class) {
            entry.remove();
        }
        match best {
            Some((_, other)) => {
                self.into[i] = other;
                self.sizes[other as usize] += size;
                self.wait(other);
            }
            None => {
                let print = print.wrapping_sub(self.words.of(set[last].widen()));
                self.prints[i] = print;
                self.lengths[i] = last as u32;
                self.table.insert_unique(print, (print, class), |entry| entry.0);
                self.wait(class);
            }
        }
    }

    fn wait(&mut self, class: u32) {
        let key = (self.sizes[class as usize], Reverse(self.lengths[class as usize]));
        if key.0 < self.k {
            self.pending.entry(key).or_default().push(class);
        }
    }

    /// The utility of a set without the letter at a depth.
    fn worth_without(&self, set: &[C], depth: usize) -> f64 {
        let kept = set[..depth].iter().chain(&set[depth + 1..]);
        kept.fold(0.0, |worth, rank| worth + self.ranked.utilities[rank.widen() as usize])
    }

    /// Fill the class of the empty set, which has nothing to drop. If it is too small, the class of
    /// least utility joins it; the second phase returns what that was too much.
    fn fill_empty(&mut self) {
        let alive = |classes: &Self| {
            (0..classes.into.len() as u32)
                .filter(|i| classes.into[*i as usize] == *i)
                .collect::<Vec<_>>()
        };
        let classes = alive(self);
        let Some(empty) = classes.iter().copied().find(|class| self.lengths[*class as usize] == 0)
        else {
            return;
        };
        if self.sizes[empty as usize] >= self.k {
            return;
        }
        let worth = |class: &u32| {
            let i = *class as usize;
            // A class that never was too small dropped nothing, although nobody can meet more than
            // a beginning of its word.
            let set =
                if self.ranked.sizes[i] >= self.k { self.ranked.word(i) } else { self.set(*class) };
            let each: f64 =
                set.iter().map(|rank| self.ranked.utilities[rank.widen() as usize]).sum();
            each * self.sizes[i] as f64
        };
        let others = classes.iter().copied().filter(|class| *class != empty);
        if let Some(least) = others.min_by(|a, b| worth(a).total_cmp(&worth(b)).then(a.cmp(b))) {
            self.into[least as usize] = empty;
            self.sizes[empty as usize] += self.sizes[least as usize];
        }
    }

    /// Follow merged classes to their final class.
    fn finish(mut self) -> Vec<u32> {
        for i in 0..self.into.len() {
            let mut root = i as u32;
            while self.into[root as usize] != root {
                root = self.into[root as usize];
            }
            let mut at = i as u32;
            while self.into[at as usize] != root {
                at = std::mem::replace(&mut self.into[at as usize], root);
            }
        }
        self.into
    }
}
