//! Answers counting queries over a bucket release of baskets: exactly for harmless items, and
//! estimated by reconstruction if sensitive items are asked for.
//!
//! Within a group every assignment of its sensitive items to its records is equally likely, so that
//! of b records that match, b a / |G| are expected to have an item that a of |G| records have.
//! Bounds hold whatever the assignment.

use std::fmt;

use sfumato_core::observer::{Observer, Renamed};
use sfumato_core::{Error, Result};

use sfumato_engine::query::{Answer, Answers, QueryRequest};

use super::linked::Linked;
use super::open::open;
use crate::data::read::load;
use crate::forms::release_file::original_of;
use crate::job::{BasketSpec, InputSpec, Job};

/// A condition that records have an item, or lack it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemCondition {
    /// The item.
    pub item: String,
    /// Whether records must have the item.
    pub present: bool,
}

/// A query that counts the records that have some items and lack others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemQuery {
    /// The conditions, all of which must hold.
    pub conditions: Vec<ItemCondition>,
}

impl fmt::Display for ItemQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "count")?;
        for (place, condition) in self.conditions.iter().enumerate() {
            let word = if place == 0 { "where" } else { "and" };
            let not = if condition.present { "" } else { "not " };
            match condition.item.contains(' ') {
                true => write!(f, " {word} {not}\"{}\"", condition.item)?,
                false => write!(f, " {word} {not}{}", condition.item)?,
            }
        }
        Ok(())
    }
}

impl std::str::FromStr for ItemQuery {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let wrong = |what: &str| {
            Err(Error::params(format!("can't read the query '{text}': {what}"))
                .hint("write it as \"count where cream and not meat and 'pregnancy test'\""))
        };
        let mut words = Words { rest: text };
        if !words
            .next_word()
            .is_some_and(|word| !word.quoted && word.text.eq_ignore_ascii_case("count"))
        {
            return wrong("of baskets only a count can be asked for");
        }
        let mut conditions = Vec::new();
        let mut joins = "where";
        while let Some(join) = words.next_word() {
            if join.quoted || !join.text.eq_ignore_ascii_case(joins) {
                return wrong(&format!("'{joins}' is expected before '{}'", join.text));
            }
            joins = "and";
            let mut item = words.next_word();
            let present = !item
                .as_ref()
                .is_some_and(|word| !word.quoted && word.text.eq_ignore_ascii_case("not"));
            if !present {
                item = words.next_word();
            }
            match item {
                Some(word) if !word.text.is_empty() => {
                    conditions.push(ItemCondition { item: word.text, present })
                }
                _ => return wrong("an item is missing at the end"),
            }
        }
        Ok(ItemQuery { conditions })
    }
}

/// A word, or a text between quotes.
struct Word {
    text: String,
    quoted: bool,
}

struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    fn next_word(&mut self) -> Option<Word> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        if matches!(first, '"' | '\'') {
            let inside = &self.rest[1..];
            let end = inside.find(first).unwrap_or(inside.len());
            self.rest = inside.get(end + 1..).unwrap_or("");
            return Some(Word { text: inside[..end].to_string(), quoted: true });
        }
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let text = self.rest[..end].to_string();
        self.rest = &self.rest[end..];
        Some(Word { text, quoted: false })
    }
}

/// What is asked about a release of baskets.
pub(crate) struct Asked {
    path: String,
    queries: Vec<ItemQuery>,
    /// How to read the data that the release was made from, to compare the answers with the truth.
    original: Option<(InputSpec, BasketSpec)>,
}

impl Asked {
    /// The queries of a request, and how its original is read.
    pub fn of(request: &QueryRequest<Job>) -> Result<Self> {
        let original = request.original.as_ref();
        Ok(Asked {
            path: request.job.input.path.clone(),
            queries: request.queries.iter().map(|text| text.parse()).collect::<Result<_>>()?,
            original: original.map(|original| original_of(original, &request.job)).transpose()?,
        })
    }
}

/// Answer the queries of a request.
pub fn query(request: &QueryRequest<Job>, observer: &dyn Observer) -> Result<Answers> {
    let asked = Asked::of(request)?;
    let linked =
        open(&request.job, request.own_job.is_some(), request.manifest.as_ref(), observer)?;
    let count = |query: &ItemQuery| linked.count(query, &asked.path);
    answer_all(&asked, linked.quasi.len(), &count, observer)
}

/// The answer of a release to a query: an estimate, and a lower and an upper bound.
pub(crate) type Counted = (f64, u64, u64);

/// Answer each query with an estimate and bounds, and with the truth if the original is given.
pub(crate) fn answer_all(
    asked: &Asked,
    n_rows: usize,
    count: &dyn Fn(&ItemQuery) -> Result<Counted>,
    observer: &dyn Observer,
) -> Result<Answers> {
    let original = match &asked.original {
        None => None,
        Some((input, spec)) => {
            let spec = BasketSpec { sensitive: Vec::new(), utilities: None, ..spec.clone() };
            let observer = Renamed { step: "read the original", inner: observer };
            Some(load(input, &spec, None, false, &observer)?.baskets)
        }
    };
    let mut answers = Vec::new();
    for query in &asked.queries {
        let (estimate, lower, upper) = count(query)?;
        let truth = original.as_ref().map(|original| {
            let code_of =
                |name: &String| original.items.names.iter().position(|other| other == name);
            let wanted: Vec<(Option<u32>, bool)> = query
                .conditions
                .iter()
                .map(|c| (code_of(&c.item).map(|i| i as u32), c.present))
                .collect();
            let holds = |record: &usize| {
                let set = original.quasi.set(*record);
                wanted.iter().all(|(item, present)| {
                    item.is_some_and(|item| set.binary_search(&item).is_ok()) == *present
                })
            };
            (0..original.quasi.len()).filter(holds).count() as u64
        });
        let error = truth.map(|truth| estimate - truth as f64);
        answers.push(Answer {
            query: query.to_string(),
            estimate: Some(estimate.into()),
            lower: Some(lower.into()),
            upper: Some(upper.into()),
            truth: truth.map(Into::into),
            error,
            relative_error: error
                .zip(truth)
                .map(|(error, truth)| error / truth as f64)
                .filter(|share| share.is_finite()),
            imprecision: None,
        });
    }
    let (path, rows) = (asked.path.clone(), n_rows as u64);
    Ok(Answers { path, rows, answers, ..Answers::default() })
}

impl Linked {
    /// Count the records of a query: an estimate with bounds.
    fn count(&self, query: &ItemQuery, folder: &str) -> Result<(f64, u64, u64)> {
        let position = |names: &[String], item: &str| {
            names.iter().position(|name| name == item).map(|at| at as u32)
        };
        let mut harmless: Vec<(u32, bool)> = Vec::new();
        let mut sensitive: Vec<(u32, bool)> = Vec::new();
        for ItemCondition { item, present } in &query.conditions {
            match (position(&self.sensitive, item), position(&self.names, item)) {
                (Some(item), _) => sensitive.push((item, *present)),
                (None, Some(item)) => harmless.push((item, *present)),
                (None, None) => {
                    return Err(Error::params(format!(
                        "no record and no group has the item '{item}'"
                    ))
                    .in_file(folder));
                }
            }
        }
        let mut matching = vec![0u64; self.groups.len()];
        for (row, group) in self.groups.of_record().iter().enumerate() {
            let set = self.quasi.set(row);
            let matches =
                harmless.iter().all(|(item, present)| set.binary_search(item).is_ok() == *present);
            matching[*group as usize] += u64::from(matches);
        }
        let (mut estimate, mut lower, mut upper) = (0.0, 0, 0);
        for (group, matching) in matching.iter().enumerate().filter(|(_, n)| **n > 0) {
            let size = u64::from(self.groups.sizes()[group]);
            let (mut expected, mut least, mut most) =
                (*matching as f64, *matching as i64, *matching);
            for (item, present) in &sensitive {
                let having = u64::from(self.counts.of_fact(group, *item));
                let n = if *present { having } else { size - having };
                expected *= n as f64 / size as f64;
                least = (least + n as i64 - size as i64).max(0);
                most = most.min(n);
            }
            estimate += expected;
            lower += least as u64;
            upper += most;
        }
        Ok((estimate, lower, upper))
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{FactCounts, Groups};
    use sfumato_core::transactions::Transactions;

    use super::*;

    /// The groups that the paper publishes: Bob, David, Ellen; Andrea, Claire.
    fn example() -> Linked {
        let sets = [vec![0, 1], vec![0, 1], vec![0, 1, 2], vec![1, 3], vec![2, 3]];
        Linked {
            names: ["wine", "meat", "cream", "strawberries"].map(String::from).to_vec(),
            quasi: Transactions::from_sets(4, sets),
            groups: Groups::from_labels(&[0, 0, 0, 1, 1]),
            sensitive: ["viagra", "pregnancy test"].map(String::from).to_vec(),
            counts: FactCounts::from_rows(2, vec![(0, 0, 1), (1, 1, 1)]),
            quasi_source: Default::default(),
            sensitive_source: Default::default(),
        }
    }

    #[test]
    fn the_example_of_the_paper_is_reconstructed() {
        let ask = |text: &str| example().count(&text.parse().unwrap(), "release").unwrap();
        assert_eq!(ask("count"), (5.0, 5, 5));
        assert_eq!(ask("count where cream and not meat"), (1.0, 1, 1));
        // Half of those with cream and without meat are said to have bought a test: all of them
        // had.
        assert_eq!(ask("count where cream and not meat and 'pregnancy test'"), (0.5, 0, 1));
        assert_eq!(ask("count where wine and viagra"), (1.0, 1, 1));
        assert_eq!(ask("count where wine and not viagra"), (2.0, 2, 2));
        assert_eq!(ask("count where viagra and 'pregnancy test'"), (0.0, 0, 0));
        assert!(example().count(&"count where beer".parse().unwrap(), "r").is_err());
    }

    #[test]
    fn queries_are_read_or_refused() {
        let query: ItemQuery = "COUNT where a and not \"b c\"".parse().unwrap();
        assert_eq!(query.to_string(), "count where a and not \"b c\"");
        for wrong in
            ["sum(a)", "count a", "count where", "count where a b", "count where a and not"]
        {
            assert!(wrong.parse::<ItemQuery>().is_err(), "{wrong}");
        }
    }
}
