//! Cuts: each quasi column is recoded on its own, and everywhere in the same way, whatever the
//! other columns hold.

use crate::FastMap;
use crate::dataset::Column;
use crate::error::{Error, Result};
use crate::recoding::{Finding, RecodedColumn, Recoding, SUPPRESSED, Value};

/// How one quasi column is published: one value for each code, missing last. In a tree the values
/// usually form a cut, with one value on each path from the root to a leaf. If a node and one of
/// its descendants are both published (sibling recoding), the node stands for the codes that aren't
/// published more exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    values: Vec<Value>,
    of_code: Vec<u32>,
}

impl Cut {
    /// Make a cut from the value of each code. The last is for missing.
    pub fn new(of_code: impl IntoIterator<Item = Value>) -> Self {
        let mut index: FastMap<Value, u32> = FastMap::default();
        let mut cut = Cut { values: Vec::new(), of_code: Vec::new() };
        for value in of_code {
            let next = cut.values.len() as u32;
            let code = *index.entry(value).or_insert(next);
            if code == next {
                cut.values.push(value);
            }
            cut.of_code.push(code);
        }
        cut
    }

    /// The distinct values, in the order of the first codes that they stand for.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
    /// For each code, an index into `values`.
    pub fn of_code(&self) -> &[u32] {
        &self.of_code
    }
    /// The value of a code.
    pub fn value(&self, code: u32) -> Value {
        self.values[self.of_code[code as usize] as usize]
    }

    /// Whether a value stands only for missing.
    pub fn is_for_missing(&self, value: Value) -> bool {
        let (missing, others) = match self.of_code.split_last() {
            Some((missing, others)) => (missing, others),
            None => return false,
        };
        self.values[*missing as usize] == value && !others.contains(missing)
    }

    /// The cut that a set of values describes: each code is published as the smallest of them that
    /// covers it. `None` for a code that no value covers. A saved recoding holds such a set.
    pub fn smallest_of(column: &Column, values: &[Value]) -> Vec<Option<Value>> {
        let mut order: Vec<Value> = values.to_vec();
        let width = |value: &Value| match value {
            Value::Any => u32::MAX,
            value => value.leaves(column),
        };
        order.sort_by_key(width);
        let missing = column.domain.missing();
        let mut of_code = vec![None; missing as usize + 1];
        // Wide ones first, so that what is smaller overwrites them; of equals the first stays.
        for value in order.into_iter().rev() {
            match value {
                Value::Any => of_code.fill(Some(value)),
                Value::Missing => of_code[missing as usize] = Some(value),
                _ => {
                    let codes = value.codes(column);
                    let end = codes.end.min(missing) as usize;
                    of_code[(codes.start as usize).min(end)..end].fill(Some(value));
                }
            }
        }
        of_code
    }
}

/// A recoding by cuts: a class holds the records with the same combination of published values.
#[derive(Debug, Clone)]
pub struct Cuts {
    cuts: Vec<Cut>,
    columns: Vec<RecodedColumn>,
    class_of_row: Vec<u32>,
    n_classes: usize,
    findings: Vec<Finding>,
}

impl Cuts {
    /// Make a recoding from the cuts, for each column the index into its cut's values of each
    /// class, and the class of each row (or `SUPPRESSED`).
    pub fn new(cuts: Vec<Cut>, of_class: Vec<Vec<u32>>, class_of_row: Vec<u32>) -> Result<Self> {
        // Without quasi columns all rows that are published are one class.
        let published = usize::from(class_of_row.iter().any(|class| *class != SUPPRESSED));
        let n_classes = of_class.first().map_or(published, Vec::len);
        if of_class.len() != cuts.len() || of_class.iter().any(|column| column.len() != n_classes) {
            return Err(Error::internal("cuts must say of each class which value each column has"));
        }
        // Values that no class has stay in the cut and don't reach the release.
        let used = |(cut, of_class): (&Cut, Vec<u32>)| {
            let mut new_of_old = vec![u32::MAX; cut.values.len()];
            let mut column = RecodedColumn::default();
            for old in of_class {
                if new_of_old[old as usize] == u32::MAX {
                    new_of_old[old as usize] = column.values.len() as u32;
                    column.values.push(cut.values[old as usize]);
                }
                column.of_class.push(new_of_old[old as usize]);
            }
            column
        };
        let columns = cuts.iter().zip(of_class).map(used).collect();
        Ok(Cuts { cuts, columns, class_of_row, n_classes, findings: Vec::new() })
    }

    /// Add what the algorithm found out on its way.
    pub fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.findings = findings;
        self
    }
}

impl Recoding for Cuts {
    fn shape(&self) -> &'static str {
        "cuts"
    }
    fn n_classes(&self) -> usize {
        self.n_classes
    }
    fn class_of_row(&self) -> &[u32] {
        &self.class_of_row
    }
    fn reorder(&mut self, order: &[u32]) {
        self.class_of_row = order.iter().map(|row| self.class_of_row[*row as usize]).collect();
    }
    fn findings(&self) -> &[Finding] {
        &self.findings
    }
    fn n_columns(&self) -> usize {
        self.columns.len()
    }
    fn column(&self, quasi: usize) -> &RecodedColumn {
        &self.columns[quasi]
    }
    fn cuts(&self) -> Option<&[Cut]> {
        Some(&self.cuts)
    }
}
