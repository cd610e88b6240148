//! Converts the few words that matter at a node to codes of a small table, so that prices and
//! widths are those of Mondrian itself.

use sfumato_core::Result;
use sfumato_core::dataset::{Domain, Labels, Table};
use sfumato_core::traits::Objective;

use super::above::Words;
use super::rules::Rules;
use crate::algorithms::local::mondrian::price::Prices;
use crate::algorithms::local::mondrian::shape::{Bounds, Shape};
use crate::data::tuples::Cells;

/// Quasi columns whose domains are some words of each column of keys, including the first and the
/// last word of the whole.
pub struct Local<'a> {
    rules: &'a Rules<'a>,
    table: Table,
    /// The words of columns of keys, ascending.
    words: Vec<Option<Vec<u64>>>,
}

impl<'a> Local<'a> {
    /// Make the columns from the words of each quasi column.
    pub fn new(rules: &'a Rules<'a>, words: impl Iterator<Item = Vec<u64>>) -> Self {
        let mut table = rules.template.clone();
        let mut known = Vec::with_capacity(rules.quasi.len());
        for ((column, quasi), mut words) in table.columns.iter_mut().zip(&rules.quasi).zip(words) {
            let Cells::Keys { least, n_words } = quasi.tuple.cells else {
                known.push(None);
                continue;
            };
            words.extend((n_words > 0).then_some(0));
            words.extend(n_words.checked_sub(1));
            words.retain(|word| *word < n_words);
            words.sort_unstable();
            words.dedup();
            let keys = words.iter().map(|word| least.wrapping_add_unsigned(*word)).collect();
            column.domain =
                Domain { kind: column.domain.kind, labels: Labels::Spelled { digits: None }, keys };
            known.push(Some(words));
        }
        Local { rules, table, words: known }
    }

    /// The code of a word that was given.
    pub fn code(&self, column: usize, word: u64) -> u32 {
        match &self.words[column] {
            None => word as u32,
            Some(words) if word >= self.rules.quasi[column].missing => words.len() as u32,
            Some(words) => words.partition_point(|known| *known < word) as u32,
        }
    }

    /// An interval in codes.
    pub fn bounds(&self, column: usize, words: Words) -> Bounds {
        Bounds { min: self.code(column, words.min), max: self.code(column, words.max) }
    }

    /// Call a function with the geometry of the columns and the prices of cells.
    pub fn look<T>(&self, look: impl FnOnce(&[Shape<'_>], &Prices<'_>) -> T) -> Result<T> {
        let shapes: Vec<Shape<'_>> =
            self.table.columns.iter().map(Shape::new).collect::<Result<_>>()?;
        let mut objective = (self.rules.outline.objective)(&self.table);
        // An objective that doesn't look at cells says nothing about splits.
        if objective.ignores_cells() {
            objective = Objective::ncp(&self.table);
        }
        let prices = Prices::new(&objective, &shapes);
        Ok(look(&shapes, &prices))
    }
}
