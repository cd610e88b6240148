//! A population of which some people are in the data, as a table that an attacker has, too.
//!
//! Models about it ask how many published rows may be about how many of its people. They are judged
//! on what the texts of a release may stand for; algorithms ask the same of codes.

use crate::column::Codes;
use crate::dataset::Table;

/// People of a population, in the codes of a table: whoever has equal codes has equal values.
#[derive(Debug, Clone, Default)]
pub struct Population {
    /// How many people there are.
    pub n: usize,
    /// For each quasi column of the table, in its order, the code of each person.
    pub codes: Vec<Codes>,
}

impl Population {
    /// The population that has nobody but the people of a table.
    pub fn of_table(table: &Table) -> Self {
        let codes = table.quasi().iter().map(|column| column.codes.clone()).collect();
        Population { n: table.n_rows, codes }
    }
}

/// Rows that are published alike, and the people of a population whom they may be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Among {
    /// How many rows there are.
    pub rows: u64,
    /// How many people fit them.
    pub people: u64,
}

/// People of a population whom the same classes may be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitting {
    /// The classes, ascending.
    pub classes: Vec<u32>,
    /// How many people these are.
    pub people: u64,
}

/// What a release says of a population.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Presence {
    /// The rows of each class, and the people who fit it.
    pub classes: Vec<Among>,
    /// The people, by the classes that may be about them.
    pub people: Vec<Fitting>,
    /// How many records of the data aren't in the population, as far as that can be told.
    pub outside: u64,
}
