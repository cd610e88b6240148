//! Finds words of the dictionary that differ by one letter: what the first phase needs to search
//! for, and where searching is in vain.
//!
//! A set of the first phase is the beginning of some word. Without its letter at a depth it can be
//! a set of another record only if that record's word goes on in the same way, and the longest such
//! beginning is found once, by walking the dictionary beside itself. Above that length no search
//! can succeed; above the length that any other record can look for, nobody can find this record's
//! set. So records fall to there in one step, and the result is as if every step had been made.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;
use sfumato_core::column::Code;

use super::ranked::{Keys, Ranked};
use crate::algorithms::bottom_up::blocks::blocks;

/// A length without a known bound.
const ANY: u8 = u8::MAX;

/// Which words can be reached by dropping one letter that isn't the last.
pub struct Reach {
    offsets: Vec<u64>,
    /// For the letters of a word up to one more than other records share: the length of the longest
    /// prefix of another word with which the word without the letter begins.
    longest: Vec<u8>,
    /// The length below which a record's set may meet others.
    pub start: Vec<u32>,
}

impl Reach {
    /// Compute it by a walk over the dictionary.
    pub fn of<C: Code>(ranked: &Ranked<C>, keys: &Keys) -> Self {
        let n = ranked.len();
        let common = |i: usize| match i == 0 || i == n {
            true => 0,
            false => common(ranked.word(i - 1), ranked.word(i)) as u32,
        };
        let shared: Vec<u32> = (0..=n).into_par_iter().map(common).collect();
        let shared = |i: usize| shared[i].max(shared[i + 1]) as usize;
        let mut offsets = vec![0u64];
        for i in 0..n {
            offsets.push(offsets[i] + ranked.word(i).len().min(shared(i) + 1) as u64);
        }
        let mut longest = vec![0u8; offsets[n] as usize];
        let found: Vec<AtomicU8> = (0..n).map(|_| AtomicU8::new(0)).collect();
        blocks(&mut longest, &offsets).into_par_iter().for_each(|(words, longest)| {
            let mut walk = Walk {
                ranked,
                keys,
                offsets: &offsets,
                first: words.start,
                longest,
                found: &found,
            };
            walk.block(words);
        });
        let start = (0..n).into_par_iter().map(|i| {
            let mine = longest[offsets[i] as usize..offsets[i + 1] as usize]
                .iter()
                .copied()
                .max()
                .unwrap_or(0);
            let length = ranked.word(i).len() as u32;
            match mine.max(found[i].load(Ordering::Relaxed)) {
                ANY => length,
                met => length.min(u32::from(met).max(shared(i) as u32) + 1),
            }
        });
        let start = start.collect();
        Reach { offsets, longest, start }
    }

    /// The depths at which a word's beginning of a length may lose a letter, other than the last,
    /// and be another record's set.
    #[inline]
    pub fn depths(&self, word: usize, length: usize) -> impl Iterator<Item = usize> + '_ {
        let longest = &self.longest[self.offsets[word] as usize..self.offsets[word + 1] as usize];
        let reaches = move |longest: &u8| *longest == ANY || usize::from(*longest) + 1 >= length;
        let depths = longest.iter().enumerate().take(length.saturating_sub(1));
        depths.filter(move |(_, longest)| reaches(longest)).map(|(depth, _)| depth)
    }
}

/// The length of the common prefix of two words.
fn common<C: Code>(a: &[C], b: &[C]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The walk for the words of one block.
struct Walk<'a, C> {
    ranked: &'a Ranked<C>,
    keys: &'a Keys,
    offsets: &'a [u64],
    first: usize,
    longest: &'a mut [u8],
    found: &'a [AtomicU8],
}

impl<C: Code> Walk<'_, C> {
    /// Walk over all words of the block, and everything that begins like them.
    fn block(&mut self, words: Range<usize>) {
        let mut nodes = vec![(0..self.ranked.len(), 0, words)];
        while let Some((node, depth, mine)) = nodes.pop() {
            let mut at = mine.start;
            while at < mine.end {
                let letter = self.ranked.letter(self.keys, at, depth);
                let end = self.first_from(depth, letter + 1, at, node.end);
                let part = at..end.min(mine.end);
                if letter > 0 {
                    if end < node.end {
                        self.beside(part.clone(), end..node.end, depth);
                    }
                    // The words before the block that begin in the same way belong to the node,
                    // too.
                    let begin = match at == mine.start {
                        true => self.first_in(depth, letter, node.start..at),
                        false => at,
                    };
                    if end - begin > 1 {
                        nodes.push((begin..end, depth + 1, part.clone()));
                    }
                }
                at = part.end;
            }
        }
    }

    /// Compare words that have a letter at a depth with the words that begin alike but lack it.
    fn beside(&mut self, with: Range<usize>, without: Range<usize>, depth: usize) {
        let mut pairs = vec![(with, without, depth)];
        while let Some((with, without, shared)) = pairs.pop() {
            if without.len() == 1 {
                let other = &self.ranked.word(without.start)[shared..];
                for word in with {
                    let length = shared + common(&self.ranked.word(word)[shared + 1..], other);
                    let length = self.note(word, depth, length);
                    self.found[without.start].fetch_max(length, Ordering::Relaxed);
                }
                continue;
            }
            let (mut at, mut other) = (with.start, without.start);
            while at < with.end {
                let letter = self.ranked.letter(self.keys, at, shared + 1);
                let end = self.first_from(shared + 1, letter + 1, at, with.end);
                if letter > 0 {
                    other = self.first_from(shared, letter, other, without.end);
                    let others = other..self.first_from(shared, letter + 1, other, without.end);
                    if !others.is_empty() {
                        other = others.end;
                        pairs.push((at..end, others, shared + 1));
                        at = end;
                        continue;
                    }
                }
                (at..end).for_each(|word| _ = self.note(word, depth, shared));
                at = end;
            }
        }
    }

    fn note(&mut self, word: usize, depth: usize, length: usize) -> u8 {
        let length = length.min(usize::from(ANY)) as u8;
        self.longest[(self.offsets[word] - self.offsets[self.first]) as usize + depth] = length;
        length
    }

    /// The first word in a range whose letter at a depth is at least the given one.
    fn first_in(&self, depth: usize, letter: u64, range: Range<usize>) -> usize {
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low.midpoint(high);
            match self.ranked.letter(self.keys, middle, depth) < letter {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    /// The first word from a place on whose letter at a depth is at least the given one, found with
    /// steps that double, since it is likely to be near.
    fn first_from(&self, depth: usize, letter: u64, from: usize, end: usize) -> usize {
        let (mut low, mut step) = (from, 1);
        while low < end {
            let next = low + step - 1;
            if next >= end || self.ranked.letter(self.keys, next, depth) >= letter {
                return self.first_in(depth, letter, low..next.min(end));
            }
            low = next + 1;
            step *= 2;
        }
        end
    }
}
