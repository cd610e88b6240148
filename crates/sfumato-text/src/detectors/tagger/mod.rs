//! A tagger that learns from tags which words are what: a linear model over the words around each
//! word, with the best sequence of tags for a whole text.

mod features;
mod file;
mod measure;
#[cfg(test)]
mod tests;
mod train;

pub use measure::{ByClass, Measured, compare};
pub use train::{Example, Training};

use std::sync::OnceLock;

use sfumato_core::{FastMap, Result};

use crate::data::{Class, Span};
use features::Pieces;

/// What no class is.
const OUTSIDE: usize = 0;

/// A trained tagger.
#[derive(Debug, Clone, PartialEq)]
pub struct Tagger {
    /// The name of its file, or `shipped`.
    pub name: String,
    /// The classes that it knows. Class c has the tags 2c + 1, where a part of it begins, and
    /// 2c + 2, where one goes on.
    classes: Vec<Class>,
    /// The row of weights of each feature.
    rows: FastMap<u32, u32>,
    /// A weight for each tag, row by row.
    weights: Vec<i32>,
    /// A weight for each tag after each tag.
    transitions: Vec<i32>,
    /// How well it found what it was trained on, by cross-validation.
    pub measured: ByClass,
    /// On how many documents it was trained.
    pub documents: u64,
}

impl Tagger {
    /// The tagger that comes with the program. It was trained on synthetic sentences, none of them
    /// about anybody: `examples/corpora.rs` makes it again.
    pub fn shipped() -> Result<Tagger> {
        static SHIPPED: OnceLock<Result<Tagger>> = OnceLock::new();
        let parse = || Tagger::parse(include_str!("shipped.tagger"), "shipped");
        SHIPPED.get_or_init(parse).clone()
    }

    /// The classes that it knows.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    fn n_tags(&self) -> usize {
        2 * self.classes.len() + 1
    }

    /// What it finds in a text, in order and without overlaps.
    pub fn find(&self, text: &str) -> Vec<Span> {
        let pieces = Pieces::new(text);
        let tags = self.best_tags(&pieces);
        spans_of(&pieces, &tags, &self.classes)
    }

    /// The best sequence of tags.
    fn best_tags(&self, pieces: &Pieces<'_>) -> Vec<usize> {
        let n_tags = self.n_tags();
        let mut scores = vec![0i64; pieces.len() * n_tags];
        let mut features = Vec::new();
        for (at, scores) in scores.chunks_exact_mut(n_tags).enumerate() {
            pieces.features(at, &mut features);
            for feature in features.drain(..) {
                if let Some(row) = self.rows.get(&feature) {
                    let weights = &self.weights[*row as usize * n_tags..][..n_tags];
                    scores.iter_mut().zip(weights).for_each(|(sum, w)| *sum += i64::from(*w));
                }
            }
        }
        best_path(&scores, &self.transitions, n_tags)
    }
}

/// Whether a tag may follow another: a part goes on only after its own class.
fn may_follow(tag: usize, before: usize) -> bool {
    let goes_on = tag != OUTSIDE && tag.is_multiple_of(2);
    !goes_on || before == tag || before + 1 == tag
}

/// What no path reaches: so low that no weights make up for it, and high enough to be added to.
const UNREACHED: i64 = i64::MIN / 4;

/// The path with the largest sum of scores and transitions, by the algorithm of Viterbi.
fn best_path(scores: &[i64], transitions: &[i32], n_tags: usize) -> Vec<usize> {
    let length = scores.len() / n_tags;
    let mut best = vec![UNREACHED; n_tags];
    let mut next = vec![UNREACHED; n_tags];
    let mut came_from = vec![0u16; scores.len()];
    let goes_on = |tag: usize| tag != OUTSIDE && tag.is_multiple_of(2);
    for at in 0..length {
        let own = &scores[at * n_tags..][..n_tags];
        let from = &mut came_from[at * n_tags..][..n_tags];
        next.fill(UNREACHED);
        // Before the first piece nothing is outside of everything.
        let first = [0];
        let before: &[i64] = if at == 0 { &first } else { &best };
        for (before, sum) in before.iter().enumerate().filter(|(_, sum)| **sum > UNREACHED / 2) {
            let row = &transitions[before * n_tags..][..n_tags];
            for (((next, from), weight), tag) in
                next.iter_mut().zip(from.iter_mut()).zip(row).zip(0..n_tags)
            {
                let sum = sum + i64::from(*weight);
                if sum > *next && !goes_on(tag) {
                    (*next, *from) = (sum, before as u16);
                }
            }
        }
        // A part goes on after its beginning, or after itself.
        for tag in (2..n_tags).step_by(2).filter(|_| at > 0) {
            for before in [tag - 1, tag] {
                let sum = best[before] + i64::from(transitions[before * n_tags + tag]);
                if best[before] > UNREACHED / 2 && sum > next[tag] {
                    (next[tag], from[tag]) = (sum, before as u16);
                }
            }
        }
        next.iter_mut().zip(own).for_each(|(next, own)| *next += own);
        std::mem::swap(&mut best, &mut next);
    }
    let mut tags = vec![0; length];
    let last = (0..n_tags).max_by_key(|tag| (best[*tag], std::cmp::Reverse(*tag)));
    let mut tag = last.unwrap_or(OUTSIDE);
    for at in (0..length).rev() {
        tags[at] = tag;
        tag = came_from[at * n_tags + tag] as usize;
    }
    tags
}

/// The parts that a sequence of tags marks.
fn spans_of(pieces: &Pieces<'_>, tags: &[usize], classes: &[Class]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, tag) in tags.iter().enumerate().filter(|(_, tag)| **tag != OUTSIDE) {
        let (start, end) = pieces.range(at);
        match (tag % 2, spans.last_mut()) {
            (0, Some(last)) => last.end = end,
            _ => spans.push(Span::new(start, end, classes[(tag - 1) / 2].clone())),
        }
    }
    spans
}

/// The tags of a text of which parts are marked.
fn tags_of(pieces: &Pieces<'_>, spans: &[Span], classes: &[Class]) -> Vec<usize> {
    let mut tags = vec![OUTSIDE; pieces.len()];
    for span in spans {
        let Some(class) = classes.iter().position(|class| *class == span.class) else { continue };
        let mut is_first = true;
        for (at, tag) in tags.iter_mut().enumerate() {
            let (start, end) = pieces.range(at);
            if start < span.end && span.start < end {
                *tag = if is_first { 2 * class + 1 } else { 2 * class + 2 };
                is_first = false;
            }
        }
    }
    tags
}
