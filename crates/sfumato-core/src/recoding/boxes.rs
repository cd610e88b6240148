//! Boxes: each class is published as one region of the quasi-identifier space.

use crate::FastMap;
use crate::error::{Error, Result};
use crate::recoding::{Finding, RecodedColumn, Recoding, Value};

/// A recoding by regions: every record of a class gets the class's value in each quasi column.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes {
    columns: Vec<RecodedColumn>,
    class_of_row: Vec<u32>,
    n_classes: usize,
    findings: Vec<Finding>,
    made_up: Vec<u32>,
}

impl Boxes {
    /// Make boxes from `regions[class][column]` and the class of each row (or `SUPPRESSED`).
    /// Distinct values are stored once per column: a million classes share a few hundred values.
    pub fn new(
        n_columns: usize,
        regions: impl Iterator<Item = Vec<Value>>,
        class_of_row: Vec<u32>,
    ) -> Result<Self> {
        let mut builder = BoxesBuilder::new(n_columns);
        for region in regions {
            builder.push(&region)?;
        }
        Ok(builder.finish(class_of_row))
    }

    /// Say which sensitive values the made-up records have, whose classes are the last ones.
    pub fn with_made_up(mut self, made_up: Vec<u32>) -> Self {
        self.made_up = made_up;
        self
    }

    /// Add what the algorithm found out on its way.
    pub fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.findings = findings;
        self
    }
}

/// Collects regions one at a time, without holding them all.
#[derive(Debug, Clone)]
pub struct BoxesBuilder {
    columns: Vec<RecodedColumn>,
    index: Vec<FastMap<Value, u32>>,
    n_classes: usize,
}

impl BoxesBuilder {
    /// A builder for regions of `n_columns` quasi columns.
    pub fn new(n_columns: usize) -> Self {
        BoxesBuilder {
            columns: vec![RecodedColumn::default(); n_columns],
            index: vec![FastMap::default(); n_columns],
            n_classes: 0,
        }
    }
    /// Add the region of the next class.
    pub fn push(&mut self, region: &[Value]) -> Result<u32> {
        if region.len() != self.columns.len() {
            return Err(Error::internal("a region must have one value per quasi column"));
        }
        for ((column, index), value) in self.columns.iter_mut().zip(&mut self.index).zip(region) {
            let next = column.values.len() as u32;
            let code = *index.entry(*value).or_insert(next);
            if code == next {
                column.values.push(*value);
            }
            column.of_class.push(code);
        }
        self.n_classes += 1;
        Ok(self.n_classes as u32 - 1)
    }
    /// The finished recoding.
    pub fn finish(self, class_of_row: Vec<u32>) -> Boxes {
        Boxes {
            columns: self.columns,
            class_of_row,
            n_classes: self.n_classes,
            findings: Vec::new(),
            made_up: Vec::new(),
        }
    }
}

impl Recoding for Boxes {
    fn shape(&self) -> &'static str {
        "boxes"
    }
    fn n_classes(&self) -> usize {
        self.n_classes
    }
    fn class_of_row(&self) -> &[u32] {
        &self.class_of_row
    }
    fn made_up(&self) -> &[u32] {
        &self.made_up
    }
    fn reorder(&mut self, order: &[u32]) {
        self.class_of_row = order.iter().map(|row| self.class_of_row[*row as usize]).collect();
    }
    fn column(&self, quasi: usize) -> &RecodedColumn {
        &self.columns[quasi]
    }
    fn findings(&self) -> &[Finding] {
        &self.findings
    }
    fn n_columns(&self) -> usize {
        self.columns.len()
    }
}
