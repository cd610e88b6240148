//! The true target of each row: a class or a number, over the whole dataset.
//!
//! Only which texts are equal and which number a text is comes from all rows; nothing of it reaches
//! a recoding.

use sfumato_core::column::RawColumn;
use sfumato_core::dataset::ValueKind;
use sfumato_core::workload::TargetKind;
use sfumato_core::{Error, Result};

use sfumato_table::job::Job;

/// More classes than this are no classes.
pub const MOST_CLASSES: usize = 1000;

/// The targets of all rows of a dataset; `None` where they are missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Truth {
    /// Classes, numbered in the order of their texts.
    Classes {
        /// The class of each row.
        of_row: Vec<Option<u32>>,
        /// How many classes there are.
        n_classes: usize,
    },
    /// Numbers.
    Numbers(Vec<Option<f64>>),
}

impl Truth {
    /// Read a target column.
    pub fn new(job: &Job, column: &RawColumn, kind: TargetKind) -> Result<Self> {
        let tokens = &job.input.missing;
        let is_missing = |code: u32| {
            let text = column.values.get(code);
            column.null == Some(code) || text.is_empty() || tokens.iter().any(|token| token == text)
        };
        let counts = column.codes.counts(column.values.len());
        let occurs = |code: &u32| counts[*code as usize] > 0 && !is_missing(*code);
        let mut present: Vec<u32> = (0..column.values.len() as u32).filter(occurs).collect();
        match kind {
            TargetKind::Classes => {
                present.sort_by_key(|code| column.values.get(*code));
                if present.len() > MOST_CLASSES {
                    return Err(Error::params(format!(
                        "the target '{}' has {} classes, and at most {MOST_CLASSES} can be learnt",
                        column.name,
                        present.len()
                    ))
                    .hint("numbers are predicted with regression(target=...)"));
                }
                let mut class_of = vec![None; column.values.len()];
                present
                    .iter()
                    .zip(0..)
                    .for_each(|(code, class)| class_of[*code as usize] = Some(class));
                let of_row = column.codes.iter().map(|code| class_of[code as usize]).collect();
                Ok(Truth::Classes { of_row, n_classes: present.len() })
            }
            TargetKind::Numbers => {
                let kind = ValueKind::infer(present.iter().map(|code| column.values.get(*code)));
                let number = |code: u32| {
                    let key = kind.parse(column.values.get(code)).filter(|_| !is_missing(code))?;
                    Some(kind.number(key))
                };
                let of_code: Vec<Option<f64>> =
                    (0..column.values.len() as u32).map(number).collect();
                if of_code.iter().all(Option::is_none) && !present.is_empty() {
                    return Err(Error::params(format!(
                        "the target '{}' isn't a number",
                        column.name
                    ))
                    .hint("classes are predicted with classification(target=...)"));
                }
                Ok(Truth::Numbers(column.codes.iter().map(|code| of_code[code as usize]).collect()))
            }
        }
    }

    /// Whether a row has a target.
    pub fn is_known(&self, row: u32) -> bool {
        match self {
            Truth::Classes { of_row, .. } => of_row[row as usize].is_some(),
            Truth::Numbers(of_row) => of_row[row as usize].is_some(),
        }
    }

    /// Rows whose target is missing.
    pub fn n_missing(&self) -> u64 {
        let n = match self {
            Truth::Classes { of_row, .. } => of_row.iter().filter(|class| class.is_none()).count(),
            Truth::Numbers(of_row) => of_row.iter().filter(|number| number.is_none()).count(),
        };
        n as u64
    }

    /// How many rows each class has, the largest first; none for numbers.
    pub fn class_counts(&self) -> Vec<u64> {
        let Truth::Classes { of_row, n_classes } = self else { return Vec::new() };
        let mut counts = vec![0; *n_classes];
        of_row.iter().flatten().for_each(|class| counts[*class as usize] += 1);
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts
    }
}
