//! Finds the minimal violating sequences of paths, level by level (the MVS generator of Fung et
//! al.).
//!
//! A sequence of 1 to L steps that any path has is violating if fewer than K paths have it, or if
//! more than a share C of them has the same sensitive value; it is minimal if no part of it is
//! violating. Paths keep LKC-privacy if there is none. A longer sequence is looked at only if all
//! parts with one step less were looked at and aren't violating. That enough paths have a sequence
//! goes for its parts, but a share that is small enough doesn't: all lengths are looked at.

use rayon::prelude::*;
use sfumato_core::combinations::{PartOf, Share};
use sfumato_core::sequences::AskedSequences;
use sfumato_core::{Error, FastSet, Result};

use super::super::{Labels, Paths};
use super::projection::{Extensions, Projection, everything};

/// The most counters for sensitive values of steps that are held for one thread.
const MOST_COUNTERS: usize = 1 << 27;

/// What is asked about sequences.
pub struct Question<'a> {
    /// The paths, as the attacker sees them.
    pub paths: &'a Paths,
    /// The number of different steps.
    pub n_codes: usize,
    /// The sensitive values of each path.
    pub labels: &'a Labels,
    /// The largest number of steps that are known.
    pub length: usize,
    /// How many paths must have a sequence.
    pub required: u64,
    /// The largest share of them with the same sensitive value.
    pub most: Share,
}

/// A minimal violating sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violating {
    /// Its steps.
    pub sequence: Vec<u32>,
    /// How many paths have it.
    pub support: u64,
    /// The sensitive value that most of them have, and how many have it.
    pub private: Option<(u32, u64)>,
}

/// All that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The minimal violating sequences, short ones first and then in the order of their steps.
    pub minimal: Vec<Violating>,
    /// The smallest number of paths that have a sequence that was looked at.
    pub least: u64,
    /// How many of the minimal ones too few paths have.
    pub rare: u64,
    /// The largest share of the paths of a sequence, that enough have, with the same value.
    pub share: Option<PartOf>,
}

impl Found {
    /// What was found in two classes of paths together.
    pub fn with(mut self, other: Found) -> Found {
        self.minimal.extend(other.minimal);
        // None of a class without sequences is rare.
        self.least = match (self.least, other.least) {
            (0, least) | (least, 0) => least,
            (one, other) => one.min(other),
        };
        self.rare += other.rare;
        self.share = larger(self.share, other.share);
        self
    }

    /// Count what is known without any step: that somebody is in this class of paths. If that alone
    /// breaks the promise, it is the only minimal violating sequence of the class.
    pub fn add_nothing_known(&mut self, paths: &Paths, labels: &Labels, asked: &AskedSequences) {
        let n = paths.len() as u64;
        let mut counts = vec![0u64; labels.names.len()];
        for record in 0..paths.len() {
            labels.get(record).iter().for_each(|label| counts[*label as usize] += 1);
        }
        let most = (0..).zip(&counts).max_by_key(|(label, n)| (**n, std::cmp::Reverse(*label)));
        let private: Option<(u32, u64)> =
            most.map(|(label, n)| (label, *n)).filter(|(_, n)| *n > 0);
        let is_rare = n < asked.required;
        let is_breach = private.is_some_and(|(_, part)| asked.most.is_exceeded(part, n));
        if is_rare || is_breach {
            self.minimal = vec![Violating { sequence: Vec::new(), support: n, private }];
            self.rare = u64::from(is_rare);
        }
        self.least = if self.least == 0 { n } else { self.least.min(n) };
        if !is_rare {
            self.share = larger(self.share, private.map(|(_, part)| PartOf { part, whole: n }));
        }
    }
}

/// What a sequence that was looked at is.
enum Seen {
    Harmless(Vec<u32>),
    Minimal(Violating),
}

/// What one branch of the search saw.
#[derive(Default)]
struct Branch {
    seen: Vec<Seen>,
    least: Option<u64>,
    share: Option<PartOf>,
}

/// Find the minimal violating sequences.
pub fn minimal_violating(question: &Question<'_>) -> Result<Found> {
    if question.n_codes.saturating_mul(question.labels.names.len()) > MOST_COUNTERS {
        return Err(Error::resources(
            "there are too many different points and sensitive values to count them together",
        )
        .hint("name the values that matter with values=[..], or make places and times coarser"));
    }
    let mut found = Found { least: u64::MAX, ..Found::default() };
    let all = everything(question.paths);
    let mut harmless: FastSet<Vec<u32>> = FastSet::default();
    for length in 1..=question.length {
        let before = Level { harmless: &harmless, length };
        let branches: Vec<Branch> = if length == 1 {
            let mut scratch = Scratch::new(question);
            let mut branch = Branch::default();
            scratch.classify(question, &before, &[], &all, &mut branch);
            vec![branch]
        } else {
            let mut scratch = Extensions::new(question.n_codes);
            scratch.look(question.paths, &all, |_, _| {});
            let first: Vec<u32> = scratch.seen.clone();
            let first: Vec<u32> =
                first.into_iter().filter(|step| before.starts(&[*step])).collect();
            let projections = scratch.extended(question.paths, &all, &first);
            first
                .par_iter()
                .zip(&projections)
                .map_init(
                    || Scratch::new(question),
                    |scratch, (step, projection)| {
                        let mut branch = Branch::default();
                        scratch.descend(
                            question,
                            &before,
                            &mut vec![*step],
                            projection,
                            &mut branch,
                        );
                        branch
                    },
                )
                .collect()
        };
        let mut next: FastSet<Vec<u32>> = FastSet::default();
        for branch in branches {
            found.least = found.least.min(branch.least.unwrap_or(u64::MAX));
            found.share = larger(found.share, branch.share);
            for seen in branch.seen {
                match seen {
                    Seen::Harmless(sequence) => {
                        next.insert(sequence);
                    }
                    Seen::Minimal(violating) => {
                        found.rare += u64::from(violating.support < question.required);
                        found.minimal.push(violating);
                    }
                }
            }
        }
        // Prefixes of what is looked at next are those of this level, and their own prefixes.
        if next.is_empty() {
            break;
        }
        harmless = next;
    }
    if found.least == u64::MAX {
        found.least = 0;
    }
    Ok(found)
}

fn larger(one: Option<PartOf>, other: Option<PartOf>) -> Option<PartOf> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

/// What is known when the sequences of a length are looked at.
struct Level<'a> {
    /// The sequences of one step less that aren't violating and have no violating part.
    harmless: &'a FastSet<Vec<u32>>,
    length: usize,
}

impl Level<'_> {
    /// Whether a sequence may begin one that is looked at: a whole sequence of the level before
    /// must be harmless, and of shorter ones that isn't known any more.
    fn starts(&self, prefix: &[u32]) -> bool {
        prefix.len() + 1 < self.length || self.harmless.contains(prefix)
    }
}

/// Counters of one thread.
struct Scratch {
    extensions: Extensions,
    private: Vec<u32>,
    sequence: Vec<u32>,
}

impl Scratch {
    fn new(question: &Question<'_>) -> Self {
        Scratch {
            extensions: Extensions::new(question.n_codes),
            private: vec![0; question.n_codes * question.labels.names.len()],
            sequence: Vec::new(),
        }
    }

    /// Go down to the sequences with one step less than those that are looked at.
    fn descend(
        &mut self,
        question: &Question<'_>,
        level: &Level<'_>,
        prefix: &mut Vec<u32>,
        projection: &Projection,
        branch: &mut Branch,
    ) {
        if prefix.len() + 1 == level.length {
            return self.classify(question, level, prefix, projection, branch);
        }
        self.extensions.look(question.paths, projection, |_, _| {});
        let mut steps = self.extensions.seen.clone();
        steps.retain(|step| {
            prefix.push(*step);
            let starts = level.starts(prefix);
            prefix.pop();
            starts
        });
        let projections = self.extensions.extended(question.paths, projection, &steps);
        for (step, projection) in steps.iter().zip(&projections) {
            prefix.push(*step);
            self.descend(question, level, prefix, projection, branch);
            prefix.pop();
        }
    }

    /// Look at all sequences that are a prefix and one step more.
    fn classify(
        &mut self,
        question: &Question<'_>,
        level: &Level<'_>,
        prefix: &[u32],
        projection: &Projection,
        branch: &mut Branch,
    ) {
        let n_labels = question.labels.names.len();
        let (private, labels) = (&mut self.private, question.labels);
        self.extensions.look(question.paths, projection, |path, step| {
            for label in labels.get(path as usize) {
                private[step as usize * n_labels + *label as usize] += 1;
            }
        });
        for step in &self.extensions.seen {
            let counts = &mut private[*step as usize * n_labels..][..n_labels];
            self.sequence.clear();
            self.sequence.extend_from_slice(prefix);
            self.sequence.push(*step);
            if parts_are_harmless(&self.sequence, level.harmless) {
                let support = u64::from(self.extensions.count[*step as usize]);
                let most = (0..)
                    .zip(counts.iter())
                    .max_by_key(|(label, n)| (**n, std::cmp::Reverse::<u32>(*label)));
                let most = most.map(|(label, n)| (label, u64::from(*n))).filter(|(_, n)| *n > 0);
                branch.add(question, &self.sequence, support, most);
            }
            counts.fill(0);
        }
    }
}

/// Whether every part of a sequence with one step less is harmless. A single step has no parts.
fn parts_are_harmless(sequence: &[u32], harmless: &FastSet<Vec<u32>>) -> bool {
    if sequence.len() < 2 {
        return true;
    }
    let mut part = sequence[1..].to_vec();
    for without in 0..sequence.len() {
        if without > 0 {
            part[without - 1] = sequence[without - 1];
        }
        if !harmless.contains(&part) {
            return false;
        }
    }
    true
}

impl Branch {
    fn add(
        &mut self,
        question: &Question<'_>,
        sequence: &[u32],
        support: u64,
        private: Option<(u32, u64)>,
    ) {
        self.least = Some(self.least.map_or(support, |least| least.min(support)));
        let is_rare = support < question.required;
        let is_breach = private.is_some_and(|(_, part)| question.most.is_exceeded(part, support));
        if !is_rare {
            let share = private.map(|(_, part)| PartOf { part, whole: support });
            self.share = larger(self.share, share);
        }
        let sequence = sequence.to_vec();
        self.seen.push(match is_rare || is_breach {
            true => Seen::Minimal(Violating { sequence, support, private }),
            false => Seen::Harmless(sequence),
        });
    }
}
