//! How often combinations of items occur in the rows of a release: a fact of every form whose rows
//! are sets. What was counted once isn't counted again.

use std::fmt::Write as _;
use std::sync::Mutex;

use crate::traits::SetRequirements;
use serde::Serialize;
use sfumato_core::combinations::{AskedCombinations, Combination, CountedCombinations};
use sfumato_core::facts::{Facts, SubsetFacts};
use sfumato_core::transactions::{Builder, Transactions};
use sfumato_core::{Error, Result, with_sets};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};
use sfumato_report::numbers::count;

use super::subsets::Alike;

/// Answers that were given already.
#[derive(Default)]
pub struct Answered(Mutex<Vec<(AskedCombinations, CountedCombinations)>>);

/// The rows of a release, as sets of items.
#[derive(Clone, Copy)]
pub struct Combinations<'a> {
    /// The quasi items of each row.
    pub rows: &'a Transactions,
    /// Which rows have the same set.
    pub alike: &'a Alike,
    /// The sensitive items of each row, if any item is sensitive.
    pub sensitive: Option<&'a Transactions>,
    /// Answers that were given already.
    pub answered: &'a Answered,
}

impl SubsetFacts for Combinations<'_> {
    fn count(&self, asked: &AskedCombinations) -> Result<CountedCombinations> {
        let poisoned = |_| Error::internal("a count of combinations was broken off");
        let mut answered = self.answered.0.lock().map_err(poisoned)?;
        if let Some((_, counted)) = answered.iter().find(|(other, _)| other == asked) {
            return Ok(counted.clone());
        }
        let counted = self.mine(asked)?;
        answered.push((*asked, counted.clone()));
        Ok(counted)
    }
}

impl Combinations<'_> {
    fn mine(&self, asked: &AskedCombinations) -> Result<CountedCombinations> {
        let (listed, limits) = (Listed::default(), Limits::default());
        if asked.most.is_some() {
            let private = Some(self.sensitive.ok_or_else(no_private_items)?);
            let records = Records { sets: self.rows, weights: None, private };
            return Ok(mine(records, asked, listed, limits)?.counted);
        }
        // Equal sets are counted once, with a weight.
        let mut different = Builder::new(self.rows.n_items());
        with_sets!(self.rows, rows => {
            self.alike.first.iter().for_each(|row| different.push(rows.get(*row as usize)));
        });
        let (sets, weights) = (&different.finish(), Some(&self.alike.copies[..]));
        Ok(mine(Records { sets, weights, private: None }, asked, listed, limits)?.counted)
    }

    /// The numbers of the rows that have all items of a combination, from 1.
    fn rows_with(&self, items: &[u32]) -> Vec<u64> {
        let has_all = |row: &usize| {
            let set = self.rows.set(*row);
            items.iter().all(|item| set.binary_search(item).is_ok())
        };
        (0..self.rows.len()).filter(has_all).map(|row| row as u64 + 1).collect()
    }
}

/// The error for a model about private items where no item is named as one.
pub(crate) fn no_private_items() -> Error {
    Error::params("the model is about private items, and no item is named as one")
        .hint("name them with --sensitive-items")
}

/// The smallest combination that breaks a promise, for whoever audits the release: it names items
/// and rows of the release, and is for no other report.
#[derive(Debug, Serialize)]
pub(crate) struct Failing {
    /// The promise that it breaks.
    model: String,
    /// The items.
    items: Vec<String>,
    /// The number of rows that have all of them.
    support: u64,
    /// The private item that most of these rows have, and how many have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<(String, u64)>,
    /// The numbers of these rows, from 1: the first of them.
    rows: Vec<u64>,
}

/// The number of rows that are named.
const ROWS: usize = 20;

/// The smallest failing combination of each promise about combinations that doesn't hold.
pub(crate) fn failing(
    requirements: &SetRequirements,
    combinations: &Combinations<'_>,
    names: &[String],
    private_names: &[String],
) -> Result<Vec<Failing>> {
    let mut all = Vec::new();
    for requirement in &requirements.all {
        let Some(asked) = requirement.combinations()? else { continue };
        let Some(Combination { items, support, private }) = combinations.count(&asked)?.failing
        else {
            continue;
        };
        let mut rows = combinations.rows_with(&items);
        rows.truncate(ROWS);
        let private = private.filter(|_| asked.most.is_some());
        all.push(Failing {
            model: requirement.describe(),
            items: items.iter().map(|item| names[*item as usize].clone()).collect(),
            support,
            private: private.map(|(item, n)| (private_names[item as usize].clone(), n)),
            rows,
        });
    }
    Ok(all)
}

/// The failing combinations in words.
pub(crate) fn failing_words(all: &[Failing]) -> String {
    let mut text = String::new();
    for Failing { model, items, support, private, rows } in all {
        let items = if items.is_empty() { "nothing known".into() } else { items.join(", ") };
        let _ = writeln!(text, "fails      {model}: {items}");
        let rows: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
        let more = if (rows.len() as u64) < *support { ", ..." } else { "" };
        let support = count(*support);
        let _ = writeln!(text, "           in {support} records: {}{more}", rows.join(", "));
        if let Some((item, n)) = private {
            let _ = writeln!(text, "           {} of them have {item}", count(*n));
        }
    }
    text
}

/// The answer of a release to a question about combinations, or the error that says what it can't
/// state.
pub(crate) fn counted(
    model: &'static str,
    asked: &AskedCombinations,
    facts: &dyn Facts,
) -> Result<CountedCombinations> {
    match facts.subsets() {
        Some(subsets) => subsets.count(asked),
        None => Err(sfumato_core::facts::cannot_state(
            model,
            "how often combinations of items occur",
            facts,
        )),
    }
}
