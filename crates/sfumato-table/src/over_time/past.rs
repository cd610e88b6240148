//! Earlier releases of a table, and the chain that they make with a release or a candidate for one.

use sfumato_core::chain::{Chain, ChainRelease, Earlier, Meets, Published, PublishedClass};
use sfumato_core::joined::{JoinAsked, Joined, Sheet};
use sfumato_core::{Error, FastMap, FastSet, Result};

use super::cells::{Cell, Labels};
use super::people::People;
use super::sheet::{joined, sheet_of};

/// What the texts of a quasi column mean.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// Labels of a hierarchy.
    Labels(Labels),
    /// Ranges, masks and stars say what they mean; other texts are values of their own. Of a file
    /// whose maker isn't known that is an assumption, and it isn't made of texts that could be
    /// labels: where two releases use different ones, somebody has to say what they mean.
    Texts {
        /// Whether it is known that other texts are values.
        are_values: bool,
    },
}

/// Earlier releases, with what their texts mean.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// The releases in their order.
    pub releases: Vec<Published>,
    /// What the texts of each quasi column mean.
    pub meanings: Vec<Meaning>,
    /// The secret of the ledger, with which people are named in it.
    pub salt: Option<String>,
    /// Who is who in the table, where a model asks that.
    pub people: People,
    /// What models ask of the join of releases that may have different columns.
    pub asked: Vec<JoinAsked>,
    /// What the texts of the columns mean that aren't the new release's own quasi columns.
    pub elsewhere: Vec<(String, Meaning)>,
    /// The new release's own quasi columns, which `meanings` are about, where they aren't the first
    /// release's.
    pub columns: Vec<String>,
}

impl Earlier for Past {
    fn count(&self) -> usize {
        self.releases.len()
    }
    fn chain_with(&self, candidate: &Published) -> Result<Chain> {
        let all: Vec<&Published> = self.releases.iter().chain([candidate]).collect();
        // Two and more earlier releases are read together with this one.
        let known = if self.releases.len() > 1 { 0 } else { self.releases.len() };
        let mut chain = self.chain_of(&all, known)?;
        chain.judged = self.releases.len();
        Ok(chain)
    }
    fn joined_with(&self, sheet: &Sheet) -> Result<Joined> {
        let own =
            self.releases.iter().map(|release| Ok((release.name.clone(), sheet_of(release)?)));
        let own: Vec<(String, Sheet)> = own.collect::<Result<_>>()?;
        let mut all: Vec<(String, &Sheet)> =
            own.iter().map(|(name, sheet)| (name.clone(), sheet)).collect();
        all.push(("the new release".into(), sheet));
        joined(&all, &self.asked, &|name| Ok(self.meaning(name)))
    }
    fn signature(&self, person: u32) -> Option<&[u32]> {
        self.people.signatures.get(person as usize)?.as_deref()
    }
}

impl Past {
    /// The chain of all releases, none of which was judged before.
    pub fn chain(&self) -> Result<Chain> {
        self.chain_of(&self.releases.iter().collect::<Vec<_>>(), 0)
    }

    /// The chain of releases. Where a model asks for their join they may have different columns:
    /// then only their join is there.
    fn chain_of(&self, all: &[&Published], known: usize) -> Result<Chain> {
        if self.asked.is_empty() {
            return chain(all, &self.meanings, known);
        }
        let sheets: Vec<Sheet> =
            all.iter().map(|release| sheet_of(release)).collect::<Result<_>>()?;
        let named: Vec<(String, &Sheet)> =
            all.iter().zip(&sheets).map(|(one, sheet)| (one.name.clone(), sheet)).collect();
        let joined = joined(&named, &self.asked, &|name| Ok(self.meaning(name)))?;
        let other = all.first().and_then(|first| {
            all.iter().find(|other| other.columns != first.columns).map(|other| (first, other))
        });
        let mut found = match other {
            None => chain(all, &self.meanings, known)?,
            Some((first, other)) => Chain {
                unlike: Some(format!(
                    "{} and {} have different quasi columns",
                    first.name, other.name
                )),
                ..Chain::default()
            },
        };
        found.joined = Some(joined);
        Ok(found)
    }

    /// What the texts of a column mean.
    fn meaning(&self, name: &str) -> Meaning {
        let columns = match self.columns.is_empty() {
            true => self.releases.first().map_or(&[][..], |first| &first.columns),
            false => self.columns.as_slice(),
        };
        let own = columns.iter().position(|column| column == name);
        let own = own.and_then(|at| self.meanings.get(at));
        let elsewhere = self.elsewhere.iter().find(|(column, _)| column == name);
        own.or(elsewhere.map(|(_, meaning)| meaning))
            .cloned()
            .unwrap_or(Meaning::Texts { are_values: true })
    }
}

/// Number texts, values and people alike in all releases, and compare texts of those of which one
/// isn't among the first `known`.
fn chain(releases: &[&Published], meanings: &[Meaning], known: usize) -> Result<Chain> {
    let Some(first) = releases.first() else { return Ok(Chain::default()) };
    if let Some(other) = releases.iter().find(|other| other.columns != first.columns) {
        return Err(Error::input(format!(
            "{} and {} have different quasi columns",
            first.name, other.name
        ))
        .hint("releases over time have the same columns: start another ledger for others"));
    }
    let mut columns = Vec::with_capacity(meanings.len());
    let mut numbers = Vec::with_capacity(meanings.len());
    for (at, meaning) in meanings.iter().enumerate() {
        let of_releases: Vec<&[String]> =
            releases.iter().map(|release| release.texts[at].as_slice()).collect();
        let (texts, number) = numbered(&of_releases);
        let name = &first.columns[at];
        columns.push(meets(name, meaning, &texts, &number, known)?);
        numbers.push(number);
    }
    let of_values: Vec<&[String]> =
        releases.iter().map(|release| release.values.as_slice()).collect();
    let (texts, values) = numbered(&of_values);
    let class_of = |at: usize, class: &PublishedClass| {
        let cells = class.cells.iter().zip(&numbers);
        let mut counts: Vec<(u32, u64)> =
            class.values.iter().map(|(value, n)| (values[at][*value as usize], *n)).collect();
        counts.sort_unstable();
        PublishedClass {
            cells: cells.map(|(cell, number)| number[at][*cell as usize]).collect(),
            values: counts,
        }
    };
    let mut people: FastMap<&str, u32> = FastMap::default();
    let mut chained = Vec::with_capacity(releases.len());
    for (at, release) in releases.iter().enumerate() {
        let mut numbered = Vec::new();
        for (who, class) in release.people.iter().flatten() {
            let next = people.len() as u32;
            numbered.push((*people.entry(who.as_str()).or_insert(next), *class));
        }
        chained.push(ChainRelease {
            name: release.name.clone(),
            classes: release.classes.iter().map(|class| class_of(at, class)).collect(),
            people: release.people.is_some().then_some(numbered),
        });
    }
    let values = texts.into_iter().map(String::from).collect();
    Ok(Chain { columns, releases: chained, values, ..Chain::default() })
}

/// Number the texts of several releases: all of them, and the number of each release's own.
pub(super) fn numbered<'a>(releases: &[&'a [String]]) -> (Vec<&'a str>, Vec<Vec<u32>>) {
    let mut all: Vec<&str> = Vec::new();
    let mut number: FastMap<&str, u32> = FastMap::default();
    let of_release = |texts: &&'a [String]| -> Vec<u32> {
        let number_of = |text: &'a String| {
            *number.entry(text.as_str()).or_insert_with(|| {
                all.push(text.as_str());
                all.len() as u32 - 1
            })
        };
        texts.iter().map(number_of).collect()
    };
    let numbers = releases.iter().map(of_release).collect();
    (all, numbers)
}

/// Which texts of a column can be about the same value. `number` has those of each release.
pub(super) fn meets(
    column: &str,
    meaning: &Meaning,
    texts: &[&str],
    number: &[Vec<u32>],
    known: usize,
) -> Result<Meets> {
    let cells = texts.iter().map(|text| cell(column, meaning, text)).collect::<Result<Vec<_>>>()?;
    let in_release: Vec<FastSet<usize>> =
        number.iter().map(|own| own.iter().map(|at| *at as usize).collect()).collect();
    let is_new = |at: usize| in_release[known..].iter().any(|own| own.contains(&at));
    // Whether one is only in a release, and the other only in another.
    let part = |a: usize, b: usize| {
        let own = |own: &FastSet<usize>| (own.contains(&a), own.contains(&b));
        let seen: Vec<(bool, bool)> = in_release.iter().map(own).collect();
        seen.contains(&(true, false)) && seen.contains(&(false, true))
    };
    let are_values = matches!(meaning, Meaning::Texts { are_values: true });
    let mut unsure = 0u64;
    let meets = Meets::new(texts.len(), |a, b| {
        if a != b && !is_new(a) && !is_new(b) {
            return false;
        }
        cells[a].meets(texts[a], &cells[b], texts[b]).unwrap_or_else(|| {
            unsure += u64::from(!are_values && part(a, b));
            false
        })
    });
    match unsure {
        0 => Ok(meets),
        _ => Err(Error::params(format!(
            "column '{column}': the releases have different labels, and it isn't known which of \
             them cover the same values"
        ))
        .hint(format!("say what they mean with --hierarchy {column}=FILE"))),
    }
}

/// What a text that is no label says by itself, if it does.
fn says_itself(text: &str) -> Option<Cell> {
    Some(Cell::of_text(text)).filter(|cell| *cell != Cell::Word)
}

pub(super) fn cell(column: &str, meaning: &Meaning, text: &str) -> Result<Cell> {
    match meaning {
        Meaning::Texts { .. } => Ok(Cell::of_text(text)),
        Meaning::Labels(labels) => {
            labels.cell(text).or_else(|| says_itself(text)).ok_or_else(|| {
                Error::input(format!(
                    "column '{column}': a release has a label that the hierarchy doesn't have"
                ))
                .hint("a chain of releases keeps its hierarchy: name the one they were made with")
            })
        }
    }
}
