//! Trains a tagger: the averaged perceptron over sequences.
//!
//! A text is tagged with the weights so far. Where the tags are wrong, the features of the right
//! ones gain and those of the wrong ones lose. The weights that remain are the averages over all
//! steps, which overfit less than the last ones.

use sfumato_core::{Error, FastMap, Result};
use sfumato_engine::random::{generator, shuffle};

use super::features::Pieces;
use super::{ByClass, Tagger, best_path, compare, may_follow, spans_of, tags_of};
use crate::data::{Class, Span};

/// A text with its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The text.
    pub text: String,
    /// Its parts, in order and without overlaps.
    pub spans: Vec<Span>,
}

/// How to train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Training {
    /// How often all texts are looked at.
    pub epochs: u32,
    /// In how many parts texts are divided to measure what a tagger finds in texts that it wasn't
    /// trained on; none is measured for less than two.
    pub folds: u32,
    /// Where the random order of texts starts from.
    pub seed: u64,
    /// Features that are in fewer places are left out.
    pub least: u32,
}

impl Default for Training {
    fn default() -> Self {
        Training { epochs: 8, folds: 5, seed: 0, least: 2 }
    }
}

/// What averaged weights are multiplied with to become whole numbers.
const SCALE: f64 = 64.0;

impl Training {
    /// Train a tagger on texts, and measure it by cross-validation.
    pub fn train(&self, examples: &[Example], name: &str) -> Result<Tagger> {
        if examples.iter().all(|example| example.spans.is_empty()) {
            return Err(Error::input("no text has a tag to learn from"));
        }
        let mut measured = ByClass::default();
        if self.folds >= 2 {
            for fold in 0..self.folds as usize {
                let is_held = |at: &usize| at % self.folds as usize == fold;
                let (held, rest): (Vec<usize>, Vec<usize>) = (0..examples.len()).partition(is_held);
                let rest: Vec<&Example> = rest.iter().map(|at| &examples[*at]).collect();
                if rest.iter().all(|example| example.spans.is_empty()) {
                    continue;
                }
                let tagger = self.fit(&rest, name)?;
                for at in held {
                    let found = tagger.find(&examples[at].text);
                    measured.add(&compare(&examples[at].spans, &found));
                }
            }
        }
        let all: Vec<&Example> = examples.iter().collect();
        Ok(Tagger { measured, ..self.fit(&all, name)? })
    }

    fn fit(&self, examples: &[&Example], name: &str) -> Result<Tagger> {
        let mut classes: Vec<Class> = examples
            .iter()
            .flat_map(|example| example.spans.iter().map(|span| span.class.clone()))
            .collect();
        classes.sort();
        classes.dedup();
        let n_tags = 2 * classes.len() + 1;
        if n_tags > usize::from(u16::MAX) {
            return Err(Error::input("there are too many classes"));
        }
        let (texts, rows) = self.prepare(examples, &classes);
        let n_weights = rows.len() * n_tags;
        let mut weights = Averaged::new(n_weights + n_tags * n_tags);
        let mut order: Vec<u32> = (0..texts.len() as u32).collect();
        let mut random = generator(Some(self.seed))?;
        for _ in 0..self.epochs {
            shuffle(&mut order, &mut random);
            for at in &order {
                step(&texts[*at as usize], &mut weights, n_weights, n_tags);
            }
        }
        let averages = weights.averages();
        let (weights, transitions) = averages.split_at(n_weights);
        let mut tagger = Tagger {
            name: name.into(),
            classes,
            rows: FastMap::default(),
            weights: Vec::new(),
            transitions: transitions.to_vec(),
            measured: ByClass::default(),
            documents: examples.len() as u64,
        };
        // Rows without any weight go, and the others come in the order of their numbers.
        let mut kept: Vec<(u32, u32)> = rows.into_iter().collect();
        kept.sort_unstable();
        for (feature, row) in kept {
            let row = &weights[row as usize * n_tags..][..n_tags];
            if row.iter().any(|weight| *weight != 0) {
                let next = (tagger.weights.len() / n_tags) as u32;
                tagger.rows.insert(feature, next);
                tagger.weights.extend_from_slice(row);
            }
        }
        Ok(tagger)
    }

    /// The features of each text as rows of weights, and its tags.
    fn prepare(
        &self,
        examples: &[&Example],
        classes: &[Class],
    ) -> (Vec<Prepared>, FastMap<u32, u32>) {
        let mut counts: FastMap<u32, u32> = FastMap::default();
        let mut raw = Vec::with_capacity(examples.len());
        for example in examples {
            let pieces = Pieces::new(&example.text);
            let mut features = Vec::with_capacity(pieces.len());
            for at in 0..pieces.len() {
                let mut own = Vec::new();
                pieces.features(at, &mut own);
                own.iter().for_each(|feature| *counts.entry(*feature).or_insert(0) += 1);
                features.push(own);
            }
            raw.push((features, tags_of(&pieces, &example.spans, classes)));
        }
        let mut kept: Vec<u32> =
            counts.into_iter().filter(|(_, n)| *n >= self.least).map(|(one, _)| one).collect();
        kept.sort_unstable();
        let rows: FastMap<u32, u32> =
            kept.into_iter().enumerate().map(|(row, feature)| (feature, row as u32)).collect();
        let prepared = |(features, tags): (Vec<Vec<u32>>, Vec<usize>)| Prepared {
            features: features
                .into_iter()
                .map(|own| own.iter().filter_map(|one| rows.get(one).copied()).collect())
                .collect(),
            tags,
        };
        (raw.into_iter().map(prepared).collect(), rows)
    }
}

/// A text as it is learned from.
struct Prepared {
    features: Vec<Vec<u32>>,
    tags: Vec<usize>,
}

/// Tag a text, and change the weights where it was wrong.
fn step(text: &Prepared, weights: &mut Averaged, n_weights: usize, n_tags: usize) {
    weights.now += 1;
    let mut scores = vec![0i64; text.tags.len() * n_tags];
    for (features, scores) in text.features.iter().zip(scores.chunks_exact_mut(n_tags)) {
        for row in features {
            let own = &weights.values[*row as usize * n_tags..][..n_tags];
            scores.iter_mut().zip(own).for_each(|(sum, w)| *sum += i64::from(*w));
        }
    }
    let found = best_path(&scores, &weights.values[n_weights..], n_tags);
    if found == text.tags {
        return;
    }
    let (mut before, mut before_found) = (0, 0);
    for (at, (right, wrong)) in text.tags.iter().zip(&found).enumerate() {
        if right != wrong {
            for row in &text.features[at] {
                weights.change(*row as usize * n_tags + right, 1);
                weights.change(*row as usize * n_tags + wrong, -1);
            }
        }
        debug_assert!(may_follow(*wrong, before_found) || at == 0);
        if (before, *right) != (before_found, *wrong) {
            weights.change(n_weights + before * n_tags + right, 1);
            weights.change(n_weights + before_found * n_tags + wrong, -1);
        }
        (before, before_found) = (*right, *wrong);
    }
}

/// Weights with their averages over all steps.
struct Averaged {
    values: Vec<i32>,
    /// The sum over all steps up to the last change.
    sums: Vec<i64>,
    changed: Vec<u32>,
    now: u32,
}

impl Averaged {
    fn new(n: usize) -> Self {
        Averaged { values: vec![0; n], sums: vec![0; n], changed: vec![0; n], now: 0 }
    }

    fn change(&mut self, at: usize, by: i32) {
        let since = i64::from(self.now - self.changed[at]);
        self.sums[at] += since * i64::from(self.values[at]);
        self.changed[at] = self.now;
        self.values[at] += by;
    }

    fn averages(mut self) -> Vec<i32> {
        self.now += 1;
        (0..self.values.len()).for_each(|at| self.change(at, 0));
        let average = |sum: &i64| (*sum as f64 * SCALE / f64::from(self.now)).round() as i32;
        self.sums.iter().map(average).collect()
    }
}

impl Example {
    /// The parts as a tagger could find them at best: those that begin and end with words.
    pub fn reachable(&self, classes: &[Class]) -> Vec<Span> {
        let pieces = Pieces::new(&self.text);
        spans_of(&pieces, &tags_of(&pieces, &self.spans, classes), classes)
    }
}
