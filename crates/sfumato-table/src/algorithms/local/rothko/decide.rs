//! Decides the split of a node from its frequency group, as Mondrian would with the rows in memory.
//!
//! A decision starts again whenever new facts are known; missing facts are asked for.

use sfumato_core::{Error, Result};

use super::above::Words;
use super::facts::{Facts, Question};
use super::local::Local;
use super::node::{Node, SplitPart, WordSplit};
use super::rules::Rules;
use super::scan::Group;
use crate::algorithms::local::mondrian::choose::{GUIDED_DEPTH, best};
use crate::algorithms::local::mondrian::gain::{Gain, Size};
use crate::algorithms::local::mondrian::grow::Order;
use crate::algorithms::local::mondrian::leftover::Leftovers;
use crate::algorithms::local::mondrian::split::cuts;

/// The next step for a node.
pub enum Step {
    /// No split is possible: the interval of the cells of each quasi column.
    Leaf(Vec<Words>),
    /// The node is split.
    Split(WordSplit),
    /// These questions must be answered before a decision.
    Ask(Vec<Question>),
}

/// The reason why a decision stopped.
pub enum Halt {
    /// Some facts are missing.
    Ask(Vec<Question>),
    /// Deciding ended with an error.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Failed(error)
    }
}

/// A decision, or why it stopped.
pub type Decided<T> = std::result::Result<T, Halt>;

/// A node with everything that is known about it.
pub struct Decision<'a> {
    /// What is the same for every node.
    pub rules: &'a Rules<'a>,
    /// The node.
    pub node: &'a Node,
    /// The frequency group of its records.
    pub group: &'a Group,
    /// The answers to questions so far.
    pub facts: &'a Facts,
    /// The interval of the cells of each quasi column.
    pub cells: Vec<Words>,
    /// The columns with more than one word.
    pub live: Vec<usize>,
}

impl<'a> Decision<'a> {
    /// Decide what becomes of a node.
    pub fn make(
        rules: &'a Rules<'a>,
        node: &'a Node,
        group: &'a Group,
        facts: &'a Facts,
    ) -> Result<Step> {
        let cells: Vec<Words> = group.columns.iter().map(|set| set.cells()).collect();
        let live =
            (0..cells.len()).filter(|column| cells[*column].min < cells[*column].max).collect();
        let decision = Decision { rules, node, group, facts, cells, live };
        match decision.choose() {
            Ok(Some(split)) => Ok(Step::Split(split)),
            Ok(None) if node.above.holds => Ok(Step::Leaf(decision.cells)),
            Ok(None) => Err(Error::infeasible("the whole table can't be published")),
            Err(Halt::Ask(questions)) => Ok(Step::Ask(questions)),
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    fn choose(&self) -> Decided<Option<WordSplit>> {
        let (rows, min, above) = (self.node.rows, self.rules.min_rows, &self.node.above);
        // Two publishable parts, or one and somebody to leave out.
        let enough = if above.budget == 0 { rows / 2 >= min } else { rows > min };
        if !enough {
            return Ok(None);
        }
        let mut guided = above.guided && above.depth < GUIDED_DEPTH;
        if let Some(guide) = self.rules.guide.as_ref().filter(|_| guided) {
            match self.guided(guide)? {
                Ok(split) => return Ok(Some(split)),
                Err(below_too) => guided = !below_too,
            }
        }
        let mut scores = self.score()?;
        while let Some(best) = best(&scores, &self.live) {
            scores[best] = f64::NEG_INFINITY;
            if let Some(split) = self.allowed(self.live[best])? {
                return Ok(Some(WordSplit { guided, ..split }));
            }
        }
        Ok(None)
    }

    /// Score the live columns: the one with the highest score is tried first.
    fn score(&self) -> Result<Vec<f64>> {
        let mut scores = self.score_by_order()?;
        let guide = self.rules.guide.as_ref();
        let Some(guide) = guide.filter(|guide| guide.projected.contains(&false)) else {
            return Ok(scores);
        };
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
        for (score, column) in scores.iter_mut().zip(&self.live) {
            if !guide.projected[*column] {
                *score -= most - least + 1.0;
            }
        }
        Ok(scores)
    }

    fn score_by_order(&self) -> Result<Vec<f64>> {
        let Decision { rules, group, live, cells, .. } = self;
        let by_gain = rules.settings.order == Order::Gain && live.len() > 1;
        let words = cells.iter().zip(&group.sample).map(|(cells, sample)| {
            let mut words = if by_gain { sample.clone() } else { Vec::new() };
            words.extend([cells.min, cells.max]);
            words
        });
        let local = Local::new(rules, words);
        local.look(|shapes, prices| {
            if !by_gain {
                let spread = |&column: &usize| {
                    shapes[column].weighted_spread(local.bounds(column, cells[column]))
                };
                return live.iter().map(spread).collect();
            }
            let mut gain = Gain::new();
            for &column in live {
                gain.push(group.sample[column].iter().map(|word| local.code(column, *word)));
            }
            let leftovers = rules.settings.leftovers != Leftovers::None;
            let size = Size { rows: self.node.rows, min_rows: rules.min_rows, leftovers };
            let mut scores = Vec::new();
            gain.score(live, shapes, prices, size, &mut scores);
            scores
        })
    }

    /// The best allowed split of a column: one that publishes all rows, or else one whose
    /// suppressed rows are worth their cost.
    pub fn allowed(&self, column: usize) -> Decided<Option<WordSplit>> {
        let Decision { rules, node, .. } = self;
        let budget = node.above.budget;
        let parent = self.parent(column).filter(|_| rules.settings.leftovers != Leftovers::None);
        let all_or_nothing = budget == 0 && parent.is_none();
        let mut splits = self.candidates(column, parent.is_some());
        self.foresee(&splits, all_or_nothing)?;
        let mut lossy = None;
        for split in &mut splits {
            if self.judge(split, all_or_nothing)? {
                return Ok(Some(split.clone()));
            }
            let dropped = split.dropped();
            let affordable = dropped as u64 <= budget && dropped < node.rows;
            let (beats_keeping, pays) =
                if affordable { self.prices(split)? } else { (false, false) };
            if beats_keeping {
                return Ok(Some(split.clone()));
            }
            if let Some(parent) = parent
                && let Some(kept) = self.keep_leftovers(split.clone(), parent)?
            {
                return Ok(Some(kept));
            }
            if lossy.is_none() && affordable && (!node.above.holds || pays) {
                lossy = Some(split.clone());
            }
        }
        Ok(lossy)
    }

    /// The interval that is published for a column before it is split into children, or into
    /// missing and the rest.
    fn parent(&self, column: usize) -> Option<Words> {
        let (quasi, cells) = (&self.rules.quasi[column], self.cells[column]);
        if cells.max == quasi.missing {
            return Some(self.node.above.region[column]);
        }
        let tree = quasi.tree?;
        let node = tree.smallest_cover(cells.min as u32, cells.max as u32 + 1);
        Some(Words { min: u64::from(tree.lo(node)), max: u64::from(tree.hi(node)) - 1 })
    }

    /// The splits of a column whose sizes are plausible, best first.
    fn candidates(&self, column: usize, leftovers: bool) -> Vec<WordSplit> {
        let Decision { rules, node, group, .. } = self;
        let (quasi, cells, set) =
            (&rules.quasi[column], self.cells[column], &group.columns[column]);
        let (n, min) = (node.rows, rules.min_rows);
        let plausible = |sizes: &[usize]| match node.above.budget {
            _ if leftovers => sizes.iter().any(|&rows| rows >= min),
            0 => sizes.iter().all(|&rows| rows >= min),
            budget => {
                let small: usize = sizes.iter().filter(|&&rows| rows < min).sum();
                small as u64 <= budget && small < n
            }
        };
        if cells.max == quasi.missing {
            let absent = set.rows_in(Words { min: quasi.missing, max: quasi.missing });
            let split = self.pair(column, quasi.missing, n - absent);
            return if absent < n && plausible(&[n - absent, absent]) {
                vec![split]
            } else {
                Vec::new()
            };
        }
        let Some(tree) = quasi.tree else {
            let quantiles = rules.settings.quantiles;
            let cuts = cuts(n, |rank| set.at_rank(rank), quantiles, |_, _| false, &plausible);
            return cuts.into_iter().map(|(word, left)| self.pair(column, word, left)).collect();
        };
        let cover = tree.smallest_cover(cells.min as u32, cells.max as u32 + 1);
        let part = |child| {
            let region =
                Words { min: u64::from(tree.lo(child)), max: u64::from(tree.hi(child)) - 1 };
            SplitPart { rows: set.rows_in(region), region, holds: true }
        };
        let parts: Vec<SplitPart> =
            tree.children(cover).map(part).filter(|part| part.rows > 0).collect();
        let sizes: Vec<usize> = parts.iter().map(|part| part.rows).collect();
        match plausible(&sizes) {
            true => vec![WordSplit { column, parts, kept: None, guided: true }],
            false => Vec::new(),
        }
    }

    /// Two parts, cut at a threshold.
    pub fn pair(&self, column: usize, threshold: u64, left: usize) -> WordSplit {
        let Words { min, max } = self.node.above.region[column];
        let part = |rows, min, max| SplitPart { rows, region: Words { min, max }, holds: true };
        let parts = vec![
            part(left, min, threshold.saturating_sub(1)),
            part(self.node.rows - left, threshold, max),
        ];
        WordSplit { column, parts, kept: None, guided: true }
    }
}
