//! Market baskets put together from patterns of items, in the manner of the Quest generator.
//!
//! This file fills baskets with patterns; which patterns there are is decided in `patterns`.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};

use crate::Generator;
use crate::draw::Draw;

mod patterns;

use patterns::Patterns;

/// See [`Info::doc`].
pub struct Quest;

static INFO: Info = Info {
    name: "quest",
    summary: "market baskets put together from correlated patterns of items, a record per line",
    papers: &[
        Paper {
            authors: "R. Agrawal and R. Srikant",
            title: "Fast Algorithms for Mining Association Rules",
            venue: "VLDB",
            year: 1994,
        },
        Paper {
            authors: "G. Ghinita, Y. Tao and P. Kalnis",
            title: "On the Anonymization of Sparse High-Dimensional Data",
            venue: "ICDE",
            year: 2008,
        },
    ],
    params: &[
        ParamSpec::with_default(
            "items",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "1000",
            "how many items there are (N)",
        ),
        ParamSpec::with_default(
            "size",
            ParamKind::Number { min: 1.0, above: false, max: 500.0 },
            "20",
            "how many items a record has on average (|T|)",
        ),
        ParamSpec::with_default(
            "pattern_size",
            ParamKind::Number { min: 1.0, above: false, max: 500.0 },
            "4",
            "how many items a pattern has on average (|I|)",
        ),
        ParamSpec::with_default(
            "patterns",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "2000",
            "how many patterns there are (|L|)",
        ),
        ParamSpec::with_default(
            "correlation",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.5",
            "which share of its items a pattern takes from the one before, on average",
        ),
        ParamSpec::with_default(
            "corruption",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.5",
            "how probable it is that a pattern loses an item, and then one more, on average over \
                patterns",
        ),
        ParamSpec::with_default(
            "corruption_variance",
            ParamKind::Number { min: 0.0, above: false, max: 1.0 },
            "0.1",
            "the variance of that over patterns",
        ),
        ParamSpec::with_default(
            "key",
            ParamKind::Flag,
            "false",
            "begin every line with a key: the letter r and the number of the record",
        ),
    ],
    doc: "\
A record per line, its items as ascending numbers from 1 with blanks between them, no header; no \
record is without items unless corruption takes
all of them. The numbers say nothing about how frequent an item is.

**Patterns.** All come from the seed, before any record. A pattern has 1 + Poisson(pattern_size - \
1) items, at most as many as there are. It takes a
share of them at random from the pattern before (rounded to whole items, at most all of those); \
the share is exponential with mean `correlation`, cut
at 1. The others are drawn at random among all items. A pattern's weight is exponential with mean \
1, over the sum of all weights. Its level of
corruption is normal with mean `corruption` and variance `corruption_variance`, cut to 0 and 1.

**Records.** A record is meant to have 1 + Poisson(size - 1) items, at most as many as there are. \
Patterns drawn by weight are put into it until it
has them. Each pattern is corrupted first: as long as a uniform number is below its level, one of \
its items, at random, goes. Of what is left, items
that the record has already don't count. A pattern that doesn't fit any more is put in all the \
same in half of the cases, and always into a record that
has nothing yet; otherwise it is left for the next record, and this one is done. So sizes come out \
near what was meant, above or below it. After
100 patterns in a row that brought nothing new a record stays as it is: few patterns may not have \
as many items as a record should.

**Like the paper** but for what it leaves open: sizes of at least 1, rounding, what `fits` means, \
and the last rule. Records come in blocks of 65,536 that
don't know of each other, so nothing is left for the first record of a block.

**As in figure 6** of the second paper: `quest(correlation=0.1)`, 0.5 and 0.9, 1000 rows; the \
number of patterns isn't said there.",
    ..Info::DEFAULT
};

/// Patterns in a row that bring nothing new, until a record stays as it is.
const PATIENCE: u32 = 100;

impl Generator for Quest {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn columns(&self, _params: &Params) -> Vec<String> {
        vec![]
    }

    fn block(&self, params: &Params, seed: u64, rows: Range<u64>, out: &mut Vec<u8>) -> Result<()> {
        let patterns = patterns_of(params, seed);
        let mut filler = Filler::new(&patterns, Draw::block(seed, &rows)?);
        let key = params.flag("key");
        for row in rows {
            let start = out.len();
            if key {
                out.extend_from_slice(format!("r{} ", row + 1).as_bytes());
            }
            filler.fill();
            for item in &filler.record {
                push_number(item + 1, out);
                out.push(b' ');
            }
            // The blank after the last item, or after the key.
            if out.len() > start {
                out.pop();
            }
            out.push(b'\n');
        }
        Ok(())
    }
}

/// Fills one record after the other.
struct Filler<'a> {
    patterns: &'a Patterns,
    draw: Draw,
    /// The items of the record.
    record: Vec<u32>,
    /// For each item the last record that had it, counted from 1.
    last: Vec<u32>,
    number: u32,
    /// The items of a pattern after corruption that the record doesn't have yet.
    pattern: Vec<u32>,
    /// Whether the pattern waits for the next record.
    waits: bool,
}

impl<'a> Filler<'a> {
    fn new(patterns: &'a Patterns, draw: Draw) -> Self {
        let last = vec![0; patterns.n_items as usize];
        Filler { patterns, draw, record: vec![], last, number: 0, pattern: vec![], waits: false }
    }

    /// The next record, its items ascending.
    fn fill(&mut self) {
        self.number += 1;
        self.record.clear();
        let wanted = 1 + self.patterns.record_sizes.of_word(self.draw.word());
        let wanted = wanted.min(self.patterns.n_items as usize);
        let mut in_vain = 0;
        while self.record.len() < wanted && in_vain < PATIENCE {
            if !std::mem::take(&mut self.waits) {
                self.next_pattern();
            }
            let (last, number) = (&self.last, self.number);
            self.pattern.retain(|item| last[*item as usize] != number);
            if self.pattern.is_empty() {
                in_vain += 1;
                continue;
            }
            in_vain = 0;
            let fits = self.record.len() + self.pattern.len() <= wanted;
            if !fits && !self.record.is_empty() && self.draw.word() >> 31 == 0 {
                self.waits = true;
                break;
            }
            for item in &self.pattern {
                self.last[*item as usize] = self.number;
            }
            self.record.append(&mut self.pattern);
        }
        self.record.sort_unstable();
    }

    /// Draw a pattern and corrupt it.
    fn next_pattern(&mut self) {
        let pattern = self.patterns.weights.of_word(self.draw.word());
        self.pattern.clear();
        self.pattern.extend_from_slice(self.patterns.items(pattern));
        let level = self.patterns.corruption[pattern];
        while !self.pattern.is_empty() && self.draw.unit() < level {
            let gone = self.draw.below(self.pattern.len() as u32);
            self.pattern.swap_remove(gone as usize);
        }
    }
}

/// The digits of a number.
fn push_number(number: u32, out: &mut Vec<u8>) {
    let mut digits = [0u8; 10];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// The patterns of the last parameters and seed: the blocks of one run all ask for the same.
static LAST: Mutex<Option<(Params, u64, Arc<Patterns>)>> = Mutex::new(None);

fn patterns_of(params: &Params, seed: u64) -> Arc<Patterns> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, of_seed, patterns)) = &*last
        && known == params
        && *of_seed == seed
    {
        return patterns.clone();
    }
    let patterns = Arc::new(Patterns::new(params, seed));
    *last = Some((params.clone(), seed, patterns.clone()));
    patterns
}

#[cfg(test)]
mod tests;
