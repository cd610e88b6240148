//! Releases of the same people over time: what each publishes, and which published cells of one
//! may be about the same person as those of another.
//!
//! A release is told by its texts, as whoever reads it sees them. A chain has several of them with
//! the relation between their texts resolved, so that models compare classes without knowing what a
//! text means. The last release of a chain is the one that is judged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::joined::{Joined, Sheet};

/// What a release publishes: its classes, by their texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// What the release is called in messages.
    pub name: String,
    /// The names of the quasi columns.
    pub columns: Vec<String>,
    /// The different texts of each quasi column.
    pub texts: Vec<Vec<String>>,
    /// The different sensitive values; several sensitive columns make one value together.
    pub values: Vec<String>,
    /// Classes of records that are published alike.
    pub classes: Vec<PublishedClass>,
    /// For each quasi column the leaves below labels that don't say by themselves what they mean;
    /// none where that wasn't noted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<BTreeMap<String, Vec<String>>>,
    /// The class of each person, where whoever holds the data says who is who: a name that only the
    /// holder can make, and the number of the class. Made-up records belong to nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<Vec<(String, u32)>>,
    /// The names of the sensitive columns whose values make one together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<String>,
    /// All columns of the release, where a model asks what releases with other columns say besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<Sheet>,
}

/// Records that are published alike.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedClass {
    /// Its text in each quasi column, as a number into the texts of the column.
    pub cells: Vec<u32>,
    /// How many of its records have each sensitive value: numbers of values, ascending.
    pub values: Vec<(u32, u64)>,
}

impl PublishedClass {
    /// How many records it has.
    pub fn rows(&self) -> u64 {
        self.values.iter().map(|(_, rows)| rows).sum()
    }
}

impl Published {
    /// How many records it has.
    pub fn rows(&self) -> u64 {
        self.classes.iter().map(PublishedClass::rows).sum()
    }
}

/// Which texts of a quasi column can be about the same value.
#[derive(Debug, Clone, Default)]
pub struct Meets {
    n: usize,
    meets: Vec<bool>,
}

impl Meets {
    /// The relation of `n` texts; `meets` is asked once for each pair.
    pub fn new(n: usize, mut meets: impl FnMut(usize, usize) -> bool) -> Self {
        let mut all = vec![false; n * n];
        for a in 0..n {
            for b in a..n {
                let met = meets(a, b);
                (all[a * n + b], all[b * n + a]) = (met, met);
            }
        }
        Meets { n, meets: all }
    }
    /// Whether two texts can be about the same value.
    #[inline]
    pub fn at(&self, a: u32, b: u32) -> bool {
        self.meets[a as usize * self.n + b as usize]
    }
}

/// A release within a chain: texts and values are numbered alike in all of them.
#[derive(Debug, Clone, Default)]
pub struct ChainRelease {
    /// What it is called in messages.
    pub name: String,
    /// Its classes.
    pub classes: Vec<PublishedClass>,
    /// The number of each person with the class, if it is known who is who.
    pub people: Option<Vec<(u32, u32)>>,
}

impl ChainRelease {
    /// How many records it has.
    pub fn rows(&self) -> u64 {
        self.classes.iter().map(PublishedClass::rows).sum()
    }
}

/// Releases of the same people, in the order in which they were published.
#[derive(Debug, Clone, Default)]
pub struct Chain {
    /// For each quasi column, which of its texts can be about the same value.
    pub columns: Vec<Meets>,
    /// The releases. The last is judged beside those before it.
    pub releases: Vec<ChainRelease>,
    /// How many of the first releases were judged together before.
    pub judged: usize,
    /// The texts of the sensitive values.
    pub values: Vec<String>,
    /// The releases with all their columns, where a model asks for their join.
    pub joined: Option<Joined>,
    /// What sets releases apart whose quasi columns aren't the same: then there are no classes to
    /// compare, and `releases` is empty.
    pub unlike: Option<String>,
}

impl Chain {
    /// An error where the releases have no classes to compare, because their columns differ.
    pub fn check_alike(&self, model: &str) -> Result<()> {
        match &self.unlike {
            None => Ok(()),
            Some(what) => Err(Error::input(format!("{model} can't be judged: {what}")).hint(
                "it is about releases with the same columns: sequential-xy-privacy judges others",
            )),
        }
    }
    /// Whether somebody can be in both of two classes.
    #[inline]
    pub fn comparable(&self, a: &PublishedClass, b: &PublishedClass) -> bool {
        let cells = a.cells.iter().zip(&b.cells);
        self.columns.iter().zip(cells).all(|(column, (a, b))| column.at(*a, *b))
    }
}

/// The releases before the one that an algorithm decides about.
pub trait Earlier: Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// The chain that ends with a candidate. Errors where a text can't be understood.
    fn chain_with(&self, candidate: &Published) -> Result<Chain>;
    /// The sensitive values, as codes of the table and ascending, among which a person of the table
    /// was published last. None if that isn't known, or the person is new.
    fn signature(&self, _person: u32) -> Option<&[u32]> {
        None
    }
    /// The earlier releases joined with a sheet, for models that ask for that.
    fn joined_with(&self, _sheet: &Sheet) -> Result<Joined> {
        Err(Error::internal("nobody asked for a join"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_comparable_where_all_columns_are() {
        let column = |pairs: &'static [(usize, usize)]| {
            Meets::new(3, move |a, b| a == b || pairs.contains(&(a, b)))
        };
        let chain =
            Chain { columns: vec![column(&[(0, 1)]), column(&[(1, 2)])], ..Chain::default() };
        let class = |cells: [u32; 2]| PublishedClass { cells: cells.into(), values: vec![(0, 2)] };
        assert!(chain.comparable(&class([1, 2]), &class([0, 1])));
        assert!(!chain.comparable(&class([1, 0]), &class([0, 1])));
        assert!(!chain.comparable(&class([2, 1]), &class([0, 1])));
    }
}
