//! Judges the parts of a split: whether each may be published, and whether suppressing some pays.

use sfumato_core::group::{Histogram, Summary};
use sfumato_core::{FastMap, Result};

use super::above::Words;
use super::decide::{Decided, Decision, Halt};
use super::facts::Question;
use super::local::Local;
use super::node::{SplitPart, WordSplit};
use super::rules::Judge;
use crate::algorithms::local::mondrian::suppress;

impl Decision<'_> {
    /// Ask at once about all splits that may be judged one after the other.
    pub fn foresee(&self, splits: &[WordSplit], all_or_nothing: bool) -> Decided<()> {
        if self.rules.subject.is_none() {
            return Ok(());
        }
        let min = self.rules.min_rows;
        let is_asked =
            |split: &&WordSplit| !all_or_nothing || split.parts.iter().all(|part| part.rows >= min);
        let forks = splits.iter().filter(is_asked).map(|split| split.fork(self.rules));
        let unknown: Vec<Question> =
            forks.filter(|fork| self.facts.people(fork).is_none()).map(Question::People).collect();
        if unknown.is_empty() { Ok(()) } else { Err(Halt::Ask(unknown)) }
    }

    /// Judge the parts of a split; returns whether all hold.
    pub fn judge(&self, split: &mut WordSplit, all_or_nothing: bool) -> Decided<bool> {
        let Decision { rules, .. } = self;
        for part in &mut split.parts {
            part.holds = part.rows >= rules.min_rows;
        }
        let all = split.parts.iter().all(|part| part.holds);
        if rules.judge == Judge::Rows || (!all && all_or_nothing) {
            return Ok(all);
        }
        let groups = self.groups(split)?;
        for (part, group) in split.parts.iter_mut().zip(groups) {
            part.holds = part.holds && self.holds(&group);
        }
        Ok(split.parts.iter().all(|part| part.holds))
    }

    /// Whether a group may be published while the tree grows.
    pub fn holds(&self, group: &Summary) -> bool {
        match self.rules.judge {
            Judge::Rows => group.rows >= self.rules.min_rows as u64,
            Judge::People => group.people >= self.rules.min_rows as u64,
            Judge::Summaries => {
                self.rules.outline.requirements.holds(group, self.rules.outline.whole)
            }
        }
    }

    /// The groups of a split's parts. Lent rows are counted only if people are counted.
    fn groups(&self, split: &WordSplit) -> Decided<Vec<Summary>> {
        if self.rules.subject.is_some() {
            return self.people(split);
        }
        Ok(split
            .parts
            .iter()
            .map(|part| self.summary(split.column, std::iter::once(part)))
            .collect())
    }

    /// The people of a split's parts.
    pub fn people(&self, split: &WordSplit) -> Decided<Vec<Summary>> {
        let fork = split.fork(self.rules);
        match self.facts.people(&fork) {
            Some(groups) => Ok(groups.to_vec()),
            None => Err(Halt::Ask(vec![Question::People(fork)])),
        }
    }

    /// The summary of some parts of a column's words together, if no person has several rows.
    pub fn summary<'p>(
        &self,
        column: usize,
        parts: impl Iterator<Item = &'p SplitPart> + Clone,
    ) -> Summary {
        let (rules, set) = (self.rules, &self.group.columns[column]);
        let mut companion = rules.first_sensitive();
        let histograms = rules.sensitive.iter().map(|sensitive| {
            if sensitive.is_none() {
                return Histogram::default();
            }
            let place = companion;
            companion += 1;
            let entries = parts.clone().flat_map(|part| set.with(place, set.places(part.region)));
            Histogram::from_counts(totals(entries))
        });
        let histograms = histograms.collect();
        Summary::of_histograms(parts.map(|part| part.rows as u64).sum(), histograms)
    }

    /// Whether suppressing the parts that fail costs less than keeping them at the parent, and
    /// whether it pays at all.
    pub fn prices(&self, split: &WordSplit) -> Result<(bool, bool)> {
        let Decision { rules, cells, .. } = self;
        let (column, set) = (split.column, &self.group.columns[split.column]);
        let is_cut = rules.quasi[column].is_cut(cells[column]);
        let tight = split.parts.iter().map(|part| {
            let clipped = Words {
                min: part.region.min.max(cells[column].min),
                max: part.region.max.min(cells[column].max),
            };
            let places = set.places(clipped);
            match is_cut && !places.is_empty() {
                true => Words { min: set.words[places.start], max: set.words[places.end - 1] },
                false => clipped,
            }
        });
        let tight: Vec<Words> = tight.collect();
        let words = cells.iter().enumerate().map(|(i, cells)| {
            let mut words = vec![cells.min, cells.max];
            if i == column {
                words.extend(tight.iter().flat_map(|words| [words.min, words.max]));
            }
            words
        });
        let local = Local::new(rules, words);
        local.look(|shapes, _| {
            let bounds: Vec<_> =
                cells.iter().enumerate().map(|(i, cells)| local.bounds(i, *cells)).collect();
            let split = split.in_codes(tight.iter().map(|words| local.bounds(column, *words)));
            (
                suppress::beats_keeping(&split, shapes, &bounds, rules.min_rows),
                suppress::pays(&split, shapes, &bounds),
            )
        })
    }
}

/// Counts added up by code: there are few codes compared with the words.
fn totals<'e>(entries: impl Iterator<Item = &'e (u32, u32)>) -> Vec<(u32, u64)> {
    let mut totals: FastMap<u32, u64> = FastMap::default();
    entries.for_each(|(code, n)| *totals.entry(*code).or_default() += u64::from(*n));
    totals.into_iter().collect()
}
